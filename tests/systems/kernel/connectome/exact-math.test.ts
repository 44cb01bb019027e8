import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactCos, exactExp, exactSin } from '../../../../systems/kernel/connectome/grow/exact-math.ts';

test('the exponential agrees with the engine to 1e-13 of its value', () => {
  fc.assert(
    fc.property(fc.double({ min: -20, max: 20, noNaN: true }), (x) => {
      expect(Math.abs(exactExp(x) / Math.exp(x) - 1)).toBeLessThan(1e-13);
    }),
  );
});

test('sine and cosine agree with the engine to 1e-10', () => {
  fc.assert(
    fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), (x) => {
      expect(exactSin(x)).toBeCloseTo(Math.sin(x), 10);
      expect(exactCos(x)).toBeCloseTo(Math.cos(x), 10);
    }),
  );
});
