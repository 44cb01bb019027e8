import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BrainState } from '../../../engine/contract/brain.ts';
import type { Kernel } from '../../../systems/kernel/kernel.ts';
import { noiseFrames, syntheticConnectome, toyGConnectome } from './test-graphs.ts';
import { KERNELS, expectSameState, openReference, openWasm } from './test-kernels.ts';

// A year of 1 ms ticks is 31,536,000,000: beyond every 32-bit counter and far below 2^53.
const YEAR_TICKS = 365 * 86_400_000;
const LAST_EXACT_TICK = 2 ** 53 - 1;
const FRAMES = noiseFrames(9, 2);

/** Ages around the places where a narrower counter would wrap or lose ticks. */
const age = fc.oneof(
  ...[2 ** 24, 2 ** 31, 2 ** 32, YEAR_TICKS, 2 ** 40, 2 ** 52].map((about) =>
    fc.integer({ min: -300, max: 300 }).map((by) => about + by),
  ),
  fc.integer({ min: LAST_EXACT_TICK - 4_000, max: LAST_EXACT_TICK - 1_000 }),
  fc.integer({ min: 2 ** 32, max: LAST_EXACT_TICK - 1_000 }),
);

/** The same brain, `ticks` older: every stamp moves with the clock. */
function older(state: BrainState, ticks: number): BrainState {
  const { plasticity } = state;
  return {
    ...state,
    ms: state.ms + ticks,
    lastSpikeMs: state.lastSpikeMs.map((stamp) => stamp + ticks),
    plasticity: { ...plasticity, touched: plasticity.touched.map((stamp) => stamp + ticks) },
  };
}

/** 700 ticks with light, a pulse, a pause of learning and rewards of both signs. */
function live(kernel: Kernel): number {
  let spikes = 0;
  kernel.installFrame(FRAMES[0]!, 160, 144);
  for (let part = 0; part < 14; part++) {
    if (part === 3) kernel.stimulate(70);
    kernel.setLearning(part !== 6);
    spikes += kernel.step(50);
    kernel.reinforce(part % 3 === 0 ? -0.5 : 1);
  }
  return spikes;
}

test('at any age up to 2^53 ticks the compiled kernel equals the reference bit for bit (a year is 2^34.9 ticks)', () => {
  const connectome = toyGConnectome();
  fc.assert(
    fc.property(age, fc.integer({ min: 1, max: 1e6 }), fc.nat({ max: 120 }), (ticks, seed, gap) => {
      const [reference, wasm] = [openReference(connectome, seed), openWasm(connectome, seed)];
      const young = reference.exportState();
      // stamps a few ticks back, as an old brain has them
      const state = { ...young, ms: ticks, lastSpikeMs: young.lastSpikeMs.map((_, neuron) => ticks - gap - neuron) };
      for (const kernel of [reference, wasm]) kernel.importState(state);
      expect(live(wasm)).toBe(live(reference));
      expectSameState(wasm.exportState(), reference.exportState());
      expect(wasm.learning()).toStrictEqual(reference.learning());
      expect(wasm.ticks()).toBe(ticks + 700);
    }),
    { numRuns: 60 },
  );
});

describe.each(KERNELS)('%s kernel in a long run', (_name, open) => {
  test('a brain of any age does exactly what a young one does: only its clock and stamps differ', () => {
    const connectome = syntheticConnectome();
    const young = open(connectome, 7);
    live(young);
    const start = young.exportState();
    const spikes = live(young);
    const end = young.exportState();
    expect(end.plasticity.updates).toBeGreaterThan(start.plasticity.updates);
    for (const ticks of [2 ** 31 - 900, 2 ** 32 - 900, YEAR_TICKS, 2 ** 45, LAST_EXACT_TICK - 2_000]) {
      const old = open(connectome, 7);
      old.importState(older(start, ticks));
      expect(live(old)).toBe(spikes);
      expectSameState(old.exportState(), older(end, ticks));
    }
  });

  test('the count of learning updates goes on past 32 bits, one by one', () => {
    for (const updates of [2 ** 31 - 1, 2 ** 32 - 1, 2 ** 53 - 3]) {
      const kernel = open(toyGConnectome());
      kernel.step(50);
      const state = kernel.exportState();
      const traces = state.plasticity.traces.map(() => 0.5);
      kernel.importState({ ...state, plasticity: { ...state.plasticity, updates, traces } });
      kernel.reinforce(1);
      kernel.reinforce(1);
      expect(kernel.learning().updates).toBe(updates + 2);
      expect(kernel.exportState().plasticity.updates).toBe(updates + 2);
    }
  });

  test('a neuron silent for a year pairs with nothing and its trace is gone, without a number that is none', () => {
    const kernel = open(toyGConnectome());
    const young = kernel.exportState();
    const traces = young.plasticity.traces.map(() => 1);
    kernel.importState({ ...young, ms: YEAR_TICKS, plasticity: { ...young.plasticity, traces } });
    kernel.reinforce(1);
    const { plasticity } = kernel.exportState();
    expect(Array.from(plasticity.traces)).toEqual([0]);
    expect(Array.from(plasticity.gains)).toEqual([1]);
    expect(Array.from(plasticity.touched)).toEqual([YEAR_TICKS]);
  });
});
