import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectomeOrigin } from '../../../engine/contract/connectome.ts';
import { describeError, isFlyError } from '../../../engine/errors.ts';
import { isMissing } from './bundle-files.ts';
import { readOrigin } from './bundle-origin.ts';
import { readMeta } from './load-bundle.ts';

export type BundleSummary =
  | {
      readonly kind: 'bundle';
      /** Folder name under `connectomes`; what a show file says. */
      readonly id: string;
      readonly folder: string;
      readonly name: string;
      readonly origin: ConnectomeOrigin;
      readonly neurons: number;
      readonly edges: number;
      readonly retinaColumns: number;
      readonly credit: string;
    }
  | { readonly kind: 'unreadable'; readonly id: string; readonly folder: string; readonly reason: string };

export function connectomesFolder(home: string): string {
  return join(home, 'connectomes');
}

/** Every bundle under `$FLY_HOME/connectomes`, by folder name. Reads the JSON files only; arrays are not checked. */
export async function listBundles(home: string): Promise<BundleSummary[]> {
  const root = connectomesFolder(home);
  const entries = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const ids = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
  return Promise.all(ids.map((id) => summarise(id, join(root, id))));
}

async function summarise(id: string, folder: string): Promise<BundleSummary> {
  try {
    const meta = await readMeta(folder);
    const { name, origin, credit } = await readOrigin(folder, meta.dataset);
    const { neurons, edges, visual } = meta;
    return { kind: 'bundle', id, folder, name, origin, neurons, edges, retinaColumns: visual.count, credit };
  } catch (error) {
    if (!isFlyError(error)) throw error;
    return { kind: 'unreadable', id, folder, reason: describeError(error) };
  }
}
