import type { GroupCapture } from '../../engine/group-capture.ts';
import { listCheckpoints, readCheckpoint } from './checkpoint-store.ts';
import { decodeGroup } from './envelope-group.ts';
import type { GroupIdentity } from './envelope-group.ts';
import type { FileSystem } from './file-system.ts';
import type { StoreFolders } from './store-folders.ts';

/** One state the session could continue from. */
export type Candidate = {
  /** As an operator reads it, e.g. `hot checkpoint ckpt-41`. */
  readonly name: string;
  /** Unix time it was written, ms; null in memory. */
  readonly savedAtUnixMs: number | null;
  /** Reads and checks all of it. @throws DataError saying why it cannot be used here */
  load(): GroupCapture;
};

/**
 * What the store offers, best first (spec: session.md 17.4); nothing is read before `load`.
 * @throws DataError STORE_MANIFEST
 */
export function storedCandidates(files: FileSystem, folders: StoreFolders, identity: GroupIdentity): Candidate[] {
  return listCheckpoints(files, folders).map((stored) => ({
    name: `${stored.tier} checkpoint ${stored.row.checkpointId}`,
    savedAtUnixMs: modifiedMs(files, stored.path),
    load: () => decodeGroup(readCheckpoint(files, stored), identity, stored.row),
  }));
}

function modifiedMs(files: FileSystem, path: string): number | null {
  try {
    return files.modifiedMs(path);
  } catch {
    return null; // listed but gone: `load` says so
  }
}
