import { join } from 'node:path';
import { DataError } from '../../engine/errors.ts';
import type { CaptureKind } from '../../engine/group-capture.ts';
import { sha256Hex } from '../../engine/identity/digest.ts';
import type { FileSystem } from './file-system.ts';
import type { StoreFolders } from './store-folders.ts';
import type { StoredGeneration } from './store-manifest.ts';
import { clearTier, commitGeneration, lookUpGeneration, readTier } from './store-tier.ts';

export type TierName = 'hot' | 'durable' | 'archive';

/** One file that may be restored, and where it was found. */
export type StoredCheckpoint = {
  readonly tier: TierName;
  readonly path: string;
  readonly row: StoredGeneration;
};

/** What is to be written; `checkpointId` carries the generation. */
export type SaveRequest = {
  readonly kind: CaptureKind;
  /** Rung whose archive this is, null for none. */
  readonly archiveRank: number | null;
  readonly bytes: Uint8Array;
  /** `file` is chosen here. */
  readonly row: Omit<StoredGeneration, 'file'>;
};

/** Kept in each rotating tier (spec: session.md 17.4). */
const KEPT_GENERATIONS = 3;
const TIERS: readonly TierName[] = ['hot', 'durable', 'archive'];
const GENERATION = /(?:^|\.)ckpt-(0|[1-9][0-9]{0,15})\.flysess/;
const MILESTONE = /^milestone-(\d+)\.ckpt-/;

export function checkpointIdOf(generation: number): string {
  return `ckpt-${generation}`;
}

/**
 * Highest generation any tier has seen, 0 in an empty store: listed ones and files that a crash left behind. Numbers
 * start above it and are never used again.
 * @throws DataError STORE_MANIFEST when a tier's list is damaged
 */
export function highestGeneration(files: FileSystem, folders: StoreFolders): number {
  let highest = 0;
  for (const tier of TIERS) {
    const listed = readTier(files, folders[tier]).generations.map(({ file }) => file);
    for (const name of [...listed, ...files.list(folders[tier])]) {
      highest = Math.max(highest, Number(GENERATION.exec(name)?.[1] ?? 0));
    }
  }
  return highest;
}

/**
 * Commits one checkpoint. A durable one goes to the disk first, then beside the hot ones, so that the newest state is
 * always the first candidate; a new rung's is archived too.
 * @returns names of old files that could not be removed
 * @throws what the disk threw; `lookUp` then tells whether the commit point was passed
 */
export function saveCheckpoint(files: FileSystem, folders: StoreFolders, request: SaveRequest): string[] {
  const { archiveRank, bytes, kind } = request;
  const row = { ...request.row, file: `${request.row.checkpointId}.flysess` };
  const left: string[] = [];
  if (kind === 'durable') left.push(...commitGeneration(files, folders.durable, row, bytes, newest));
  if (archiveRank !== null) {
    const archived = { ...row, file: `milestone-${archiveRank}.${row.file}` };
    left.push(...commitGeneration(files, folders.archive, archived, bytes, newestOfEachRank));
  }
  left.push(...commitGeneration(files, folders.hot, row, bytes, newest));
  return left;
}

/** What became of a save whose answer was lost. @throws DataError STORE_MANIFEST */
export function lookUp(files: FileSystem, folders: StoreFolders, kind: CaptureKind, checkpointId: string): boolean {
  return lookUpGeneration(files, folders[kind], checkpointId) !== null;
}

/** After a durable save of everything the hot tier would only hold older states in memory nobody frees. */
export function clearHot(files: FileSystem, folders: StoreFolders): void {
  clearTier(files, folders.hot);
}

/**
 * Every file that may be restored, best first: hot and durable newest first, then archives by descending rung.
 * @throws DataError STORE_MANIFEST when a tier's list is damaged
 */
export function listCheckpoints(files: FileSystem, folders: StoreFolders): StoredCheckpoint[] {
  return TIERS.flatMap((tier) => {
    const rows = [...readTier(files, folders[tier]).generations].reverse();
    if (tier === 'archive') rows.sort((a, b) => rankOf(b) - rankOf(a));
    return rows.map((row) => ({ tier, path: join(folders[tier], row.file), row }));
  });
}

/**
 * Before a show begins anew: its newest sound state goes to the archive, where nothing rotates it away.
 * @returns its id; null when there is none, or when the archive has it already
 */
export function keepNewest(files: FileSystem, folders: StoreFolders): string | null {
  for (const stored of listCheckpoints(files, folders)) {
    if (stored.tier === 'archive') return null;
    let bytes: Uint8Array;
    try {
      bytes = readCheckpoint(files, stored);
    } catch {
      continue; // damaged: the one before it
    }
    if (lookUpGeneration(files, folders.archive, stored.row.checkpointId) !== null) return null;
    const row = { ...stored.row, file: `kept.${stored.row.checkpointId}.flysess` };
    commitGeneration(files, folders.archive, row, bytes, newestOfEachRank);
    return row.checkpointId;
  }
  return null;
}

/** @throws DataError STORE_FILE when the file is gone or is not the one listed */
export function readCheckpoint(files: FileSystem, { path, row }: StoredCheckpoint): Uint8Array {
  const bytes = files.read(path);
  if (bytes === null) throw damaged(path, 'it is listed but not there');
  if (String(bytes.byteLength) !== row.byteLength) {
    throw damaged(path, `it has ${bytes.byteLength} bytes, the store's list says ${row.byteLength}`);
  }
  const digest = sha256Hex(bytes);
  if (digest !== row.envelopeDigest) {
    throw damaged(
      path,
      `its SHA-256 is ${digest.slice(0, 12)}, the store's list says ${row.envelopeDigest.slice(0, 12)}`,
    );
  }
  return bytes;
}

function newest(rows: readonly StoredGeneration[]): readonly StoredGeneration[] {
  return rows.slice(-KEPT_GENERATIONS);
}

function newestOfEachRank(rows: readonly StoredGeneration[]): readonly StoredGeneration[] {
  const lastOf = new Map(rows.map((row) => [rankOf(row), row]));
  return rows.filter((row) => !MILESTONE.test(row.file) || lastOf.get(rankOf(row)) === row);
}

/** Rung of an archive; states kept for another reason come after all of them. */
function rankOf({ file }: StoredGeneration): number {
  return Number(MILESTONE.exec(file)?.[1] ?? -1);
}

function damaged(path: string, what: string): DataError {
  return new DataError('STORE_FILE', `${path}: ${what}. Nothing was restored from it; the next candidate is tried.`);
}
