import { mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DataError } from '../../../engine/errors.ts';
import { ARRAY_FILES, CIRCUIT_ROLES_FILE, META_FILE, ORIGIN_FILE, REPORT_FILE } from './bundle-files.ts';
import type { ArrayKey } from './bundle-files.ts';
import { mergeRoles } from './bundle-meta.ts';
import type { ArtifactRecord, BundleMeta, CircuitRoles } from './bundle-meta.ts';
import type { BundleOrigin } from './bundle-origin.ts';
import { sha256 } from './fingerprint.ts';
import { gzipStored } from './stored-gzip.ts';
import { validateGraph, validateViewer } from './validate-graph.ts';
import type { GraphArrays, ViewerArrays } from './validate-graph.ts';

export type BundleParts = {
  /** Without `artifacts`; key order as in brain.md 1.2. */
  readonly meta: Omit<BundleMeta, 'artifacts'>;
  readonly circuitRoles: CircuitRoles | null;
  readonly graph: GraphArrays;
  readonly viewer: ViewerArrays;
  readonly origin: BundleOrigin;
  /** Any JSON about the graph that should travel with it. */
  readonly report: unknown;
  /** Further text files of an importer by file name: source ids, annotations, profiles. No loader reads them. */
  readonly tables?: Readonly<Record<string, string>>;
};

/**
 * Writes a whole bundle: beside its place, synced, then renamed. A crash leaves either the old bundle, or the new one,
 * or nothing under `folder`; never a mixture.
 * @throws DataError GRAPH_* when the parts are invalid; nothing has been written then
 */
export async function writeBundle(folder: string, parts: BundleParts): Promise<void> {
  const where = basename(folder);
  const merged = mergeRoles(parts.meta, parts.circuitRoles);
  if (parts.circuitRoles !== null && parts.circuitRoles.neurons !== parts.meta.neurons) {
    const { neurons } = parts.circuitRoles;
    throw new DataError(
      'BUNDLE_META',
      `${where}: circuit roles are of ${neurons} neurons, the graph has ${parts.meta.neurons}. Rebuild them.`,
    );
  }
  validateGraph(merged, parts.graph, where);
  validateViewer(merged, parts.viewer, where);

  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  const beside = await mkdtemp(join(parent, `.${where}-`));
  try {
    await writeFiles(beside, parts);
    await syncPath(beside);
    await replaceFolder(beside, folder);
    await syncPath(parent);
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    throw error;
  }
}

async function writeFiles(
  beside: string,
  { meta, circuitRoles, graph, viewer, origin, report, tables = {} }: BundleParts,
): Promise<void> {
  const arrays: Readonly<Record<ArrayKey, ArrayBufferView>> = { ...graph, ...viewer };
  const records = await Promise.all(
    ARRAY_FILES.map(async ({ key, file }): Promise<[string, ArtifactRecord]> => {
      const array = arrays[key];
      const compressed = gzipStored(bytesOf(array));
      await writeSynced(join(beside, file), compressed);
      return [file, { bytes: array.byteLength, compressedBytes: compressed.length, sha256: sha256(compressed) }];
    }),
  );
  const artifacts = Object.fromEntries(records);
  await writeSynced(join(beside, META_FILE), JSON.stringify({ ...meta, artifacts }));
  if (circuitRoles !== null) await writeSynced(join(beside, CIRCUIT_ROLES_FILE), JSON.stringify(circuitRoles));
  await writeSynced(join(beside, ORIGIN_FILE), `${JSON.stringify(origin, null, 2)}\n`);
  await writeSynced(join(beside, REPORT_FILE), `${JSON.stringify(report, null, 2)}\n`);
  for (const [file, text] of Object.entries(tables)) await writeSynced(join(beside, file), text);
}

/** A folder cannot be renamed over a full one, so the old bundle steps aside first and is removed last. */
async function replaceFolder(beside: string, folder: string): Promise<void> {
  const aside = `${beside}-old`;
  const hadOne = await readdir(folder).then(
    () => true,
    () => false,
  );
  if (hadOne) await rename(folder, aside);
  await rename(beside, folder);
  if (hadOne) await rm(aside, { recursive: true, force: true });
}

async function writeSynced(path: string, data: string | Uint8Array): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
