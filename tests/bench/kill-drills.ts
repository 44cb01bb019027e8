import { join } from 'node:path';
import { listCheckpoints } from '../../systems/checkpoint/checkpoint-store.ts';
import type { StoredCheckpoint } from '../../systems/checkpoint/checkpoint-store.ts';
import type { FileSystem } from '../../systems/checkpoint/file-system.ts';
import type { StoreFolders } from '../../systems/checkpoint/store-folders.ts';

/** What a kill leaves behind: everything, no hot tier (the power went), a damaged newest file, or the archives alone. */
export type Drill = 'hot' | 'durable' | 'corrupted' | 'archive';

/** In this order, again and again: six kills are the least that PERF-04 asks for (spec: session.md 26). */
export const DRILLS: readonly Drill[] = ['hot', 'durable', 'corrupted', 'hot', 'durable', 'archive'];
const LEAST: Readonly<Record<Drill, number>> = { hot: 2, durable: 2, corrupted: 1, archive: 1 };

/**
 * Leaves a store as the drill wants it found.
 * @returns the state that must be continued from; null, and nothing harmed, when the store has none for this drill
 */
export function prepareDrill(files: FileSystem, folders: StoreFolders, drill: Drill): StoredCheckpoint | null {
  const stored = listCheckpoints(files, folders);
  if (drill === 'corrupted') {
    const [newest, next] = stored;
    if (newest === undefined || next === undefined) return null;
    damage(files, newest.path);
    return next;
  }
  const expected = stored.find(({ tier }) => tier === drill);
  if (expected === undefined) return null;
  if (drill !== 'hot') empty(files, folders.hot);
  if (drill === 'archive') empty(files, folders.durable);
  return expected;
}

/** As the line "resumed from ..." names it. */
export function nameOf({ row, tier }: StoredCheckpoint): string {
  return `${tier} checkpoint ${row.checkpointId}`;
}

/**
 * What PERF-04 asks for and these drills were too few for; null when nothing is missing.
 * @param hasArchives whether the show makes any: a match keeps none (spec: session.md 15)
 */
export function missingDrills(done: readonly Drill[], hasArchives: boolean): string | null {
  const missing = Object.entries(LEAST).flatMap(([drill, least]) => {
    if (drill === 'archive' && !hasArchives) return [];
    const count = done.filter((name) => name === drill).length;
    return count < least ? [`${drill} ${count} of ${least}`] : [];
  });
  return missing.length === 0 ? null : missing.join(', ');
}

function empty(files: FileSystem, folder: string): void {
  for (const name of files.list(folder)) files.remove(join(folder, name));
}

/** One bit in the middle: length and header stay right. */
function damage(files: FileSystem, path: string): void {
  const bytes = Uint8Array.from(files.read(path) ?? []);
  const middle = bytes.length >> 1;
  bytes[middle] = bytes[middle]! ^ 1;
  files.write(path, bytes);
}
