import { readFileSync, readdirSync } from 'node:fs';

/** What a process and all its descendants use. Linux only; elsewhere only this process is counted. */
export type TreeUsage = { readonly cpuMs: number; readonly rssMb: number };

const TICKS_PER_SECOND = 100;
const PAGE_MB = 4_096 / 1_048_576;

export function readProcessTree(rootPid: number): TreeUsage {
  const processes = new Map<number, { parent: number; cpuMs: number; rssMb: number }>();
  for (const entry of listProc()) {
    const stat = readStat(entry);
    if (stat !== null) processes.set(entry, stat);
  }
  if (!processes.has(rootPid)) return ownUsage();
  let cpuMs = 0;
  let rssMb = 0;
  for (const [pid, usage] of processes) {
    if (!descendsFrom(pid, rootPid, processes)) continue;
    cpuMs += usage.cpuMs;
    rssMb += usage.rssMb;
  }
  return { cpuMs, rssMb };
}

function listProc(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // no /proc here: ownUsage answers
  }
}

function readStat(pid: number): { parent: number; cpuMs: number; rssMb: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return {
      parent: Number(fields[1]),
      cpuMs: (ticks * 1_000) / TICKS_PER_SECOND,
      rssMb: Number(fields[21]) * PAGE_MB,
    };
  } catch {
    return null; // it ended while we looked
  }
}

function descendsFrom(pid: number, root: number, processes: ReadonlyMap<number, { parent: number }>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 0; at = processes.get(at)?.parent) {
    if (at === root) return true;
  }
  return false;
}

function ownUsage(): TreeUsage {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return { cpuMs: (userCPUTime + systemCPUTime) / 1_000, rssMb: process.memoryUsage().rss / 1_048_576 };
}
