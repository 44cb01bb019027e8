import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { sha256Bytes, sha256Hex } from '../../../../../engine/identity/digest.ts';
import { isMissing } from '../../bundle-files.ts';
import type { MergedEdges } from './merge-connections.ts';

/** The longest stage of an import, kept beside its output so that an interrupted import need not repeat it. */
export type EdgeCache = {
  /** Null when nothing of these sources is kept, or what is kept is damaged. */
  load(): Promise<MergedEdges | null>;
  /** Returns what it was given. */
  save(edges: MergedEdges): Promise<MergedEdges>;
  /** Once the bundle is in place. */
  clear(): Promise<void>;
};

/** Changes whenever the rules of merging or this file's layout do. */
const CACHE_FORMAT = 'fafb-edges-1';
const DIGEST_BYTES = 32;

/**
 * @param out the bundle's folder; the cache is a hidden folder beside it
 * @param sources sha256 of everything the edges were made from
 */
export function createEdgeCache(out: string, sources: readonly string[]): EdgeCache {
  const folder = join(dirname(out), `.${basename(out)}-import`);
  const key = sha256Hex([CACHE_FORMAT, ...sources].join('\n'));
  const path = join(folder, `edges-${key}.bin`);
  return {
    async load() {
      const bytes = await readFile(path).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (bytes === null) return null;
      const body = bytes.subarray(DIGEST_BYTES);
      if (!sha256Bytes(body).equals(bytes.subarray(0, DIGEST_BYTES))) return null;
      return deserialize(body) as MergedEdges;
    },
    async save(edges) {
      await mkdir(folder, { recursive: true });
      for (const stale of await readdir(folder)) await rm(join(folder, stale), { force: true });
      const body = serialize(edges);
      const file = await open(`${path}.part`, 'w');
      try {
        await file.writeFile(sha256Bytes(body));
        await file.writeFile(body);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.part`, path);
      return edges;
    },
    async clear() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
