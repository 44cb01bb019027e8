import type { IdIndex } from '../table/id-index.ts';
import { readTable } from '../table/read-table.ts';
import { remedyFor } from './codex-files.ts';
import type { RowCount, TableInput } from './table-input.ts';

/** The L1 columns in file order; two columns may share a neuron (spec: brain.md 2, rule 5). */
export type CodexRetina = RowCount & {
  readonly visualIndices: Uint32Array;
  /** 0 left, 1 right. */
  readonly visualHemisphere: Uint8Array;
  /** Interleaved x, y. */
  readonly visualXY: Float32Array;
};

const COLUMNS = ['root_id', 'type', 'hemisphere', 'x', 'y'];
const VISUAL_TYPE = 'L1';

export async function readRetina(index: IdIndex, { path, onBytes, signal }: TableInput): Promise<CodexRetina> {
  const neurons: number[] = [];
  const hemispheres: number[] = [];
  const xy: number[] = [];
  let absentRows = 0;
  const rows = await readTable({
    path,
    columns: COLUMNS,
    remedy: remedyFor('column_assignment.csv.gz'),
    onBytes,
    signal,
    onRow(row) {
      row.readId(0);
      const neuron = index.find(row.idHigh, row.idLow);
      if (neuron === -1) absentRows++;
      if (neuron === -1 || row.text(1) !== VISUAL_TYPE) return;
      neurons.push(neuron);
      hemispheres.push(row.text(2).toLowerCase().startsWith('left') ? 0 : 1);
      xy.push(row.decimal(3), row.decimal(4));
    },
  });
  return {
    visualIndices: Uint32Array.from(neurons),
    visualHemisphere: Uint8Array.from(hemispheres),
    visualXY: Float32Array.from(xy),
    rows,
    absentRows,
  };
}
