import { expect, test } from 'vitest';
import type { ProbeReport } from '../../../broadcast/probe/alarm-policy.ts';
import { createAlarmPolicy } from '../../../broadcast/probe/alarm-policy.ts';

const MINUTE = 60_000;
const HEALTHY: ProbeReport = {
  atUnixMs: 0,
  decodedFrames: 90,
  identicalFrames: 4,
  blackFrames: 0,
  rmsDb: -20,
  newestAgeMs: 500,
};
const FROZEN = { ...HEALTHY, identicalFrames: 81 }; // a static picture scores 81 (broadcast.md 39)

test('rule 38, 151: frozen twice in a row is one alarm, then 30 minutes without another', () => {
  const policy = createAlarmPolicy();
  const told: number[] = [];
  for (let minute = 0; minute <= 45; minute += 5) {
    for (const change of policy.judge(FROZEN, minute * MINUTE)) if (change.raised) told.push(minute);
  }
  expect(told).toEqual([5, 35]);
});

test('rule 37, 38: one frozen look, too few frames or old output raise nothing', () => {
  const policy = createAlarmPolicy();
  expect(policy.judge(FROZEN, 0)).toEqual([]);
  expect(policy.judge(HEALTHY, 5 * MINUTE)).toEqual([]);
  expect(policy.judge(FROZEN, 10 * MINUTE)).toEqual([]);
  expect(policy.judge({ ...FROZEN, decodedFrames: 59, identicalFrames: 59 }, 15 * MINUTE)).toEqual([]);
  expect(policy.judge({ ...FROZEN, newestAgeMs: 120_000 }, 20 * MINUTE)).toEqual([]);
  expect(policy.judge({ ...FROZEN, identicalFrames: 79 }, 25 * MINUTE)).toEqual([]);
});

test('a picture that moves again ends the alarm', () => {
  const policy = createAlarmPolicy();
  policy.judge(FROZEN, 0);
  policy.judge(FROZEN, 5 * MINUTE);
  expect(policy.judge(HEALTHY, 10 * MINUTE)).toEqual([
    { alarm: 'frozen', raised: false, detail: '4 of 90 encoded pictures equal the one before' },
  ]);
});

test('rule 66: a minute of digital silence is an alarm, a shorter pause is not', () => {
  const policy = createAlarmPolicy();
  const silent = { ...HEALTHY, rmsDb: -120 };
  expect(policy.judge(silent, 0)).toEqual([]);
  expect(policy.judge(silent, 30_000)).toEqual([]);
  expect(policy.judge(HEALTHY, 45_000)).toEqual([]);
  expect(policy.judge(silent, 60_000)).toEqual([]);
  expect(policy.judge(silent, 90_000)).toEqual([]);
  expect(policy.judge(silent, 120_000)).toMatchObject([{ alarm: 'silent', raised: true }]);
  expect(policy.judge(HEALTHY, 150_000)).toMatchObject([{ alarm: 'silent', raised: false }]);
});

test('black in two looks in a row is an alarm', () => {
  const policy = createAlarmPolicy();
  const black = { ...HEALTHY, decodedFrames: 1, identicalFrames: 0, blackFrames: 1 };
  expect(policy.judge(black, 0)).toEqual([]);
  expect(policy.judge(black, 30_000)).toMatchObject([{ alarm: 'black', raised: true }]);
  expect(policy.judge(HEALTHY, 60_000)).toMatchObject([{ alarm: 'black', raised: false }]);
});
