import type { Clock } from '../../engine/clock.ts';
import { readProcessTree } from './process-tree.ts';

/** Memory and processor use of the whole process tree, sampled twice a second. */
export type ResourceMeter = {
  readonly rssMb: number;
  readonly peakRssMb: number;
  /** CPU seconds per second over the last two seconds; null until then. */
  readonly cores: number | null;
  /** Since the meter was made. Time of children that already ended is not in it. */
  readonly meanCores: number;
  /** Counts `meanCores` from now on (start-up left out). */
  restart(): void;
  close(): void;
};

const SAMPLE_MS = 500;
const WINDOW = 4;

export function createResourceMeter(clock: Clock): ResourceMeter {
  const samples: { atMs: number; cpuMs: number }[] = [];
  let usage = readProcessTree(process.pid);
  let peakRssMb = usage.rssMb;
  let first = { atMs: clock.nowMs(), cpuMs: usage.cpuMs };
  const sample = (): void => {
    usage = readProcessTree(process.pid);
    peakRssMb = Math.max(peakRssMb, usage.rssMb);
    samples.push({ atMs: clock.nowMs(), cpuMs: usage.cpuMs });
    if (samples.length > WINDOW + 1) samples.shift();
  };
  const timer = setInterval(sample, SAMPLE_MS);
  timer.unref();
  return {
    get rssMb() {
      return usage.rssMb;
    },
    get peakRssMb() {
      return peakRssMb;
    },
    get cores() {
      const oldest = samples[0];
      const newest = samples.at(-1);
      if (samples.length <= WINDOW || oldest === undefined || newest === undefined) return null;
      return (newest.cpuMs - oldest.cpuMs) / (newest.atMs - oldest.atMs);
    },
    get meanCores() {
      sample();
      return (usage.cpuMs - first.cpuMs) / Math.max(1, clock.nowMs() - first.atMs);
    },
    restart() {
      sample();
      first = { atMs: clock.nowMs(), cpuMs: usage.cpuMs };
    },
    close: () => clearInterval(timer),
  };
}
