import { expect, test } from 'vitest';
import { isBroken } from './rule.ts';
import type { BenchRule } from './rule.ts';
import { judgeSoak } from './soak-judge.ts';
import type { SoakSample } from './soak-sample.ts';
import { looks, summary } from './watched-fixture.ts';
import type { WatchedRun } from './watched-live.ts';

function judge(samples: readonly SoakSample[], changes: Partial<WatchedRun> = {}): BenchRule[] {
  return judgeSoak({ samples, unanswered: 0, summary: summary(), end: '0', ...changes });
}

const broken = (rules: readonly BenchRule[]): string[] => rules.filter(isBroken).map(({ rule }) => rule);
const find = (rules: readonly BenchRule[], name: string): BenchRule => rules.find(({ rule }) => rule === name)!;

test('an hour without growth breaks no rule, and every bounded rule says ok', () => {
  const rules = judge(looks(60));
  expect(broken(rules)).toEqual([]);
  expect(rules.filter(({ bound }) => bound !== '').every(({ verdict }) => verdict === 'ok')).toBe(true);
  expect(rules.some(({ verdict }) => verdict === 'too short')).toBe(false);
});

test.each<[string, (sample: SoakSample, i: number) => Partial<SoakSample>, string[]]>([
  ['memory that grows by 60 MiB an hour', ({ rssMb }, i) => ({ rssMb: rssMb + i / 12 }), ['memory slope']],
  ['lag of one stall after the first fifth', (_, i) => ({ lagMs: i > 500 ? 1_240 : 40 }), ['lag growth']],
  [
    'a session at nine tenths of real time',
    ({ atMs }) => ({ runMs: atMs * 0.9, brainMs: [atMs * 0.9, atMs * 0.9] }),
    ['real-time factor, mean', 'real-time factor, worst minute'],
  ],
  [
    'one minute that stands still',
    ({ atMs }) => {
      const runMs = atMs < 1_200_000 ? atMs : Math.max(1_200_000, atMs - 30_000);
      return { runMs, brainMs: [runMs, runMs] };
    },
    ['real-time factor, worst minute'],
  ],
  [
    'a brain that skips a tick a minute',
    ({ atMs }) => ({ brainMs: [atMs, atMs - Math.floor(atMs / 60_000)] }),
    ['brain behind world'],
  ],
  ['a stage that died', (_, i) => (i > 400 ? { stageState: 'restarting' } : {}), ['looks without a moving stage']],
  [
    'a stage that draws nothing new',
    (_, i) => (i > 400 ? { framesDrawn: 60_000 } : {}),
    ['looks without a moving stage'],
  ],
  ['a picture missed each second', (_, i) => ({ framesMissed: i * 5 }), ['pictures missed']],
  ['pictures the network dropped', (_, i) => ({ outputDrops: i > 300 ? 7 : 0 }), ['pictures dropped by outputs']],
  [
    'a congested uplink',
    (_, i) => (i === 9 ? { troubledOutputs: ['backup congested'] } : {}),
    ['looks with an output in trouble'],
  ],
  ['a sound queue that grows', (_, i) => ({ soundFillMs: 250 + i / 3 }), ['sound queue growth']],
  ['an encoder queue that grows', (_, i) => ({ encoderQueue: Math.floor(i / 100) }), ['encoder queue growth']],
  ['gaps in the sound', (_, i) => ({ underruns: i > 10 ? 2 : 1 }), ['sound underruns']],
  ['a thread leaked every ten minutes', (_, i) => ({ threads: 60 + Math.floor(i / 120) }), ['threads growth']],
  ['an open file leaked every ten minutes', (_, i) => ({ openFiles: 60 + Math.floor(i / 120) }), ['open files growth']],
  [
    'sound that falls behind by 110 ms an hour',
    (_, i) => ({ avOffsetMs: (i * 110) / 720 }),
    ['picture against sound, drift'],
  ],
  [
    'one look with the sound 130 ms away',
    (_, i) => (i === 5 ? { avOffsetMs: -130 } : {}),
    ['picture against sound, worst'],
  ],
  [
    'a frozen picture',
    (_, i) => (i > 300 ? { probe: { decodedFrames: 90, identicalFrames: 89 } } : {}),
    ['identical pictures, worst full look'],
  ],
  ['a checkpoint that is overdue', (_, i) => ({ checkpointAgeSeconds: i > 600 ? 331 : 4 }), ['checkpoint age, worst']],
  ['saves that pile up before the disk', (_, i) => ({ savesWaiting: Math.floor(i / 240) }), ['saves waiting, growth']],
  ['a snapshot a reader lost', (_, i) => ({ snapshotsDropped: i > 300 ? 3 : 2 }), ['snapshots lost by readers']],
  ['no checkpoint at all', () => ({ checkpointAgeSeconds: null }), ['checkpoint age, worst']],
  ['an alarm', (_, i) => (i === 3 ? { alarms: ['OUTPUT_FAILED'] } : {}), ['looks with an alarm']],
  [
    'a session that was dead at one look',
    (_, i) => (i === 3 ? { alive: false, healthState: 'failed' } : {}),
    ['looks not alive'],
  ],
])('%s breaks its own rule and no other', (_, change, expected) => {
  expect(broken(judge(looks(60, change)))).toEqual(expected);
});

test('one spike of memory, queue or threads is no growth', () => {
  const spike = looks(60, (_, i) => (i === 710 ? { soundFillMs: 480, threads: 90, encoderQueue: 40 } : {}));
  expect(broken(judge(spike))).toEqual([]);
});

test('memory of the first fifth is start-up, not growth', () => {
  expect(broken(judge(looks(60, ({ rssMb }, i) => ({ rssMb: rssMb - Math.max(0, 140 - i) * 3 }))))).toEqual([]);
});

test('the slope is the least-squares one, in MiB an hour', () => {
  const line = judge(looks(60, (_, i) => ({ rssMb: 500 + i / 72 })));
  expect(find(line, 'memory slope').measured).toBeCloseTo(10, 6);
});

test('a stage that counts anew after a restart hides no missed picture', () => {
  const rules = judge(looks(60, (_, i) => ({ framesMissed: i < 300 ? 900 : i < 301 ? 0 : 1_080 })));
  expect(find(rules, 'pictures missed').measured).toBeCloseTo(1_080 / 3_595, 6);
});

test('a run of two minutes judges no trend and calls none of them ok', () => {
  const rules = judge(looks(2, (_, i) => ({ rssMb: 500 + 10 * i, threads: i })));
  expect(broken(rules)).toEqual([]);
  expect(rules.filter(({ verdict }) => verdict === 'too short').map(({ rule }) => rule)).toEqual([
    'memory slope',
    'threads growth',
    'open files growth',
    'metric series growth',
    'encoder queue growth',
    'sound queue growth',
    'picture against sound, drift',
    'saves waiting, growth',
  ]);
});

test('a show that says nothing of its queues is not called ok: the rule is shown as not measured', () => {
  const rules = judge(looks(60, () => ({ savesWaiting: null, snapshotsDropped: null })));
  for (const name of ['saves waiting, growth', 'snapshots lost by readers']) {
    expect(find(rules, name)).toMatchObject({ measured: null, verdict: 'shown', note: 'this show does not say' });
  }
});

test('a show that left no summary, or answered nothing, is not ok', () => {
  expect(broken(judge(looks(60), { summary: null, end: 'SIGKILL' }))).toEqual([
    'ends out of order',
    'step p99',
    'deadlines missed',
  ]);
  expect(broken(judge([], { unanswered: 12 }))).toContain('looks unanswered');
  expect(broken(judge([]))).toContain('looks without a moving stage');
});

test('compute is judged against the length of a world step: 17 ms are too many for a Game Boy, whose step takes 16.74', () => {
  const slow = summary({ stepMs: { p50: 9, p95: 14, p99: 17, max: 80 }, missedDeadlines: 2_200 });
  const rules = judge(looks(60), { summary: slow });
  expect(broken(rules)).toEqual(['step p99', 'deadlines missed']);
  expect(Number(find(rules, 'step p99').bound.slice(3))).toBeCloseTo(16.74, 2);
  expect(find(rules, 'deadlines missed').note).toBe('2200 of 214983');
});
