import { describe, expect, test } from 'vitest';
import type { BrainState } from '../../../engine/contract/brain.ts';
import { toyGConnectome } from './test-graphs.ts';
import { KERNELS, expectSameState } from './test-kernels.ts';

const WRONG: [string, (state: BrainState) => Partial<BrainState>][] = [
  ['a short membrane', () => ({ membrane: new Float32Array(3) })],
  ['a long refractory array', () => ({ refractory: new Uint8Array(5) })],
  ['a short lastSpikeMs', () => ({ lastSpikeMs: new Float64Array(0) })],
  ['the columns of another eye', () => ({ visualDrive: new Float32Array(3) })],
  ['a clock between ticks', () => ({ ms: 1.5 })],
  ['a clock before 0', () => ({ ms: -1 })],
  ['a clock beyond safe integers', () => ({ ms: 2 ** 53 })],
  ['a fractional random state', () => ({ rng: 0.5 })],
  ['an infinite population rate', () => ({ populationRate: Infinity })],
  ['a pulse below 0', () => ({ rewardRemaining: -0.5 })],
  ['a rate that is no number', () => ({ rates: { command_0: NaN } })],
  ['a membrane that is no number', () => ({ membrane: Float32Array.of(0, NaN, 0, 0) })],
  ['an infinite stamp', () => ({ lastSpikeMs: Float64Array.of(0, 0, 0, -Infinity) })],
  ['an infinite drive', () => ({ visualDrive: Float32Array.of(0, Infinity) })],
  ['a bad plastic part', ({ plasticity }) => ({ ms: 9, plasticity: { ...plasticity, signal: 2 } })],
];

describe.each(KERNELS)('state of the %s kernel', (_name, open) => {
  test.each(WRONG)('%s is refused and nothing changes (spec: brain.md 4.8)', (_fault, wrong) => {
    const kernel = open(toyGConnectome());
    kernel.step(50);
    const before = kernel.exportState();
    expect(() => kernel.importState({ ...before, ...wrong(before) })).toThrow(
      expect.objectContaining({ code: 'BRAIN_STATE' }),
    );
    expectSameState(kernel.exportState(), before);
  });

  test('a restored brain continues bit for bit (spec: brain.md 15)', () => {
    const first = open(toyGConnectome());
    first.stimulate(80);
    first.step(137);
    const second = open(toyGConnectome());
    second.importState(first.exportState());
    for (const kernel of [first, second]) {
      kernel.step(21);
      kernel.reinforce(0.3);
      kernel.step(400);
    }
    expectSameState(second.exportState(), first.exportState());
  });

  test('populations missing from a state start at 0 and unknown ones are ignored (spec: brain.md 4.8)', () => {
    const kernel = open(toyGConnectome());
    kernel.step(50);
    kernel.importState({ ...kernel.exportState(), rates: { reward_pam: 5, unknown: 7 } });
    expect(kernel.exportState().rates).toEqual({ command_0: 0, reward_pam: 5 });
  });

  test('exported arrays are copies', () => {
    const kernel = open(toyGConnectome());
    const state = kernel.exportState();
    kernel.step(50);
    kernel.reinforce(1);
    expect(state.membrane).toEqual(new Float32Array(4));
    expect(state.membrane.buffer).toBeInstanceOf(ArrayBuffer);
    expect(state.lastSpikeMs).toEqual(new Float64Array(4).fill(-1_000_000));
  });
});
