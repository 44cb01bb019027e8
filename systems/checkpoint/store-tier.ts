import { join } from 'node:path';
import type { FileSystem } from './file-system.ts';
import { EMPTY_MANIFEST, formatManifest, parseManifest } from './store-manifest.ts';
import type { StoreManifest, StoredGeneration } from './store-manifest.ts';

// One tier is one folder: FLYSESS1 files and `manifest.json`, which alone says which of them count.

const MANIFEST = 'manifest.json';
/** Everything a tier ever creates; nothing else in the folder is touched. */
const OURS = /\.flysess(\.tmp)?$|^manifest\.json\.tmp$/;

/** Absent is empty. @throws DataError STORE_MANIFEST when it is there and damaged */
export function readTier(files: FileSystem, folder: string): StoreManifest {
  const where = join(folder, MANIFEST);
  const bytes = files.read(where);
  return bytes === null ? EMPTY_MANIFEST : parseManifest(bytes, where);
}

/**
 * Adds one generation durably: the file, then the list that names it. The rename of the list is the commit point:
 * a crash before it leaves the old list and an unreferenced file, a crash after it the new list (spec: session.md 17.4).
 * @param retain what of the new list stays listed, oldest first; files no longer named are removed afterwards
 * @returns names of files that could not be removed
 */
export function commitGeneration(
  files: FileSystem,
  folder: string,
  row: StoredGeneration,
  bytes: Uint8Array,
  retain: (rows: readonly StoredGeneration[]) => readonly StoredGeneration[],
): string[] {
  files.makeFolder(folder);
  const { generations } = readTier(files, folder);
  replaceFile(files, folder, row.file, bytes);
  const others = generations.filter(({ checkpointId }) => checkpointId !== row.checkpointId);
  const kept = retain([...others, row]);
  replaceFile(files, folder, MANIFEST, formatManifest({ highWater: row.checkpointId, generations: kept }));
  return removeUnlisted(files, folder, kept);
}

/** The store's answer about a save whose reply was lost; never a second save. */
export function lookUpGeneration(files: FileSystem, folder: string, checkpointId: string): StoredGeneration | null {
  return readTier(files, folder).generations.find((row) => row.checkpointId === checkpointId) ?? null;
}

/** Empties a tier: the list goes first, so that nothing it named is ever missing. */
export function clearTier(files: FileSystem, folder: string): void {
  files.remove(join(folder, MANIFEST));
  removeUnlisted(files, folder, []);
}

/** Writes beside, syncs, renames over, syncs the folder. */
export function replaceFile(files: FileSystem, folder: string, name: string, bytes: Uint8Array): void {
  const file = join(folder, name);
  const temporary = `${file}.tmp`;
  try {
    files.write(temporary, bytes);
    files.syncFile(temporary);
    files.rename(temporary, file);
  } catch (error) {
    files.remove(temporary);
    throw error;
  }
  files.syncFolder(folder);
}

function removeUnlisted(files: FileSystem, folder: string, listed: readonly StoredGeneration[]): string[] {
  const keep = new Set(listed.map(({ file }) => file));
  const failed: string[] = [];
  for (const name of files.list(folder)) {
    if (keep.has(name) || !OURS.test(name)) continue;
    try {
      files.remove(join(folder, name));
    } catch {
      failed.push(name);
    }
  }
  return failed;
}
