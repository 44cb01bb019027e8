import { expect, test } from 'vitest';
import { speedCorrection } from '../../../broadcast/mix/varispeed.ts';

test('the speed follows 0.5 x (fill - target) / target within 0.3 % (broadcast.md 57)', () => {
  expect(speedCorrection(250)).toBe(0);
  expect(speedCorrection(251)).toBeCloseTo(0.002, 12);
  expect(speedCorrection(249.5)).toBeCloseTo(-0.001, 12);
  expect(speedCorrection(400)).toBe(0.003);
  expect(speedCorrection(0)).toBe(-0.003);
});
