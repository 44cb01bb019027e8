import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CONTACT_BINS,
  contactHistogram,
  countSigns,
  survivalCurve,
} from '../../../../../systems/kernel/connectome/compare/distributions.ts';

test('a survival curve gives for each threshold the share of values that reach it', () => {
  const values = fc.uint8Array({ minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(values, (bytes) => {
      const { atLeast, share } = survivalCurve(Uint32Array.from(bytes));
      const naive = atLeast.map((least) => bytes.filter((value) => value >= least).length / bytes.length);
      expect(share).toEqual(naive);
      expect(atLeast).toEqual([...new Set(atLeast)].sort((a, b) => a - b));
      for (const part of share) expect(part).toBeGreaterThan(0);
    }),
  );
});

test('a graph without edges has an empty curve', () => {
  expect(survivalCurve(new Uint32Array(5))).toEqual({ atLeast: [], share: [] });
});

test('contacts are sorted by octave and sign: 1, 2 to 3, 4 to 7 and so on up to the largest weight', () => {
  const { positive, negative } = contactHistogram(Int16Array.of(1, 2, 3, 4, 7, 8, -1, -32_767));
  expect(positive.slice(0, 5)).toEqual([1 / 8, 2 / 8, 2 / 8, 1 / 8, 0]);
  expect(negative[0]).toBe(1 / 8);
  expect(negative[CONTACT_BINS - 1]).toBe(1 / 8);
  expect([...positive, ...negative].reduce((sum, share) => sum + share)).toBe(1);
});

test('every neuron signs its outputs in exactly one of four ways', () => {
  const indptr = Uint32Array.of(0, 2, 4, 6, 6);
  expect(countSigns(indptr, Int16Array.of(3, 5, -1, -9, 4, -4))).toEqual({
    excitatory: 1,
    inhibitory: 1,
    mixed: 1,
    withoutOutput: 1,
  });
});
