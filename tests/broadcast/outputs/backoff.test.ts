import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from '../../../broadcast/outputs/backoff.ts';

test('waits stay between 1 s and 15 s however long an ingest is away (broadcast.md 44)', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, random) => {
        const waitMs = backoffMs(attempt, random);
        expect(waitMs).toBeGreaterThanOrEqual(1_000);
        expect(waitMs).toBeLessThanOrEqual(15_000);
      },
    ),
  );
  expect([1, 2, 3, 4, 5].map((attempt) => backoffMs(attempt, 0))).toEqual([1_000, 2_000, 4_000, 8_000, 15_000]);
});
