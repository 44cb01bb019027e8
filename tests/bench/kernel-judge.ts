import type { KernelBenchRow } from './kernel.bench.ts';
import { atLeast } from './rule.ts';
import type { BenchRule } from './rule.ts';

/** PERF-07 (spec: session.md 26): the kernel alone, before anything else is added to it. */
const LEAST_FACTOR = 1.5;

/**
 * Every compiled row whose flies each have a core, at every rate and learning mode. The gate names six cores; a machine
 * with fewer is held to as many flies as it has.
 */
export function judgeKernel(rows: readonly KernelBenchRow[], cores: number): BenchRule[] {
  return rows
    .filter(({ flies, kernel }) => kernel === 'wasm' && flies <= cores)
    .map(({ flies, plasticity, rateHz, realTimeFactor }) => {
      const learning = plasticity ? 'learning' : 'learning off';
      const rule = `${flies} ${flies === 1 ? 'fly' : 'flies'} at ${rateHz.toFixed(1)} Hz, ${learning}: real-time factor`;
      return atLeast(rule, realTimeFactor, 'x', LEAST_FACTOR);
    });
}
