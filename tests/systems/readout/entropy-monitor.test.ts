import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDecoder } from '../../../systems/readout/decoder.ts';
import {
  MIN_DECISIONS,
  createEntropyMonitor,
  measureChoiceEntropy,
  scoreOrder,
} from '../../../systems/readout/entropy-monitor.ts';
import type { ChoiceEntropy } from '../../../systems/readout/entropy-monitor.ts';
import { decoderPreset } from '../../../systems/readout/presets.ts';

const repeat = (pattern: number[], times: number): number[] => Array.from({ length: times }, () => pattern).flat();

test('four directions in turn over one unchanging ranking use 2 bits and are frozen (brain.md 14.8)', () => {
  expect(measureChoiceEntropy(repeat([0, 1, 2, 3], 25), repeat([7], 100))).toEqual({
    decisions: 100,
    entropyBits: 2,
    orderBits: 0,
    frozen: true,
  });
});

test('the same winners over a ranking that keeps changing are not frozen', () => {
  expect(measureChoiceEntropy(repeat([0, 1, 2, 3], 25), repeat([7, 8], 50))).toMatchObject({
    orderBits: 1,
    frozen: false,
  });
});

test('a run too short to judge is not called frozen', () => {
  const short = MIN_DECISIONS - 1;
  expect(measureChoiceEntropy(repeat([0], short), repeat([0], short)).frozen).toBe(false);
  expect(measureChoiceEntropy([], [])).toEqual({ decisions: 0, entropyBits: 0, orderBits: 0, frozen: false });
});

test('two score lists share an order number exactly when they rank alike', () => {
  const scores = fc.uniqueArray(fc.double({ min: 0, max: 9, noNaN: true }), { minLength: 4, maxLength: 4 });
  const ranking = (list: number[]): string => [0, 1, 2, 3].sort((a, b) => list[b]! - list[a]!).join();
  fc.assert(
    fc.property(scores, scores, (a, b) => {
      const alike = scoreOrder(Float64Array.from(a), 4) === scoreOrder(Float64Array.from(b), 4);
      expect(alike).toBe(ranking(a) === ranking(b));
    }),
  );
});

/** What the monitor says of 200 Game Boy decisions over rates that `hzAt` chooses, decoded every 100 ms. */
function judge(hzAt: (decision: number, direction: number) => number): ChoiceEntropy {
  const roles = [0, 1, 2, 3].map((k) => `command_${k}`);
  const decoder = createDecoder(decoderPreset('gameboy'), roles);
  decoder.calibrate(new Float64Array(4).fill(5));
  const monitor = createEntropyMonitor(4);
  for (let i = 0; i < 1_600; i++) {
    const hz = Float64Array.from(roles, (_role, direction) => hzAt(Math.floor(i / 8), direction));
    decoder.decode(hz, i * 100, false);
    monitor.note(decoder.nextDecisionMs(), decoder.winnerIndex(), decoder.lastScores);
  }
  return monitor.measure();
}

test('scores in a fixed order are found although habituation keeps rotating the winner (brain.md 14.8)', () => {
  const { decisions, entropyBits, frozen } = judge((_decision, direction) => 5 + direction * 0.3);
  expect(decisions).toBe(200);
  expect(entropyBits).toBeGreaterThan(1.5);
  expect(frozen).toBe(true);
});

test('scores that overtake each other are a choice', () => {
  const hz = fc.sample(fc.double({ min: 3, max: 9, noNaN: true }), { seed: 1, numRuns: 800 });
  expect(judge((decision, direction) => hz[decision * 4 + direction]!).frozen).toBe(false);
});

test('only the newest decisions count, and none after a clear', () => {
  const monitor = createEntropyMonitor(2, 100);
  for (let i = 0; i < 300; i++) monitor.note(i, 0, i < 200 ? Float64Array.of(i % 2, 0.5) : Float64Array.of(1, 0));
  expect(monitor.measure()).toEqual({ decisions: 100, entropyBits: 0, orderBits: 0, frozen: true });
  monitor.clear();
  expect(monitor.measure().decisions).toBe(0);
});
