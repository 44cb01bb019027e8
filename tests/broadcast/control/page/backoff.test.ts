import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from '../../../../broadcast/control/page/backoff.ts';

test('250 ms doubling to 5 s (feed-control.md 9)', () => {
  expect([0, 1, 2, 3, 4, 5, 500].map((attempt) => backoffMs(attempt, 0.5))).toEqual([
    250, 500, 1_000, 2_000, 4_000, 5_000, 5_000,
  ]);
});

test('jitter stays between 0.75 and 1.25 of it (feed-control.md 9)', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const middle = backoffMs(attempt, 0.5);
      expect(backoffMs(attempt, random) / middle).toBeGreaterThanOrEqual(0.75);
      expect(backoffMs(attempt, random) / middle).toBeLessThanOrEqual(1.25);
    }),
  );
});
