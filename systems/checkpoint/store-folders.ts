import { lstatSync, mkdirSync, realpathSync, statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../engine/identity/digest.ts';

/** Where the three tiers of one show lie. */
export type StoreFolders = {
  /** `$FLY_HOME/checkpoints/<show id>` */
  readonly root: string;
  /** Saves of every few seconds; lost with the power when it lies in memory. */
  readonly hot: string;
  readonly durable: string;
  /** One file per rung ever reached; never rotated. */
  readonly archive: string;
  /** `hot` lies in memory. */
  readonly isHotInMemory: boolean;
};

const MEMORY = '/dev/shm';
/** Less free memory than this and the hot tier goes to the disk: three generations of four flies are about 40 MiB. */
const MIN_FREE_BYTES = 128 * 1024 * 1024;

/**
 * Makes the show's folder when there is none.
 * @param checkpoints `$FLY_HOME/checkpoints`
 */
export function storeFolders(checkpoints: string, showId: string, memory: string = MEMORY): StoreFolders {
  const root = join(checkpoints, showId);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const inMemory = privateMemoryFolder(root, memory);
  return {
    root,
    hot: inMemory ?? join(root, 'hot'),
    durable: join(root, 'durable'),
    archive: join(root, 'archive'),
    isHotInMemory: inMemory !== null,
  };
}

/**
 * One folder per store, owned by this user alone; null where there is no such memory. It belongs to this very folder on
 * the disk: whoever deletes that and begins anew finds nothing of the old one.
 */
function privateMemoryFolder(root: string, memory: string): string | null {
  const { dev, ino, birthtimeMs } = statSync(root);
  const place = sha256Hex(`${realpathSync(root)} ${dev} ${ino} ${birthtimeMs}`);
  const folder = join(memory, `flybrain-live-${place.slice(0, 16)}`);
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < MIN_FREE_BYTES) return null;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    const isOurs = uid === process.getuid?.() && (mode & 0o170077) === 0o040000;
    return isOurs ? folder : null;
  } catch {
    return null; // no such memory here: the disk serves as well, only slower
  }
}
