import { SuperClass } from './cell-kinds.ts';
import { createEyeColumns } from './eye-columns.ts';
import { orderCells } from './order-cells.ts';
import { placeCells } from './place-cells.ts';
import { enumerateCells, superClassOf } from './twin-cells.ts';
import type { TwinCells } from './twin-cells.ts';

/** All neurons of the twin of `seed`, placed, in index order. A few tenths of a second. */
export function growCells(seed: number): TwinCells {
  const cells = enumerateCells(seed);
  placeCells(cells, createEyeColumns(), seed);
  return orderCells(cells);
}

/** Codex `flow`: afferent 0 (19,300 neurons), efferent 2 (1,491), anything else 1 (spec: brain.md 1.7). */
export function classifyCells(cells: TwinCells): Uint8Array {
  const classes = new Uint8Array(cells.kind.length).fill(1);
  // four motor neurons of the real table are intrinsic: 1,305 + 80 + 110 - 4 = 1,491 (spec: twin.md 2)
  let intrinsicMotor = 4;
  for (let i = 0; i < classes.length; i++) {
    const superClass = superClassOf(cells.kind[i]!);
    if (AFFERENT.has(superClass)) classes[i] = 0;
    else if (superClass === SuperClass.Motor && intrinsicMotor > 0) intrinsicMotor--;
    else if (EFFERENT.has(superClass)) classes[i] = 2;
  }
  return classes;
}

const AFFERENT: ReadonlySet<number> = new Set([SuperClass.Sensory, SuperClass.Ascending, SuperClass.SensoryAscending]);
const EFFERENT: ReadonlySet<number> = new Set([SuperClass.Descending, SuperClass.Motor, SuperClass.Endocrine]);
