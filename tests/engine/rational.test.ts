import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addRational, multiplyRational, rationalNs, rationalToMs, spansToMs } from '../../engine/rational.ts';

const GAME_BOY = rationalNs(8_572_265_625n, 512n);

test('a Game Boy step is 16.742706298828125 ms (session.md 4)', () => {
  expect(rationalToMs(GAME_BOY)).toBe(16.742706298828125);
});

test('32,768 Game Boy steps are exactly 548,625 ms (session.md 4)', () => {
  expect(multiplyRational(GAME_BOY, 32_768n)).toEqual(rationalNs(548_625_000_000n));
});

test('spans come out reduced', () => {
  expect(rationalNs(50n, 100n)).toEqual({ numerator: 1n, denominator: 2n });
  expect(rationalNs(0n, 7n)).toEqual({ numerator: 0n, denominator: 1n });
});

test('adding a span n times equals multiplying it by n', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 1_000_000n), fc.bigInt(1n, 1_000n), fc.integer({ min: 1, max: 40 }), (n, d, count) => {
      let sum = rationalNs(0n);
      for (let i = 0; i < count; i++) sum = addRational(sum, rationalNs(n, d));
      expect(sum).toEqual(multiplyRational(rationalNs(n, d), BigInt(count)));
    }),
  );
});

test('a span that does not fit 64 bits is refused, not wrapped', () => {
  expect(() => multiplyRational(rationalNs(2n ** 63n), 4n)).toThrow(expect.objectContaining({ code: 'RATIONAL' }));
});

test('a show has a running time in ms on its tenth birthday too, long past what 64 bits of ns hold', () => {
  const tenYears = 32_768n * 600_000n; // 32,768 steps are exactly 548,625 ms
  expect(spansToMs(GAME_BOY, tenYears)).toBe(548_625 * 600_000);
  expect(spansToMs(GAME_BOY, 1n)).toBe(16.742706298828125);
});
