import { expect, test } from 'vitest';
import { PAIRINGS, measureFairness } from './arena-fairness.ts';

test('over 200 rounds of random players, every pair on both sides, neither side is better', () => {
  const result = measureFairness(PAIRINGS['random']!, 200);
  expect(result.rounds).toBeGreaterThanOrEqual(200);
  expect(Math.abs(result.z)).toBeLessThan(3); // deterministic: a fixed set of seeds
  expect(result.leftWins + result.rightWins + result.drawn).toBe(result.rounds);
});

test('when the second match of every pair is mirrored, left and right win exactly as often', () => {
  const result = measureFairness(PAIRINGS['random, mirrored the second time']!, 200);
  expect([result.leftWins, result.leftPlums]).toEqual([result.rightWins, result.rightPlums]);
});

test('a player that hunts plums beats a random one on both sides', () => {
  const { won } = measureFairness(PAIRINGS['keen against random']!, 40);
  expect(won[0]).toBeGreaterThan(4 * won[1]);
});
