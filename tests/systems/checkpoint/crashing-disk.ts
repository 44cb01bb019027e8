import { dirname, join } from 'node:path';
import type { FileSystem } from '../../../systems/checkpoint/file-system.ts';
import type { StoreFolders } from '../../../systems/checkpoint/store-folders.ts';

/** Where a store lies on such a disk. */
export const FOLDERS: StoreFolders = {
  root: '/show',
  hot: '/memory',
  durable: '/show/durable',
  archive: '/show/archive',
  isHotInMemory: true,
};

export type DiskCall = 'write' | 'syncFile' | 'rename' | 'syncFolder' | 'remove';

/** The process died here; nothing after it ran. */
export class Crash extends Error {
  readonly call: DiskCall;
  readonly path: string;
  constructor(call: DiskCall, path: string) {
    super(`${call} ${path}`);
    this.call = call;
    this.path = path;
  }
}

/**
 * A disk in memory that forgets what a real one may forget: bytes of a file that was never synced may be cut anywhere,
 * and names changed since their folder was last synced may or may not have changed, in the order they were made.
 */
export type CrashingDisk = FileSystem & {
  /** Dies at the n-th changing call from here on, 0 the next; half of a write is done by then. */
  crashAfter(calls: number): void;
  /** Makes every matching call throw this system error until further notice; null lets it work again. */
  failWith(code: string | null, when?: (call: DiskCall, path: string) => boolean): void;
  /** What the machine finds when it starts again. `chance` gives numbers in [0, 1). */
  restart(chance: () => number): void;
  /** The power went: a folder in memory is empty afterwards. */
  forget(folder: string): void;
  /** Changing calls so far. */
  readonly calls: number;
  /** Spoils one byte of a file that is there. */
  flip(path: string, at: number): void;
  truncate(path: string, byteLength: number): void;
};

type Inode = { bytes: Uint8Array; isSynced: boolean };
type Change = { readonly name: string; readonly inode: Inode | null };

export function createCrashingDisk(): CrashingDisk {
  const folders = new Map<string, { lasting: Map<string, Inode>; pending: Change[] }>();
  let crashAt = Infinity;
  let calls = 0;
  let failure: { code: string; when: (call: DiskCall, path: string) => boolean } | null = null;

  const folderOf = (path: string): { lasting: Map<string, Inode>; pending: Change[] } => {
    const name = dirname(path);
    const found = folders.get(name) ?? { lasting: new Map(), pending: [] };
    folders.set(name, found);
    return found;
  };
  const present = (path: string): Map<string, Inode> => {
    const { lasting, pending } = folderOf(path);
    const now = new Map(lasting);
    for (const { name, inode } of pending) {
      if (inode === null) now.delete(name);
      else now.set(name, inode);
    }
    return now;
  };
  const nameOf = (path: string): string => path.slice(dirname(path).length + 1);
  const inodeOf = (path: string): Inode => {
    const inode = present(path).get(nameOf(path));
    if (inode === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    return inode;
  };
  const change = (path: string, inode: Inode | null): void =>
    void folderOf(path).pending.push({ name: nameOf(path), inode });

  function step(call: DiskCall, path: string, halfDone: () => void = () => undefined): void {
    if (failure?.when(call, path) === true) {
      throw Object.assign(new Error(`${failure.code}: ${call} ${nameOf(path)}`), { code: failure.code });
    }
    if (calls >= crashAt) {
      halfDone();
      throw new Crash(call, path);
    }
    calls += 1;
  }

  return {
    get calls() {
      return calls;
    },
    crashAfter: (more) => void (crashAt = calls + more),
    failWith: (code, when = () => true) => void (failure = code === null ? null : { code, when }),
    restart(chance) {
      crashAt = Infinity;
      for (const folder of folders.values()) {
        const kept = folder.pending.slice(0, Math.floor(chance() * (folder.pending.length + 1)));
        for (const { name, inode } of kept) {
          if (inode === null) folder.lasting.delete(name);
          else folder.lasting.set(name, inode);
        }
        folder.pending = [];
        for (const inode of folder.lasting.values()) {
          if (!inode.isSynced) inode.bytes = inode.bytes.slice(0, Math.floor(chance() * (inode.bytes.length + 1)));
          inode.isSynced = true;
        }
      }
    },
    forget: (folder) => void folders.delete(folder),
    flip(path, at) {
      const { bytes } = inodeOf(path);
      bytes[at] = bytes[at]! ^ 0x55;
    },
    truncate(path, byteLength) {
      const inode = inodeOf(path);
      inode.bytes = inode.bytes.slice(0, byteLength);
    },
    makeFolder: (folder) => void folderOf(join(folder, 'x')),
    list: (folder) => [...present(join(folder, 'x')).keys()],
    read: (file) => present(file).get(nameOf(file))?.bytes.slice() ?? null,
    write(file, bytes) {
      const half = bytes.slice(0, bytes.length >> 1);
      step('write', file, () => change(file, { bytes: half, isSynced: false }));
      change(file, { bytes: bytes.slice(), isSynced: false });
    },
    syncFile(file) {
      step('syncFile', file);
      inodeOf(file).isSynced = true;
    },
    rename(from, to) {
      step('rename', to);
      const inode = inodeOf(from);
      change(to, inode);
      change(from, null);
    },
    syncFolder(folder) {
      step('syncFolder', folder);
      const path = join(folder, 'x');
      const found = folderOf(path);
      found.lasting = present(path);
      found.pending = [];
    },
    remove(file) {
      step('remove', file);
      if (present(file).has(nameOf(file))) change(file, null);
    },
    modifiedMs: () => 1_700_000_000_000,
  };
}
