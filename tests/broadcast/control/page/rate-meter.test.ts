import { expect, test } from 'vitest';
import { createRateMeter } from '../../../../broadcast/control/page/rate-meter.ts';

test('a rate is the growth over the window, unknown until two readings lie apart', () => {
  const meter = createRateMeter(2_000);
  const rates = Array.from({ length: 13 }, (_, i) => meter.read(i * 250, i * 15));
  expect(rates[0]).toBeNull();
  expect(rates[1]).toBeNull();
  expect(rates[2]).toBe(60);
  expect(rates[12]).toBe(60);
});

test('a stopped counter falls to zero within the window', () => {
  const meter = createRateMeter(2_000);
  for (let i = 0; i < 10; i++) meter.read(i * 250, i * 15);
  let rate: number | null = null;
  for (let i = 10; i < 20; i++) rate = meter.read(i * 250, 135);
  expect(rate).toBe(0);
});

test('a counter that starts anew is no negative rate', () => {
  const meter = createRateMeter(2_000);
  meter.read(0, 1_000);
  meter.read(1_000, 1_060);
  expect(meter.read(1_250, 5)).toBeNull();
  expect(meter.read(2_250, 65)).toBe(60);
});
