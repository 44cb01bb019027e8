import { join } from 'node:path';
import { hashFile } from '../table/hash-file.ts';
import { readTable } from '../table/read-table.ts';
import type { TableRow } from '../table/table-row.ts';

export type Hemisphere = 'L' | 'R' | 'C';

export type LarvaNeuron = {
  /** As printed in the table; below 2^32 in this release. */
  readonly id: number;
  readonly name: string;
  /** One of the table's `simple_group`s. */
  readonly group: string;
  /** The table's finer classes, split at `;`. */
  readonly classes: readonly string[];
  readonly hemisphere: Hemisphere;
  /** Shared by the two neurons of a left-right pair; null without a partner. */
  readonly pair: number | null;
};

export type LarvaTables = {
  /** Ascending ids. */
  readonly neurons: readonly LarvaNeuron[];
  /** Ids of the source and target of every edge, file order. */
  readonly pre: Uint32Array;
  readonly post: Uint32Array;
  readonly contacts: Uint32Array;
  /** File name -> SHA-256 of its bytes. */
  readonly sourceFiles: Readonly<Record<string, string>>;
};

export const NEURONS_FILE = 'neurons.csv.gz';
export const EDGES_FILE = 'edges.csv.gz';
const NEURON_COLUMNS = ['id', 'name', 'simple_group', 'class1', 'hemisphere', 'pair_id'];
const EDGE_COLUMNS = ['pre', 'post', 'count'];
const REMEDY = `Put the ${NEURONS_FILE} and ${EDGES_FILE} of one release there.`;

/**
 * Reads `neurons.csv.gz` and `edges.csv.gz` of the larval brain (spec: twin.md 5).
 * @throws DataError IMPORT_*, naming the file, the row, the column and the value
 */
export async function readLarvaTables(folder: string): Promise<LarvaTables> {
  const neurons: LarvaNeuron[] = [];
  const seen = new Set<number>();
  const neuronsPath = join(folder, NEURONS_FILE);
  await readTable({
    path: neuronsPath,
    columns: NEURON_COLUMNS,
    remedy: REMEDY,
    onRow(row) {
      const neuron = parseNeuron(row);
      if (seen.has(neuron.id)) throw row.refuse(0, 'is listed twice');
      seen.add(neuron.id);
      neurons.push(neuron);
    },
  });
  neurons.sort((a, b) => a.id - b.id);
  const pre: number[] = [];
  const post: number[] = [];
  const contacts: number[] = [];
  const edgesPath = join(folder, EDGES_FILE);
  await readTable({
    path: edgesPath,
    columns: EDGE_COLUMNS,
    remedy: REMEDY,
    onRow(row) {
      pre.push(row.whole(0));
      post.push(row.whole(1));
      const count = row.whole(2);
      if (count === 0 || count > MAX_CONTACTS)
        throw row.refuse(2, 'is not a number of contacts that a weight can hold');
      contacts.push(count);
    },
  });
  return {
    neurons,
    pre: Uint32Array.from(pre),
    post: Uint32Array.from(post),
    contacts: Uint32Array.from(contacts),
    sourceFiles: {
      [NEURONS_FILE]: await hashFile(neuronsPath, () => {}, undefined),
      [EDGES_FILE]: await hashFile(edgesPath, () => {}, undefined),
    },
  };
}

/** The largest stored weight (spec: brain.md 2.7); the release's largest count is 121. */
const MAX_CONTACTS = 32_767;

function parseNeuron(row: TableRow): LarvaNeuron {
  const hemisphere = row.text(4);
  if (hemisphere !== 'L' && hemisphere !== 'R' && hemisphere !== 'C') throw row.refuse(4, 'is not L, R or C');
  return {
    id: row.whole(0),
    name: row.text(1).trim(),
    group: row.text(2),
    classes: row.text(3).split(';'),
    hemisphere,
    // negative numbers say "no partner": -1 does, and the two others in the release stand alone as well
    pair: row.text(5).startsWith('-') ? null : row.whole(5),
  };
}
