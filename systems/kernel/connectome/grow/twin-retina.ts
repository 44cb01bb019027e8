import { COLUMNS, Kind, NEURONS } from './cell-kinds.ts';
import type { EyeColumns } from './eye-columns.ts';
import type { TwinCells } from './twin-cells.ts';

export type TwinRetina = {
  readonly visualIndices: Uint32Array;
  /** 0 left, 1 right. */
  readonly visualHemisphere: Uint8Array;
  /** Interleaved x, y in lattice units: 0..29.5 across, 0..27 down. */
  readonly visualXY: Float32Array;
};

/** Both eyes' columns: left eye first, each in the reading order of its lattice. */
export function createTwinRetina(cells: TwinCells, eye: EyeColumns): TwinRetina {
  const visualHemisphere = new Uint8Array(2 * COLUMNS);
  const visualXY = new Float32Array(4 * COLUMNS);
  for (let c = 0; c < 2 * COLUMNS; c++) {
    visualHemisphere[c] = c < COLUMNS ? 0 : 1;
    visualXY[2 * c] = eye.doubledX[c % COLUMNS]! / 2;
    visualXY[2 * c + 1] = eye.row[c % COLUMNS]!;
  }
  return { visualIndices: retinaNeurons(cells), visualHemisphere, visualXY };
}

/** The L1 of every column. */
export function retinaNeurons(cells: TwinCells): Uint32Array {
  const neurons = new Uint32Array(2 * COLUMNS);
  for (let i = 0; i < NEURONS; i++) {
    if (cells.kind[i] === Kind.L1) neurons[cells.half[i]! * COLUMNS + cells.column[i]!] = i;
  }
  return neurons;
}
