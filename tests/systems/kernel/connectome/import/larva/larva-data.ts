import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The real tables (spec: twin.md 5); tests that need them are skipped where they are absent. */
export const LARVA_FOLDER: string = join(import.meta.dirname, '../../../../../../../shared/data/larva-winding2023');
export const hasLarva: boolean = existsSync(join(LARVA_FOLDER, 'edges.csv.gz'));

export const HEADER = 'id,name,simple_group,class1,hemisphere,pair_id';

/** Six neurons, one of them without an edge, and five edges. */
export const SMALL_NEURONS: readonly string[] = [
  HEADER,
  '29,KC #0,KCs,KC,R,-1',
  '11,ORN left,sensories,sens,L,7',
  '30,ORN right,sensories,sens,R,7',
  '50,"APL, left",LNs,APL,L,-1',
  '40,down left,dVNCs,dVNC;CN,L,-127',
  '99,alone,unk,unk,C,-1',
];
export const SMALL_EDGES: readonly string[] = [
  'pre,post,count',
  '11,29,9',
  '30,29,3',
  '50,29,12',
  '29,40,2',
  '29,29,1',
];

/** Writes both tables; a text replaces a table's rows, a buffer its file. */
export async function writeLarva(
  folder: string,
  neurons: readonly string[] | Uint8Array = SMALL_NEURONS,
  edges: readonly string[] | Uint8Array = SMALL_EDGES,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'neurons.csv.gz'), pack(neurons));
  await writeFile(join(folder, 'edges.csv.gz'), pack(edges));
  return folder;
}

function pack(table: readonly string[] | Uint8Array): Uint8Array {
  return table instanceof Uint8Array ? table : gzipSync(`${table.join('\n')}\n`);
}
