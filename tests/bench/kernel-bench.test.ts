import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createReferenceBrain } from '../../systems/kernel/reference.ts';
import { syntheticConnectome } from '../systems/kernel/test-graphs.ts';
import { measureBrian2 } from './brian2-peer.ts';
import { benchKernel } from './kernel.bench.ts';

const ROW_KEYS = [
  ...['kernel', 'flies', 'plasticity', 'rateHz', 'spikesPerSecond', 'realTimeFactor', 'ratioToReference', 'exact'],
  ...['cpuMsPerBrainSecond', 'p50Ms', 'p95Ms', 'p99Ms', 'maxMs'],
];

test('a bench row per kernel, number of flies and learning mode, each checked against the reference', async () => {
  const seen: string[] = [];
  const notes: string[] = [];
  const report = await benchKernel({
    connectome: syntheticConnectome(),
    ratesHz: [40],
    flies: [1, 2],
    brainMs: 100,
    onNote: (line) => notes.push(line),
    onRow: ({ kernel, flies, plasticity }) => seen.push(`${kernel} ${flies} ${plasticity}`),
  });
  expect(seen).toEqual([
    ...['reference 1 true', 'wasm 1 true', 'wasm 2 true'],
    ...['reference 1 false', 'wasm 1 false', 'wasm 2 false'],
  ]);
  expect(Object.keys(report)).toEqual(['machine', 'neurons', 'edges', 'rows']);
  expect(report).toMatchObject({ neurons: 4_096, edges: 40_960 });
  expect(notes.join('\n')).toMatch(
    /2 flies in 2 workers \d+\.\d\dx\n.*sweep -?\d+, propagation -?\d+, pair observation -?\d+/,
  );
  for (const row of report.rows) {
    expect(Object.keys(row)).toEqual(ROW_KEYS);
    expect(row.exact).toBe(true);
    expect(row.rateHz).toBeGreaterThan(20);
    expect(row.p50Ms).toBeLessThanOrEqual(row.maxMs);
  }
  expect(report.rows[1]!.spikesPerSecond).toBe(report.rows[0]!.spikesPerSecond);
});

test('a peer that cannot be imported is left out and named', async () => {
  const connectome = syntheticConnectome();
  const job = { connectome, parameters: {}, seed: 1, light: 0.1, settleTicks: 17, batches: 1, batchTicks: 17 };
  expect(await measureBrian2(job, 'no-such-python')).toEqual({
    kind: 'skipped',
    reason: 'no-such-python cannot import brian2',
  });
});

const python = process.env.FLY_BENCH_PYTHON ?? 'python3';
const hasBrian2 = spawnSync(python, ['-c', 'import brian2']).status === 0;

test.skipIf(!hasBrian2)(
  `Brian2 fires about as often on the same graph (${hasBrian2 ? python : 'no brian2'})`,
  async () => {
    const connectome = syntheticConnectome();
    const parameters = { noiseKicks: 9, baselineMax: 0.08 };
    const plan = { settleTicks: 340, batches: 60, batchTicks: 17 };
    const peer = await measureBrian2({ connectome, parameters, seed: 22_222, light: 0, ...plan }, python);
    if (peer.kind === 'skipped') throw new Error(peer.reason);
    expect(peer.batchMs.length).toBe(plan.batches);
    const brain = createReferenceBrain({ agentId: 'ours', seed: 22_222, connectome, parameters });
    brain.setLearning(false);
    await brain.advance(plan.settleTicks);
    const ours = await brain.advance(plan.batches * plan.batchTicks);
    expect(peer.spikes / ours).toBeGreaterThan(0.97);
    expect(peer.spikes / ours).toBeLessThan(1.03);
  },
  120_000,
);
