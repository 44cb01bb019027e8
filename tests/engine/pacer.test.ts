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
    let isDone = false;
    void pacer.pace().then(() => (isDone = true));
    await eventLoop();
    while (!isDone) {
      clock.advanceMs(1);
      await eventLoop();
    }
    atMs.push(clock.nowMs());
  }
  return { atMs, lagMs: pacer.lagMs, lagged: pacer.laggedSteps, reports };
}

test('boundaries fall on absolute deadlines whatever the work before them took', async () => {
  const { atMs, lagMs } = await paced([5, 19, 1, 12]);
  expect(atMs).toEqual([20, 40, 60, 80]);
  expect(lagMs).toBe(0);
});

test('lateness up to one second is caught up on the old deadlines and is no lag (session.md 27)', async () => {
  const { atMs, lagMs, lagged } = await paced([520, 5, 5, ...Array.from({ length: 40 }, () => 5)]);
  expect(atMs[0]).toBe(520);
  expect(atMs.slice(0, 4)).toEqual([520, 525, 530, 535]); // no sleep until the deadlines are met again
  expect(atMs.at(-1)).toBe(43 * PERIOD_MS); // on the first deadlines' grid again
  expect(lagMs).toBe(0);
  expect(lagged).toBe(Math.floor(515 / 15)); // boundary n ends at 515 + 5n, its deadline is 20n
});

test('exactly one second late still catches up, a millisecond more moves the deadline (session.md 27)', async () => {
  expect((await paced([1_020, 5])).lagMs).toBe(0);
  expect((await paced([1_021, 5])).lagMs).toBe(1_001);
});

test('a stall moves the deadline instead of sprinting, and its time is lag (session.md 4, 27)', async () => {
  const clock = createFakeClock();
  const pacer = createPacer({ clock, periodMs: PERIOD_MS, onLag: () => undefined });
  clock.advanceMs(1_520);
  expect(await pacer.pace()).toBe(1_500);
  expect(pacer.lagMs).toBe(1_500);
  let isDone = false;
  const next = pacer.pace().then(() => (isDone = true));
  clock.advanceMs(PERIOD_MS - 1);
  await eventLoop();
  expect(isDone).toBe(false); // the next boundary is a whole period away
  clock.advanceMs(1);
  await next;
  expect(pacer.lagMs).toBe(1_500);
});

test('lag is reported at one second and then at each further thirty', async () => {
  const { reports } = await paced([1_120, 20, 20, 30_020, 20, 1_120]);
  expect(reports).toEqual([1_100, 31_100]);
});

test('an unthrottled pacer never sleeps on the clock', async () => {
  const clock = createFakeClock();
  const pacer = createPacer({ clock, periodMs: 0, onLag: () => undefined });
  await pacer.pace();
  expect(clock.nowMs()).toBe(0);
});

/** Long enough for a pacer that does not sleep to return. */
async function eventLoop(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
