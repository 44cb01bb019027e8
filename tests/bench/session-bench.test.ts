import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveHome } from '../../bin/home.ts';
import { loadConfig, loadShow } from '../../config/load-config.ts';
import type { Show } from '../../config/schema.ts';
import { SCHEDULE_PHASES } from '../../engine/schedule.ts';
import { syntheticConnectome } from '../systems/kernel/test-graphs.ts';
import { measureSession } from './measure-session.ts';
import type { MeasureOptions, SessionBenchRow, SessionRun } from './measure-session.ts';
import { sessionRuns, sessionTables } from './session.bench.ts';

const root = mkdtempSync(join(tmpdir(), 'fly-session-bench-'));
let options: MeasureOptions;
let two: Show;

beforeAll(async () => {
  const home = resolveHome({ FLY_HOME: root });
  const config = await loadConfig({ home: root, environment: {}, overrides: {} });
  two = await loadShow('two-fly', root);
  options = { config, home, connectome: syntheticConnectome(), transitions: 96 };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The run of the matrix with this name, on a small brain. */
function measure(name: string, changes: Partial<SessionRun> = {}): Promise<SessionBenchRow> {
  const run = sessionRuns({ one: two, two, four: two }).find((known) => known.name === name)!;
  return measureSession({ ...run, ...changes }, options);
}

test('PERF-06 a burst of saves, a slow viewer and a reconnect storm change nothing of what two brains do', async () => {
  const names = ['B4 two brains, cold', 'B4 a burst of saves', 'B4 a slow viewer', 'B4 a reconnect storm'];
  const rows: SessionBenchRow[] = [];
  for (const name of names) rows.push(await measure(name));
  expect(new Set(rows.map(({ behaviourDigest }) => behaviourDigest)).size).toBe(1);
  expect(rows.map(({ transitions }) => transitions)).toEqual([106, 96, 96, 96]); // a cold row leaves none out
  expect(rows[1]!.save!.count).toBeGreaterThan(0); // how many of a burst the store takes is a matter of its speed
  expect(rows.map(({ drops }) => drops.snapshots > 0)).toEqual([false, false, true, false]);
  expect(rows[0]!.save).toBeUndefined();
}, 60_000);

test('every phase of a step has its spread, and every table a line for every run', async () => {
  const row = await measure('B0 two ports, no neurons');
  expect(Object.keys(row.phaseMs)).toEqual([...SCHEDULE_PHASES]);
  expect(row.flies).toBe(0);
  expect(row.sound).toEqual({ frames: expect.any(Number) as number, dueFrames: 52_668 }); // 96 x 548.625, spec: session.md 4
  expect(Math.abs(row.sound!.frames - 52_668)).toBeLessThanOrEqual(1);
  expect(row.record).toMatchObject({ show: 'two-fly', views: ['shared-camera 160x144'] });
  expect(sessionTables([row, row]).map(({ length }) => length)).toEqual([2, 2, 2, 1]);
}, 60_000);

test('a reader in another process gets every snapshot, and the way to it takes time', async () => {
  const row = await measure('B0 paced, a reader in its own process', { paced: false, length: 1 });
  expect(row.transportMs!.p50).toBeGreaterThan(0);
}, 60_000);
