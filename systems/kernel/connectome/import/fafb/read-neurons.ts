import { DataError } from '../../../../../engine/errors.ts';
import { createIdIndex } from '../table/id-index.ts';
import type { IdIndex } from '../table/id-index.ts';
import { readTable } from '../table/read-table.ts';
import { remedyFor } from './codex-files.ts';
import type { TableInput } from './table-input.ts';

/** The inventory in index order: index = rank of the id (spec: brain.md 2, rule 1). */
export type CodexNeurons = {
  readonly index: IdIndex;
  readonly flow: readonly string[];
  readonly superClass: readonly string[];
  readonly class: readonly string[];
  readonly subClass: readonly string[];
  readonly side: readonly string[];
};

type Annotation = readonly [flow: string, superClass: string, cls: string, subClass: string, side: string];

const COLUMNS = ['root_id', 'flow', 'super_class', 'class', 'sub_class', 'side'];

/** @throws DataError IMPORT_DUPLICATE naming both rows, IMPORT_EMPTY without neurons, and those of `readTable` */
export async function readNeurons({ path, onBytes, signal }: TableInput): Promise<CodexNeurons> {
  const remedy = remedyFor('classification.csv.gz');
  const rowOf = new Map<bigint, number>();
  const annotations: Annotation[] = [];
  const ids: bigint[] = [];
  const share = createInterner();
  await readTable({
    path,
    columns: COLUMNS,
    remedy,
    onBytes,
    signal,
    onRow(row) {
      row.readId(0);
      const id = (BigInt(row.idHigh) << 32n) | BigInt(row.idLow);
      const earlier = rowOf.get(id);
      if (earlier !== undefined) {
        const places = `rows ${earlier} and ${row.number()}`;
        throw new DataError('IMPORT_DUPLICATE', `${path}: root_id ${id} is in ${places}; a neuron has one. ${remedy}`);
      }
      rowOf.set(id, row.number());
      ids.push(id);
      annotations.push([
        share(row.text(1)),
        share(row.text(2)),
        share(row.text(3)),
        share(row.text(4)),
        share(row.text(5)),
      ]);
    },
  });
  if (ids.length === 0) throw new DataError('IMPORT_EMPTY', `${path} has a header but no neuron. ${remedy}`);
  const index = createIdIndex(BigUint64Array.from(ids).sort());
  const sorted = new Array<Annotation>(ids.length);
  ids.forEach((id, row) => (sorted[index.find(Number(id >> 32n), Number(id & 0xffff_ffffn))] = annotations[row]!));
  return {
    index,
    flow: sorted.map((annotation) => annotation[0]),
    superClass: sorted.map((annotation) => annotation[1]),
    class: sorted.map((annotation) => annotation[2]),
    subClass: sorted.map((annotation) => annotation[3]),
    side: sorted.map((annotation) => annotation[4]),
  };
}

/** One string object per distinct text: the tables repeat a few words hundreds of thousands of times. */
function createInterner(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const shared = known.get(text);
    if (shared !== undefined) return shared;
    known.set(text, text);
    return text;
  };
}
