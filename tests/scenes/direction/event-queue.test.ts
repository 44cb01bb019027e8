import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventQueue } from '../../../scenes/direction/event-queue.ts';
import { fakeEvent } from '../fixture.ts';

test('a quiet event waits until the row above it has stood 4 s, a moment does not (show.md 73, 74)', () => {
  const queue = createEventQueue(3);
  const events = [fakeEvent(1)];
  queue.step(events, 0);
  events.push(fakeEvent(2), fakeEvent(3));
  queue.step(events, 1_000);
  expect(queue.rows.map(({ id }) => id)).toEqual([2, 1]);
  queue.step(events, 4_999);
  expect(queue.rows[0]!.id).toBe(2);
  events.push(fakeEvent(4, { tier: 'moment' }));
  queue.step(events, 4_999);
  expect(queue.rows.map(({ id }) => id)).toEqual([4, 2, 1]);
  queue.step(events, 8_999);
  expect(queue.rows.map(({ id }) => id)).toEqual([3, 4, 2]);
});

test('equal keys inside their window are shown once, and again after it (show.md 75)', () => {
  const queue = createEventQueue(3);
  const find = (id: number, wallMs: number) => fakeEvent(id, { wallMs, dedupeKey: 'explore', dedupeMs: 20_000 });
  queue.step([find(1, 0), find(2, 19_999)], 0);
  expect(queue.rows.map(({ id }) => id)).toEqual([1]);
  queue.step([find(3, 20_000)], 10_000);
  expect(queue.rows.map(({ id }) => id)).toEqual([3, 1]);
});

test('checkpoints are never shown (show.md 74)', () => {
  const queue = createEventQueue(3);
  queue.step([fakeEvent(1, { kind: 'checkpoint' })], 0);
  expect(queue.rows).toEqual([]);
});

test('whatever arrives, rows are unique, never more than asked for, and moments are never lost to quiet ones', () => {
  const arrivals = fc.array(fc.record({ moment: fc.boolean(), gapMs: fc.integer({ min: 0, max: 3_000 }) }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(arrivals, (list) => {
      const queue = createEventQueue(3);
      const shown = new Set<number>();
      let nowMs = 0;
      const note = (): void => {
        expect(queue.rows.length).toBeLessThanOrEqual(3);
        expect(new Set(queue.rows.map(({ id }) => id)).size).toBe(queue.rows.length);
        for (const { id } of queue.rows) shown.add(id);
      };
      list.forEach(({ moment, gapMs }, index) => {
        nowMs += gapMs;
        queue.step([fakeEvent(index + 1, { tier: moment ? 'moment' : 'quiet' })], nowMs);
        note();
      });
      for (let k = 0; k < 20; k++) {
        queue.step([], (nowMs += 4_000));
        note();
      }
      const moments = list.flatMap(({ moment }, index) => (moment ? [index + 1] : []));
      if (moments.length <= 12) for (const id of moments) expect(shown).toContain(id);
    }),
    { numRuns: 60 },
  );
});
