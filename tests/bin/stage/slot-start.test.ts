import { expect, test } from 'vitest';
import { createSlotStart } from '../../../bin/stage/slot-start.ts';
import { createFakeClock } from '../../../engine/clock.ts';

const PERIOD_MS = 1_000 / 30;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits for a picture due at 100 ms, lets snapshots arrive, and says when its work began; null: not by then. */
async function beginsAt(arrivalsMs: readonly number[], startMs = 60, untilMs = 120): Promise<number | null> {
  const clock = createFakeClock();
  clock.advanceMs(startMs);
  const start = createSlotStart(clock, PERIOD_MS);
  let begunMs: number | null = null;
  void start.wait(100).then(() => (begunMs = clock.nowMs()));
  for (let ms = startMs; ms < untilMs; ms++) {
    await turn();
    if (arrivalsMs.includes(ms)) start.arrived();
    await turn();
    clock.advanceMs(1);
  }
  return begunMs;
}

test('a picture begins with the snapshot of the last step before it is due', async () => {
  expect(await beginsAt([93])).toBe(93);
});

test('a snapshot before that time is not the one: the next is', async () => {
  expect(await beginsAt([70, 80, 87, 95])).toBe(87);
});

test('without a snapshot a picture begins when it is due: a session that stands still is drawn all the same', async () => {
  expect(await beginsAt([])).toBe(100);
});

test('a picture that is late begins at once', async () => {
  expect(await beginsAt([], 110)).toBe(110);
});
