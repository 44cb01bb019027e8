import { expect, test } from 'vitest';
import { formatKernelRows, requireExact } from '../../../bin/commands/bench-kernel.ts';
import type { KernelBenchRow } from '../../bench/kernel.bench.ts';

const ROW: KernelBenchRow = {
  kernel: 'wasm',
  flies: 1,
  plasticity: true,
  rateHz: 14.88,
  spikesPerSecond: 2_072_114,
  realTimeFactor: 3.1,
  ratioToReference: 4.11,
  exact: true,
  cpuMsPerBrainSecond: 320.4,
  p50Ms: 5.4,
  p95Ms: 6.2,
  p99Ms: 7.9,
  maxMs: 12.25,
};

test('every row stands under its heads: one width, numbers to the right, a thousand grouped', () => {
  const lines = formatKernelRows([ROW, { ...ROW, kernel: 'brian2', plasticity: false, exact: null }]);
  expect(lines[0]).toMatch(/^kernel +flies +learning +Hz +spikes\/s +x real time +x reference/);
  expect(lines[1]).toMatch(/^wasm +1 +on +14\.88 +2,072,114 +3\.10 +4\.11 +320 +5\.40 +6\.20 +7\.90 +12\.25 +yes$/);
  expect(lines[2]).toMatch(/^brian2 .* off .* -$/);
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
});

test('a compiled row that left the reference fails the bench by name; a peer is not held to it', () => {
  expect(() => requireExact([ROW, { ...ROW, kernel: 'brian2', exact: null }])).not.toThrow();
  expect(() => requireExact([ROW, { ...ROW, flies: 2, exact: false }])).toThrow(
    expect.objectContaining({ code: 'KERNEL_EXACT', message: expect.stringContaining('wasm x2 at 14.9 Hz') as string }),
  );
});
