import type { IdIndex } from '../table/id-index.ts';
import { readTable } from '../table/read-table.ts';
import { remedyFor } from './codex-files.ts';
import type { RowCount, TableInput } from './table-input.ts';

export type Positions = RowCount & {
  /** `3 * neurons`, xyz in the data set's own nanometres; 0,0,0 where no row is given. */
  readonly positions: Float32Array;
  readonly neuronsWithout: number;
};

/** Arithmetic mean of all coordinate rows of each neuron (spec: brain.md 2, rule 3). */
export async function readPositions(index: IdIndex, { path, onBytes, signal }: TableInput): Promise<Positions> {
  const neurons = index.ids.length;
  const sums = new Float64Array(3 * neurons);
  const counts = new Uint32Array(neurons);
  let absentRows = 0;
  const rows = await readTable({
    path,
    columns: ['root_id', 'position'],
    remedy: remedyFor('coordinates.csv.gz'),
    onBytes,
    signal,
    onRow(row) {
      row.readId(0);
      const neuron = index.find(row.idHigh, row.idLow);
      if (neuron === -1) {
        absentRows++;
        return;
      }
      const xyz = parsePosition(row.text(1));
      if (xyz === null) throw row.refuse(1, 'is not three numbers in brackets');
      for (let axis = 0; axis < 3; axis++) sums[3 * neuron + axis]! += xyz[axis]!;
      counts[neuron]!++;
    },
  });
  const positions = new Float32Array(3 * neurons);
  let neuronsWithout = 0;
  for (let neuron = 0; neuron < neurons; neuron++) {
    if (counts[neuron] === 0) neuronsWithout++;
    else for (let k = 3 * neuron; k < 3 * neuron + 3; k++) positions[k] = sums[k]! / counts[neuron]!;
  }
  return { positions, neuronsWithout, rows, absentRows };
}

/** `[1 2 3]`, `(1, 2, 3)` and the like; null when it is anything else. */
function parsePosition(text: string): readonly number[] | null {
  const inner = /^\s*[[(]([^\])]*)[\])]\s*$/.exec(text)?.[1];
  if (inner === undefined) return null;
  const parts = inner.trim().split(/\s*,\s*|\s+/);
  const numbers = parts.map((part) => (part === '' ? NaN : Number(part)));
  return numbers.length === 3 && numbers.every(Number.isFinite) ? numbers : null;
}
