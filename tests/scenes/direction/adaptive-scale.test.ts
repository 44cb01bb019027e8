import { expect, test } from 'vitest';
import { createAdaptiveScale } from '../../../scenes/direction/adaptive-scale.ts';

test('a steady rate settles at two thirds of the bar and drives nothing (show.md 48, 106)', () => {
  const scale = createAdaptiveScale(30);
  for (let nowMs = 0; nowMs <= 400_000; nowMs += 100) scale.step(12, nowMs);
  expect(scale.fill()).toBeCloseTo(2 / 3, 3);
  expect(scale.aboveRest()).toBeCloseTo(0, 2);
  expect(scale.fullHz()).toBeCloseTo(18, 2);
});

test('attack halves the distance in 4 s and release in 20 s (show.md 48)', () => {
  const scale = createAdaptiveScale(15);
  scale.step(10, 0);
  scale.step(20, 1);
  scale.step(20, 4_001);
  expect(scale.fullHz()).toBeCloseTo(1.5 * 15, 1);
  const down = createAdaptiveScale(15);
  down.step(10, 0);
  down.step(0, 20_000);
  expect(down.fullHz()).toBeCloseTo(1.5 * 5, 6);
});

test('full scale never falls below 1 Hz (show.md 48)', () => {
  const scale = createAdaptiveScale(1.2);
  for (let nowMs = 0; nowMs < 1_000_000; nowMs += 1_000) scale.step(0, nowMs);
  expect(scale.fullHz()).toBe(1);
  expect(scale.fill()).toBe(0);
});
