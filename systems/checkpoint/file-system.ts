import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';

/**
 * The few things a checkpoint store asks of a disk, each one call, so that a test can make any of them fail or be the
 * last one a process made. Every method throws what the system call throws.
 */
export type FileSystem = {
  makeFolder(folder: string): void;
  /** Names of the files in it; empty when there is no such folder. */
  list(folder: string): string[];
  /** Null when there is no such file. */
  read(file: string): Uint8Array | null;
  /** Creates or replaces the file with these bytes; they are on the disk only after `syncFile`. */
  write(file: string, bytes: Uint8Array): void;
  syncFile(file: string): void;
  rename(from: string, to: string): void;
  /** Makes renames and removals in the folder last. */
  syncFolder(folder: string): void;
  remove(file: string): void;
  /** Unix time of the last write, ms. */
  modifiedMs(file: string): number;
};

export const diskFileSystem: FileSystem = {
  makeFolder: (folder) => void mkdirSync(folder, { recursive: true, mode: 0o700 }),
  list: (folder) =>
    existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => name)
      : [],
  read(file) {
    if (!existsSync(file)) return null;
    const { buffer, byteOffset, byteLength } = readFileSync(file);
    return new Uint8Array(buffer, byteOffset, byteLength); // a Buffer's `slice` would not copy
  },
  write(file, bytes) {
    const descriptor = openSync(file, 'w', 0o600);
    try {
      for (let at = 0; at < bytes.byteLength;) at += writeSync(descriptor, bytes, at);
    } finally {
      closeSync(descriptor);
    }
  },
  syncFile: sync,
  rename: renameSync,
  syncFolder: sync,
  remove: (file) => rmSync(file, { force: true }),
  modifiedMs: (file) => statSync(file).mtimeMs,
};

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
