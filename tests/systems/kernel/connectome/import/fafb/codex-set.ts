import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CODEX_FILES } from '../../../../../../systems/kernel/connectome/import/fafb/codex-files.ts';
import type { CodexFile } from '../../../../../../systems/kernel/connectome/import/fafb/codex-files.ts';
import { temporaryFolder } from '../../toy-bundle.ts';

/** Text of each table. */
export type CodexTables = Readonly<Record<CodexFile, string>>;

/** Id of neuron `index` of the hand-made sets: neighbours that a 64-bit float cannot tell apart. */
export function id(index: number): string {
  return String(720_575_940_621_039_100n + BigInt(index));
}

/** Two neurons and one edge: the least that is a whole set. */
export const SMALLEST: CodexTables = {
  'classification.csv.gz': `root_id,flow,super_class,class,sub_class,side\n${id(0)},,,,,\n${id(1)},,,,,\n`,
  'connections.csv.gz': `pre_root_id,post_root_id,syn_count,nt_type\n${id(0)},${id(1)},5,ACH\n`,
  'consolidated_cell_types.csv.gz': 'root_id,primary_type\n',
  'coordinates.csv.gz': `root_id,position\n${id(0)},[1 2 3]\n`,
  'column_assignment.csv.gz': `root_id,type,hemisphere,x,y\n${id(1)},L1,left,1,2\n`,
};

export type CodexSet = { readonly folder: string; readonly out: string };

/** Writes the five files, gone after the test. */
export async function codexSet(tables: CodexTables): Promise<CodexSet> {
  const root = await temporaryFolder();
  const folder = join(root, 'codex');
  await mkdir(folder);
  for (const file of CODEX_FILES) await writeFile(join(folder, file), gzipSync(tables[file], { level: 1 }));
  return { folder, out: join(root, 'connectomes', 'fafb-v783') };
}
