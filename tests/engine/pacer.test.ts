import { expect, test } from 'vitest';
import { createFakeClock } from '../../engine/clock.ts';
import { createPacer } from '../../engine/pacer.ts';

const PERIOD_MS = 20;

async function paced(
  work: readonly number[],
): Promise<{ atMs: number[]; lagMs: number; lagged: number; reports: number[] }> {
  const clock = createFakeClock();
  const reports: number[] = [];
  const pacer = createPacer({ clock, periodMs: PERIOD_MS, onLag: (lagMs) => reports.push(lagMs) });
  const atMs: number[] = [];
  for (const ms of work) {
    clock.advanceMs(ms);
    const waiting = pacer.pace();
    clock.advanceMs(Math.max(0, (atMs.at(-1) ?? 0) + PERIOD_MS - clock.nowMs()));
    await waiting;
    atMs.push(clock.nowMs());
  }
  return { atMs, lagMs: pacer.lagMs, lagged: pacer.laggedSteps, reports };
}

test('boundaries fall on absolute deadlines whatever the work before them took', async () => {
  const { atMs, lagMs } = await paced([5, 19, 1, 12]);
  expect(atMs).toEqual([20, 40, 60, 80]);
  expect(lagMs).toBe(0);
});

test('a step late by less than a period is caught up and is no lag', async () => {
  const { atMs, lagMs } = await paced([30, 5, 5]);
  expect(atMs[0]).toBe(30);
  expect(lagMs).toBe(0);
});

test('a stall moves the deadline instead of sprinting, and its time is lag (session.md 4)', async () => {
  const { lagMs, lagged } = await paced([520, 5, 5]);
  expect(lagMs).toBe(500);
  expect(lagged).toBe(1);
});

test('lag is reported at one second and then at each further thirty', async () => {
  const { reports } = await paced([1_120, 120, 30_020, 120]);
  expect(reports).toEqual([1_100, 31_200]);
});

test('an unthrottled pacer never sleeps on the clock', async () => {
  const clock = createFakeClock();
  const pacer = createPacer({ clock, periodMs: 0, onLag: () => undefined });
  await pacer.pace();
  expect(clock.nowMs()).toBe(0);
});
