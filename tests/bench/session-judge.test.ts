import { expect, test } from 'vitest';
import { namesOfBroken } from './rule.ts';
import { judgeSession } from './session-judge.ts';

type Row = Parameters<typeof judgeSession>[0][number];

const GAME_BOY_STEP_MS = 8_572_265_625 / 512 / 1e6; // spec: session.md 4

function row(changes: Partial<Row> & Pick<Row, 'run'>): Row {
  return {
    flies: 2,
    judged: true,
    alike: null,
    transitions: 1_200,
    worldStepMs: GAME_BOY_STEP_MS,
    stepMs: { p50: 5, p95: 8, p99: 16.74, max: 60 },
    realTimeFactor: 1,
    missedDeadlines: 12,
    behaviourDigest: 'a',
    ...changes,
  };
}

const broken = (...rows: readonly Row[]): string[] => namesOfBroken(judgeSession(rows));
const slow = { p50: 9, p95: 14, p99: 16.75, max: 80 };

test('PERF-02 a hundredth of the steps may be longer than one of a Game Boy, 16.74 ms, and no more', () => {
  expect(broken(row({ run: 'B4' }))).toEqual([]);
  expect(broken(row({ run: 'B4', stepMs: slow }))).toEqual(['B4: step p99']);
  expect(judgeSession([row({ run: 'B4' })])[0]!.note).toBe('12 of 1200 over it');
});

test('PERF-01 any number of brains keeps up with real time; a world without brains has no such bound', () => {
  expect(broken(row({ run: 'B3', realTimeFactor: 0.99 }))).toEqual(['B3: real-time factor']);
  expect(broken(row({ run: 'B0', flies: 0, realTimeFactor: 0.99 }))).toEqual([]);
});

test('a row that only characterises is held to nothing', () => {
  expect(broken(row({ run: 'B6', judged: false, stepMs: slow, realTimeFactor: 0.5 }))).toEqual([]);
});

test('runs that may differ in time alone end alike; the one that does not is named, judged or not', () => {
  const alike = (run: string, behaviourDigest: string): Row =>
    row({ run, alike: 'B4', behaviourDigest, judged: false });
  expect(broken(alike('cold', 'a'), alike('storm', 'a'), row({ run: 'B3', behaviourDigest: 'c' }))).toEqual([]);
  const rules = judgeSession([alike('cold', 'a'), alike('slow viewer', 'b'), alike('storm', 'a')]);
  expect(rules).toMatchObject([{ measured: 1, verdict: 'not ok', note: 'slow viewer' }]);
});
