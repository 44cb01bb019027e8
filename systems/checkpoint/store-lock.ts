import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeviceError } from '../../engine/errors.ts';

/** Holds a store for this process. */
export type StoreLock = { release(): void };

type Holder = {
  readonly pid: number;
  /** From `/proc`: a later process may have the same number. */ readonly startedTicks: string;
};

/**
 * Takes the store at `root` for this process; a lock whose process is gone is taken over.
 * @throws DeviceError STORE_LOCKED naming the process that has it
 */
export function lockStore(root: string): StoreLock {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const file = join(root, 'lock');
  const own = join(root, `lock.${process.pid}`);
  const text = JSON.stringify({ pid: process.pid, startedTicks: startedTicks(process.pid) ?? '' } satisfies Holder);
  writeFileSync(own, text, { mode: 0o600 });
  try {
    if (!linked(own, file)) {
      const found = readText(file);
      const holder = found === null ? null : parseHolder(found);
      if (holder !== null && isAlive(holder)) throw locked(root, holder.pid);
      if (found !== null) takeAway(file, found, root);
      if (!linked(own, file)) throw locked(root, parseHolder(readText(file) ?? '')?.pid ?? null);
    }
  } finally {
    rmSync(own, { force: true });
  }
  return {
    release() {
      if (readText(file) === text) rmSync(file, { force: true });
    },
  };
}

/** Whether this process made the lock; exactly one of several that try at once does. */
function linked(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a process that is gone, unless somebody else has already replaced it. */
function takeAway(file: string, expected: string, root: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // another process was faster; the next link decides
  }
  const isStale = readText(aside) === expected;
  if (!isStale) linked(aside, file);
  rmSync(aside, { force: true });
  if (!isStale) throw locked(root, null);
}

function parseHolder(text: string): Holder | null {
  try {
    const { pid, startedTicks } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === 'number' && typeof startedTicks === 'string' ? { pid, startedTicks } : null;
  } catch {
    return null; // cut short by a crash: nobody holds it
  }
}

function isAlive({ pid, startedTicks: since }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const now = startedTicks(pid);
  return now === null || since === '' || now === since;
}

/** Field 22 of `/proc/<pid>/stat`: clock ticks from boot to the start of the process. Null where there is no `/proc`. */
function startedTicks(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  return stat === null ? null : (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null);
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function locked(root: string, pid: number | null): DeviceError {
  const who = pid === null ? 'another process' : `process ${pid}`;
  return new DeviceError(
    'STORE_LOCKED',
    `${root} is in use by ${who}. End that run first, or give this one its own folder with FLY_HOME.`,
  );
}
