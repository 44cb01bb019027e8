import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeClock } from '../../engine/clock.ts';
import type { FakeClock } from '../../engine/clock.ts';
import { createEventLog } from '../../engine/event-log.ts';
import type { EventLog } from '../../engine/event-log.ts';
import { sampleEvent } from '../broadcast/control/fake-session.ts';

let folder: string;
let path: string;
let clock: FakeClock;
let news: string[];
let log: EventLog;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fly-log-'));
  path = join(folder, 'logs', 'events.jsonl');
  clock = createFakeClock();
  news = [];
  log = createEventLog({
    path,
    clock,
    onFailure: (error) => news.push(`failure ${(error as NodeJS.ErrnoException).code}`),
    onRecovery: () => news.push('recovery'),
  });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('lines reach the disk in order, at most once a second', async () => {
  log.record(sampleEvent(1), { step: '7' });
  log.append({ lifecycle: 'booted' });
  log.flushIfDue();
  await turn();
  expect(log.waiting).toBe(2); // a second has not passed
  clock.advanceMs(1_000);
  log.flushIfDue();
  await drained();
  expect(written()).toMatchObject([{ id: 1, step: '7' }, { lifecycle: 'booted' }]);
});

test('a disk that refuses loses nothing: lines wait, in order, and follow once it takes them (session.md 19)', async () => {
  mkdirSync(path, { recursive: true }); // a folder in the place of the file: every append is refused
  for (let n = 1; n <= 3; n++) {
    log.append({ n });
    await flush();
  }
  expect(news).toEqual(['failure EISDIR']); // once per streak
  expect([log.waiting, log.lost]).toEqual([3, 0]);
  rmSync(path, { recursive: true });
  log.append({ n: 4 });
  await flush();
  expect(news).toEqual(['failure EISDIR', 'recovery']);
  expect(written()).toEqual([1, 2, 3, 4].map((n) => ({ n })));
  expect(log.waiting).toBe(0);
});

test('what waits for the disk is bounded, the oldest lines go first, and the log says how many', async () => {
  mkdirSync(path, { recursive: true });
  for (let n = 0; n < 16_384 + 5; n++) log.append({ n });
  await flush();
  expect([log.waiting, log.lost]).toEqual([16_384, 5]);
  log.append({ n: 'last' });
  await flush();
  expect([log.waiting, log.lost]).toEqual([16_384, 6]);
  rmSync(path, { recursive: true });
  await flush();
  await flush();
  const lines = written();
  expect(lines).toHaveLength(16_384 + 1);
  expect(lines[0]).toEqual({ n: 6 });
  expect(lines.slice(-2)).toEqual([{ n: 'last' }, { wallMs: clock.unixMs(), lostLines: 6 }]);
});

test('viewers go on reading from memory while the disk refuses, newest 4,096 (broadcast.md 115, 116)', async () => {
  mkdirSync(path, { recursive: true });
  for (let id = 1; id <= 4_100; id++) log.record(sampleEvent(id), {});
  await flush();
  expect(log.recent(0, 2).map(({ id }) => id)).toEqual([5, 6]);
  expect(log.recent(4_099, 9).map(({ id }) => id)).toEqual([4_100]);
});

test('closing writes what is left, and does not hang on a disk that refuses', async () => {
  log.append({ n: 1 });
  await log.close();
  expect(written()).toEqual([{ n: 1 }]);
  rmSync(path);
  mkdirSync(path);
  log.append({ n: 2 });
  await log.close();
  expect(news).toEqual(['failure EISDIR']);
});

/** Closing writes what waits, and may be done again. */
function flush(): Promise<void> {
  return log.close();
}

async function drained(): Promise<void> {
  while (log.waiting > 0) await turn();
}

/** Every line that is one; a torn one is skipped, as readers do. */
function written(): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
