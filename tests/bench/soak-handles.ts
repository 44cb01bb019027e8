import { readFileSync, readdirSync } from 'node:fs';

/** Threads and open files of a process and all its descendants: the pools that must not grow. */
export type Handles = { readonly threads: number; readonly openFiles: number };

/** Linux only; zeros elsewhere and for a process that has ended. */
export function countHandles(rootPid: number): Handles {
  const parents = new Map(list('/proc').flatMap((pid) => readParent(pid)));
  let threads = 0;
  let openFiles = 0;
  for (const pid of parents.keys()) {
    if (!descendsFrom(pid, rootPid, parents)) continue;
    threads += list(`/proc/${pid}/task`).length;
    openFiles += list(`/proc/${pid}/fd`).length;
  }
  return { threads, openFiles };
}

function descendsFrom(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 0; at = parents.get(at)) {
    if (at === root) return true;
  }
  return false;
}

function readParent(pid: number): [number, number][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return [[pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]];
  } catch {
    return []; // it ended while we looked
  }
}

function list(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // it ended while we looked, or there is no /proc
  }
}
