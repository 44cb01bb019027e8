import { requireDisk } from './recording-room.ts';
import { namesOfBroken } from './rule.ts';
import type { BenchRule } from './rule.ts';
import { judgeSoak } from './soak-judge.ts';
import { watchLive } from './watched-live.ts';
import type { WatchOptions } from './watched-live.ts';

export type SoakOptions = Omit<WatchOptions, 'seconds' | 'flags'> & {
  /** Session time. */
  readonly minutes: number;
};

export type SoakReport = {
  readonly show: string;
  readonly minutes: number;
  readonly looks: number;
  readonly broken: readonly string[];
  readonly rows: readonly BenchRule[];
};

/**
 * Runs a show as a viewer would get it (paced, drawn, encoded, recorded) in its own process, looks at it every five
 * seconds, and judges what it saw (spec: session.md 26, PERF-03).
 * @throws ConfigError BENCH_DISK; DeviceError SOAK_START, SOAK_STOPPED. The child is gone then, too.
 */
export async function benchSoak({ minutes, ...options }: SoakOptions): Promise<SoakReport> {
  await requireDisk(options.folder, minutes);
  const run = await watchLive({ ...options, seconds: minutes * 60 });
  const rows = judgeSoak(run);
  return { show: options.show, minutes, looks: run.samples.length, broken: namesOfBroken(rows), rows };
}
