import { COLUMNS } from './cell-kinds.ts';

/** One eye's hexagonal lattice: 28 rows of up to 30 columns, corners rounded, exactly `COLUMNS` cells. */
export type EyeColumns = {
  /** Row 0 is the top of the picture. */
  readonly row: Uint8Array;
  /** Twice the horizontal lattice coordinate; odd rows are shifted by half a column. */
  readonly doubledX: Uint8Array;
  /** Picture coordinates of a column, 0..1023 from left to right and from top to bottom. */
  readonly fieldX: Int16Array;
  readonly fieldY: Int16Array;
  /** Columns at hexagonal distance 1 and 2, -1 where the eye ends: 6 then 12 entries a column. */
  readonly ring1: Int16Array;
  readonly ring2: Int16Array;
};

export const EYE_ROWS = 28;
const ROW_LENGTH = 30;
const DOUBLED_WIDTH = 2 * ROW_LENGTH;

/** Same for every seed: the lattice is the eye's plan, not chance. */
export function createEyeColumns(): EyeColumns {
  const chosen = chooseCells();
  const at = new Int16Array(EYE_ROWS * DOUBLED_WIDTH).fill(-1);
  const columns: EyeColumns = {
    row: new Uint8Array(COLUMNS),
    doubledX: new Uint8Array(COLUMNS),
    fieldX: new Int16Array(COLUMNS),
    fieldY: new Int16Array(COLUMNS),
    ring1: new Int16Array(6 * COLUMNS),
    ring2: new Int16Array(12 * COLUMNS),
  };
  chosen.forEach((cell, column) => {
    const row = Math.floor(cell / DOUBLED_WIDTH);
    const doubledX = cell % DOUBLED_WIDTH;
    at[cell] = column;
    columns.row[column] = row;
    columns.doubledX[column] = doubledX;
    columns.fieldX[column] = Math.floor((doubledX * 1023) / (DOUBLED_WIDTH - 1));
    columns.fieldY[column] = Math.floor((row * 1023) / (EYE_ROWS - 1));
  });
  const find = (row: number, doubledX: number): number =>
    row < 0 || row >= EYE_ROWS || doubledX < 0 || doubledX >= DOUBLED_WIDTH ? -1 : at[row * DOUBLED_WIDTH + doubledX]!;
  for (let column = 0; column < COLUMNS; column++) {
    const row = columns.row[column]!;
    const x = columns.doubledX[column]!;
    RING_1.forEach(([dx, dy], k) => (columns.ring1[6 * column + k] = find(row + dy, x + dx)));
    RING_2.forEach(([dx, dy], k) => (columns.ring2[12 * column + k] = find(row + dy, x + dx)));
  }
  return columns;
}

const RING_1: readonly (readonly [number, number])[] = [
  [2, 0],
  [1, 1],
  [-1, 1],
  [-2, 0],
  [-1, -1],
  [1, -1],
];
// prettier-ignore
const RING_2: readonly (readonly [number, number])[] = [
  [4, 0], [3, 1], [2, 2], [0, 2], [-2, 2], [-3, 1], [-4, 0], [-3, -1], [-2, -2], [0, -2], [2, -2], [3, -1],
];

/** Lattice cells nearest the centre by a rounded-square measure, in reading order. */
function chooseCells(): number[] {
  const cells: { cell: number; far: number }[] = [];
  for (let row = 0; row < EYE_ROWS; row++) {
    for (let x = row & 1; x < DOUBLED_WIDTH; x += 2) {
      const across = Math.abs(2 * x - (DOUBLED_WIDTH - 1)) * EYE_ROWS;
      const down = Math.abs(2 * row - (EYE_ROWS - 1)) * DOUBLED_WIDTH;
      const a = Math.floor(across / 8);
      const d = Math.floor(down / 8);
      cells.push({ cell: row * DOUBLED_WIDTH + x, far: a * a * a * a + d * d * d * d });
    }
  }
  cells.sort((a, b) => a.far - b.far || a.cell - b.cell);
  return cells
    .slice(0, COLUMNS)
    .map(({ cell }) => cell)
    .sort((a, b) => a - b);
}
