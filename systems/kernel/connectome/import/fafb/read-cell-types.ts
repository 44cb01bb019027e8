import type { IdIndex } from '../table/id-index.ts';
import { readTable } from '../table/read-table.ts';
import { remedyFor } from './codex-files.ts';
import type { RowCount, TableInput } from './table-input.ts';

/** Cell type by neuron, empty where none is given; the last row wins (spec: brain.md 2, rule 2). */
export type CellTypes = RowCount & { readonly types: readonly string[] };

export async function readCellTypes(index: IdIndex, { path, onBytes, signal }: TableInput): Promise<CellTypes> {
  const types = new Array<string>(index.ids.length).fill('');
  let absentRows = 0;
  const rows = await readTable({
    path,
    columns: ['root_id', 'primary_type'],
    remedy: remedyFor('consolidated_cell_types.csv.gz'),
    onBytes,
    signal,
    onRow(row) {
      row.readId(0);
      const neuron = index.find(row.idHigh, row.idLow);
      if (neuron === -1) absentRows++;
      else types[neuron] = row.text(1);
    },
  });
  return { types, rows, absentRows };
}
