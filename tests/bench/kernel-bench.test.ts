import { expect, test } from 'vitest';
import { syntheticConnectome } from '../systems/kernel/test-graphs.ts';
import { benchKernel } from './kernel.bench.ts';

test('a bench row per kernel, number of flies and learning mode, each checked against the reference', async () => {
  const seen: string[] = [];
  const report = await benchKernel({
    connectome: syntheticConnectome(),
    ratesHz: [40],
    flies: [1, 2],
    brainMs: 100,
    onRow: ({ kernel, flies, plasticity }) => seen.push(`${kernel} ${flies} ${plasticity}`),
  });
  expect(seen).toEqual([
    ...['reference 1 true', 'wasm 1 true', 'wasm 2 true'],
    ...['reference 1 false', 'wasm 1 false', 'wasm 2 false'],
  ]);
  expect(report).toMatchObject({ neurons: 4_096, edges: 40_960 });
  for (const row of report.rows) {
    expect(row.exact).toBe(true);
    expect(row.rateHz).toBeGreaterThan(20);
    expect(row.p50Ms).toBeLessThanOrEqual(row.maxMs);
  }
  expect(report.rows[1]!.spikesPerSecond).toBe(report.rows[0]!.spikesPerSecond);
});
