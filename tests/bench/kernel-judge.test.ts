import { expect, test } from 'vitest';
import { judgeKernel } from './kernel-judge.ts';
import type { KernelBenchRow } from './kernel.bench.ts';
import { namesOfBroken } from './rule.ts';

function row(changes: Partial<KernelBenchRow>): KernelBenchRow {
  return {
    kernel: 'wasm',
    flies: 1,
    plasticity: true,
    rateHz: 14.79,
    spikesPerSecond: 2_059_523,
    realTimeFactor: 1.5,
    ratioToReference: 4.11,
    exact: true,
    cpuMsPerBrainSecond: 254,
    p50Ms: 4.25,
    p95Ms: 4.96,
    p99Ms: 5.07,
    maxMs: 5.14,
    ...changes,
  };
}

test('PERF-07 the compiled kernel runs at one and a half times real time for as many flies as there are cores', () => {
  expect(namesOfBroken(judgeKernel([row({}), row({ flies: 2, realTimeFactor: 1.6 })], 2))).toEqual([]);
  expect(namesOfBroken(judgeKernel([row({ realTimeFactor: 1.49 })], 2))).toEqual([
    '1 fly at 14.8 Hz, learning: real-time factor',
  ]);
  expect(namesOfBroken(judgeKernel([row({ flies: 2, plasticity: false, realTimeFactor: 1.4 })], 2))).toEqual([
    '2 flies at 14.8 Hz, learning off: real-time factor',
  ]);
});

test('the reference, a peer, and more flies than cores are compared with, not judged', () => {
  const slow = { realTimeFactor: 0.9 };
  const others = [
    row({ kernel: 'reference', ...slow }),
    row({ kernel: 'brian2', ...slow }),
    row({ flies: 4, ...slow }),
  ];
  expect(judgeKernel(others, 2)).toEqual([]);
  expect(namesOfBroken(judgeKernel(others, 4))).toEqual(['4 flies at 14.8 Hz, learning: real-time factor']);
});
