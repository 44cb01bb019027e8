import { expect, test } from 'vitest';
import type { RunSummary } from '../../bin/live/summary.ts';
import { namesOfBroken } from './rule.ts';
import { judgeShow } from './show-judge.ts';
import { looks, summary } from './watched-fixture.ts';
import type { WatchedRun } from './watched-live.ts';

const uplink = {
  name: 'uplink',
  kind: 'rtmp',
  state: 'active',
  bytes: 450_000_000,
  droppedFrames: 0,
  reconnects: 0,
  firstPacketMs: 2_000,
};

/** Ten minutes with a recording's worth of pictures and an uplink. */
function paced(changes: Partial<RunSummary> = {}, run: Partial<WatchedRun> = {}): WatchedRun {
  const own = { lagMs: 0, frames: { drawn: 17_990, dropped: 10, lost: 0 }, outputs: [uplink], ...changes };
  return { samples: looks(10), unanswered: 0, summary: summary(own), end: '0', ...run };
}

function unthrottled(changes: Partial<RunSummary> = {}): WatchedRun {
  return { samples: [], unanswered: 0, summary: summary({ realTimeFactor: 2.4, ...changes }), end: '0' };
}

const broken = (first: WatchedRun, second = unthrottled()): string[] => namesOfBroken(judgeShow(first, second));

test('PERF-01 a show that keeps up and has a fifth to spare breaks no rule', () => {
  expect(broken(paced())).toEqual([]);
  expect(broken(paced(), unthrottled({ realTimeFactor: 1.2 }))).toEqual([]);
});

test.each<[string, Partial<RunSummary>, string]>([
  ['a step of 17 ms in a hundred', { stepMs: { p50: 5, p95: 9, p99: 17, max: 40 } }, 'paced, step p99'],
  ['any lag', { lagMs: 1 }, 'paced, lag'],
  ['a lost picture', { frames: { drawn: 9, dropped: 2, lost: 1 } }, 'paced, pictures the stream is short of'],
  ['a picture the network took', { outputs: [{ ...uplink, droppedFrames: 1 }] }, 'paced, pictures dropped by outputs'],
  ['a second connection', { outputs: [{ ...uplink, reconnects: 1 }] }, 'paced, reconnects'],
  ['an uplink without a byte', { outputs: [{ ...uplink, bytes: 0 }] }, 'paced, outputs that sent nothing'],
])('PERF-02 %s breaks its own rule and no other', (_, changes, rule) => {
  expect(broken(paced(changes))).toEqual([rule]);
});

test('PERF-01 unthrottled at 1.19 times real time is too slow', () => {
  expect(broken(paced(), unthrottled({ realTimeFactor: 1.19 }))).toEqual(['unthrottled, real-time factor']);
});

test('gaps in the sound and a picture away from its sound are seen from outside', () => {
  expect(broken(paced({}, { samples: looks(10, (_, i) => ({ underruns: i > 10 ? 2 : 1 })) }))).toEqual([
    'paced, sound underruns',
  ]);
  expect(broken(paced({}, { samples: looks(10, (_, i) => ({ avOffsetMs: i === 5 ? -130 : 0 })) }))).toEqual([
    'paced, picture against sound, worst',
  ]);
});

test('a run that left no summary is no measurement: every bounded rule that needs one is broken', () => {
  expect(broken(paced({}, { summary: null, end: 'SIGKILL' }), { ...unthrottled(), summary: null, end: '1' })).toEqual([
    'paced, ends out of order',
    'paced, step p99',
    'paced, lag',
    'paced, pictures the stream is short of',
    'paced, pictures dropped by outputs',
    'paced, reconnects',
    'paced, outputs that sent nothing',
    'unthrottled, ends out of order',
    'unthrottled, real-time factor',
  ]);
});
