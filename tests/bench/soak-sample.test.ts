import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { formatMetrics } from '../../broadcast/control/metrics.ts';
import { sampleReport } from '../broadcast/control/fake-session.ts';
import { holdChild } from './held-child.ts';
import { countHandles } from './soak-handles.ts';
import { readSoakSample } from './soak-sample.ts';

test('a look holds what the status says, how many series the metrics have, and the handles', () => {
  const report = sampleReport();
  const status = { ...report, health: { state: 'running' as const, alive: true, participants: [], reason: '' } };
  const sample = readSoakSample(5_000, status, formatMetrics(report), { threads: 40, openFiles: 90 });
  expect(sample).toMatchObject({
    atMs: 5_000,
    runMs: 301_234_000,
    rssMb: 812,
    stageState: 'drawing',
    framesDrawn: 232_380,
    framesMissed: 12,
    avOffsetMs: -4.2,
    encoderQueue: 3,
    checkpointAgeSeconds: 3.2,
    threads: 40,
    openFiles: 90,
  });
  expect(sample.metricSeries).toBe(formatMetrics(report).match(/^fly_/gm)!.length);
  expect(sample.troubledOutputs).toEqual(
    report.outputs.filter(({ state }) => state !== 'active').map(({ name, state }) => `${name} ${state}`),
  );
});

test('queues of the session are read where the metrics have them, and unknown where they have none or say so', () => {
  const report = sampleReport();
  const status = { ...report, health: { state: 'running' as const, alive: true, participants: [], reason: '' } };
  const read = (metrics: string): unknown => {
    const { savesWaiting, snapshotsDropped } = readSoakSample(0, status, metrics, { threads: 1, openFiles: 1 });
    return [savesWaiting, snapshotsDropped];
  };
  expect(read('fly_checkpoint_queue_saves 2\nfly_snapshots_dropped_total 0\n')).toEqual([2, 0]);
  expect(read('fly_checkpoint_queue_saves NaN\nfly_snapshots_dropped_total_other 7\n')).toEqual([null, null]);
});

test('handles count this process and its child', async () => {
  const before = countHandles(process.pid);
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("up"); setInterval(() => 0, 1000)']);
  const held = holdChild(child);
  await once(child.stdout, 'data');
  expect(countHandles(held.pid).threads).toBeGreaterThan(1);
  expect(countHandles(process.pid).threads).toBeGreaterThan(before.threads);
  expect(await held.end()).toBe('SIGTERM');
  expect(countHandles(held.pid)).toEqual({ threads: 0, openFiles: 0 });
});

test('a child that does not listen is killed', async () => {
  const deaf = 'process.on("SIGTERM", () => 0); process.stdout.write("up"); setInterval(() => 0, 1000)';
  const child = spawn(process.execPath, ['-e', deaf]);
  const held = holdChild(child, 100);
  await once(child.stdout, 'data');
  expect(await held.end()).toBe('SIGKILL');
  expect(held.isOver).toBe(true);
});

test('a child that never began or is over already ends at once', async () => {
  const held = holdChild(spawn('/nowhere/fly'));
  expect(await held.end()).toContain('ENOENT');
  expect(await held.end()).toContain('ENOENT');
});
