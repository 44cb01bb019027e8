import { COLUMNS, KINDS } from './cell-kinds.ts';
import { FIELD_TILES } from './command-fields.ts';
import type { CommandFields } from './command-fields.ts';
import type { EyeColumns } from './eye-columns.ts';
import type { Random } from './random.ts';
import { POOL_TILES, fieldTile } from './target-pools.ts';
import type { TargetPools } from './target-pools.ts';
import { isNegative } from './twin-cells.ts';
import type { TwinCells } from './twin-cells.ts';
import type { WiringRule } from './wiring-rules.ts';

export type TargetSource = {
  readonly seed: number;
  readonly cells: TwinCells;
  readonly eye: EyeColumns;
  readonly pools: TargetPools;
  readonly commandFields: CommandFields;
  readonly random: Random;
};

/** One candidate target of `source` by `rule`, or -1 when the draw fell outside the eye or on an empty list. */
export function drawTarget(from: TargetSource, source: number, rule: WiringRule): number {
  switch (rule.how) {
    case 'column':
      return drawFromColumn(from, source, rule);
    case 'field':
      return drawFromField(from, source, rule);
    case 'pool':
      return drawFromPool(from, source, rule);
    case 'near':
      return drawNear(from, source, rule);
    case 'command':
      return drawFromCommand(from, source);
  }
}

function drawFromColumn({ cells, eye, pools, random }: TargetSource, source: number, rule: WiringRule): number {
  let column = cells.column[source]!;
  if (column < 0) column = columnAt(cells, eye, source);
  const word = random.next();
  if ((word & 255) < rule.reach) {
    // a third of the neighbours are two columns away; wide cells (reach above 200) walk further
    const steps = rule.reach > 200 ? 1 + ((word >>> 8) & 3) : 1;
    for (let step = 0; step < steps && column >= 0; step++) {
      const way = random.next();
      column =
        way % 3 === 0 ? eye.ring2[12 * column + ((way >>> 8) % 12)]! : eye.ring1[6 * column + ((way >>> 8) % 6)]!;
    }
    if (column < 0) return -1;
  }
  const { perColumn } = KINDS[rule.to]!;
  const slot = random.below(perColumn);
  return pools.byColumn[rule.to]![(cells.half[source]! * COLUMNS + column) * perColumn + slot]!;
}

/** The column a neuron with a field looks through. */
function columnAt(cells: TwinCells, eye: EyeColumns, source: number): number {
  const x = cells.fieldX[source]!;
  const y = cells.fieldY[source]!;
  let low = 0;
  let high = COLUMNS - 1;
  // columns are in reading order and fields are column centres, so the place is found exactly
  while (low < high) {
    const middle = (low + high) >> 1;
    const before = eye.fieldY[middle]! < y || (eye.fieldY[middle]! === y && eye.fieldX[middle]! < x);
    if (before) low = middle + 1;
    else high = middle;
  }
  return low;
}

function drawFromField({ cells, pools, random }: TargetSource, source: number, rule: WiringRule): number {
  let tile = fieldTile(cells, source);
  const word = random.next();
  if ((word & 255) < rule.reach) {
    const x = (tile % POOL_TILES) + (((word >>> 8) % 3) - 1);
    const y = Math.floor(tile / POOL_TILES) + (((word >>> 16) % 3) - 1);
    if (x < 0 || x >= POOL_TILES || y < 0 || y >= POOL_TILES) return -1;
    tile = y * POOL_TILES + x;
  }
  const starts = pools.fieldStarts[rule.to]!;
  const bin = cells.half[source]! * POOL_TILES * POOL_TILES + tile;
  const start = starts[bin]!;
  const count = starts[bin + 1]! - start;
  return count === 0 ? -1 : pools.fieldMembers[rule.to]![start + random.below(count)]!;
}

function drawFromPool({ cells, pools, random }: TargetSource, source: number, rule: WiringRule): number {
  const word = random.next();
  const half = (word & 255) < rule.reach ? 1 - cells.half[source]! : cells.half[source]!;
  const list = pools.byHalf[2 * rule.to + half]!;
  return list[random.below(list.length)]!;
}

/** Lists are sorted by height: a window of a sixth of the list around the source's own height. */
function drawNear({ cells, pools, random }: TargetSource, source: number, rule: WiringRule): number {
  const word = random.next();
  const half = (word & 255) < rule.reach ? 1 - cells.half[source]! : cells.half[source]!;
  const list = pools.byHalf[2 * rule.to + half]!;
  const window = Math.max(8, Math.floor(list.length / 6));
  const height = cells.positions[3 * source + 1]!;
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cells.positions[3 * list[middle]! + 1]! < height) low = middle + 1;
    else high = middle;
  }
  const start = Math.max(0, Math.min(list.length - window, low - (window >> 1)));
  return list[start + random.below(Math.min(window, list.length))]!;
}

function drawFromCommand({ cells, pools, commandFields, random }: TargetSource, source: number): number {
  const negative = isNegative(cells.transmitter[source]!);
  const weights = negative ? commandFields.inhibit : commandFields.excite;
  const tile =
    ((cells.fieldY[source]! * FIELD_TILES) >> 10) * FIELD_TILES + ((cells.fieldX[source]! * FIELD_TILES) >> 10);
  // the left eye sees the picture mirrored in its lattice (spec: brain.md 4.6), so its field is mirrored back
  const mirrored =
    cells.half[source] === 0 ? tile - (tile % FIELD_TILES) + (FIELD_TILES - 1 - (tile % FIELD_TILES)) : tile;
  const total = weights[mirrored * 8 + 7]!;
  if (total === 0) return -1;
  const drawn = random.below(total);
  let pool = 0;
  while (weights[mirrored * 8 + pool]! <= drawn) pool++;
  const list = pools.commands[pool]!;
  return list[random.below(list.length)]!;
}
