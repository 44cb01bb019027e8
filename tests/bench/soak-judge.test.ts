import { expect, test } from 'vitest';
import type { RunSummary } from '../../bin/live/summary.ts';
import { isBroken, judgeSoak } from './soak-judge.ts';
import type { SoakRule, SoakRun } from './soak-judge.ts';
import type { SoakSample } from './soak-sample.ts';

/** Looks of a show that is well, five seconds apart. */
function looks(
  minutes: number,
  change: (sample: SoakSample, i: number) => Partial<SoakSample> = () => ({}),
): SoakSample[] {
  return Array.from({ length: minutes * 12 }, (_, i) => {
    const atMs = i * 5_000;
    const sample: SoakSample = {
      atMs,
      runMs: 800 + atMs,
      brainMs: [3_300 + atMs, 3_301 + atMs],
      lagMs: 40,
      healthState: 'running',
      alive: true,
      rssMb: 900 + 30 * Math.sin(i), // garbage comes and goes
      stageState: 'drawing',
      framesDrawn: 90 + i * 150,
      framesMissed: 3,
      troubledOutputs: [],
      outputDrops: 0,
      soundFillMs: 250 + 20 * Math.sin(i / 3),
      underruns: 1,
      encoderQueue: 12,
      avOffsetMs: 8 * Math.sin(i),
      probe: { decodedFrames: 90, identicalFrames: 12 },
      checkpointAgeSeconds: 5 * (i % 61),
      alarms: [],
      metricSeries: 51,
      threads: 60 + (i % 2),
      openFiles: 120,
    };
    return { ...sample, ...change(sample, i) };
  });
}

function summary(changes: Partial<RunSummary> = {}): RunSummary {
  const durations = { p50: 4, p95: 7, p99: 12, max: 60 };
  const partial: Partial<RunSummary> = {
    endedBy: 'count reached',
    transitions: 214_983,
    wallSeconds: 3_600,
    realTimeFactor: 0.99985, // 16.74 ms a step
    missedDeadlines: 300,
    stepMs: durations,
    ...changes,
  };
  return partial as RunSummary;
}

function judge(samples: readonly SoakSample[], changes: Partial<SoakRun> = {}): SoakRule[] {
  return judgeSoak({ samples, unanswered: 0, summary: summary(), end: '0', ...changes });
}

const broken = (rules: readonly SoakRule[]): string[] => rules.filter(isBroken).map(({ rule }) => rule);
const find = (rules: readonly SoakRule[], name: string): SoakRule => rules.find(({ rule }) => rule === name)!;

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
  ]);
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
