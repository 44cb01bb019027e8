import { expect, test } from 'vitest';
import { EFFECTS, renderEffect } from '../../../broadcast/mix/effects.ts';
import type { EffectId } from '../../../broadcast/mix/effects.ts';

const SECONDS: Record<EffectId, number> = {
  reward: 0.09,
  badge: 0.75,
  milestone: 0.45,
  sugar: 0.3,
  stuck: 0.9,
  stale: 0.6,
  rewind: 0.5,
  stinger: 0.55,
};

test('there are eight effects with the lengths of show.md 7', () => {
  expect(Object.keys(EFFECTS).sort()).toEqual(Object.keys(SECONDS).sort());
  for (const [id, seconds] of Object.entries(SECONDS)) {
    expect(renderEffect(id as EffectId).length).toBe(Math.round(seconds * 48_000));
  }
});

test('every effect is audible, stays in range and begins and ends without a step', () => {
  for (const id of Object.keys(EFFECTS) as EffectId[]) {
    const samples = renderEffect(id);
    expect(Math.max(...samples.map(Math.abs)), id).toBeGreaterThan(0.05);
    expect(Math.max(...samples.map(Math.abs)), id).toBeLessThanOrEqual(1);
    expect(Math.abs(samples[0]!), id).toBeLessThan(0.01);
    expect(Math.abs(samples.at(-1)), id).toBeLessThan(0.01);
  }
});

test('the reward effect rises from 880 to 1180 Hz (show.md 7)', () => {
  const samples = renderEffect('reward');
  expect(crossings(samples.subarray(0, 960)) / 0.02).toBeGreaterThan(860);
  expect(crossings(samples.subarray(0, 960)) / 0.02).toBeLessThan(980);
  expect(crossings(samples.subarray(-1_200)) / 0.025).toBeGreaterThan(1_080);
  expect(crossings(samples.subarray(-1_200)) / 0.025).toBeLessThan(1_200);
});

/** Upward zero crossings. */
function crossings(samples: Float32Array): number {
  let count = 0;
  for (let i = 1; i < samples.length; i++) if (samples[i - 1]! < 0 && samples[i]! >= 0) count++;
  return count;
}
