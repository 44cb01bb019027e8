import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Connectome } from '../../../engine/contract/connectome.ts';
import type { Kernel } from '../../../systems/kernel/kernel.ts';
import type { KernelOverrides } from '../../../systems/kernel/parameters.ts';
import { createSyntheticConnectome } from '../../bench/synthetic-connectome.ts';
import { noiseFrames, testConnectome } from './test-graphs.ts';
import { expectSameState, openReference, openWasm } from './test-kernels.ts';

const FRAMES = noiseFrames(5, 3);

type Act =
  | { readonly kind: 'step'; readonly ticks: number }
  | { readonly kind: 'stimulate'; readonly ms: number }
  | { readonly kind: 'reinforce'; readonly reward: number }
  | { readonly kind: 'learning'; readonly enabled: boolean }
  | { readonly kind: 'clear' }
  | { readonly kind: 'frame'; readonly index: number }
  | { readonly kind: 'reimport' }
  | { readonly kind: 'disturb'; readonly seed: number };

const weight = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -400, max: 400 }) },
  { weight: 1, arbitrary: fc.constantFrom(8191, 8192, -8192, -8193, 32767, -32768, 0) },
);

/** Unsorted rows, self-edges, repeated and neighbouring targets, roles that are empty or list a neuron twice. */
const graph: fc.Arbitrary<Connectome> = fc.integer({ min: 1, max: 24 }).chain((neurons) => {
  const neuron = fc.nat({ max: neurons - 1 });
  const members = fc.array(neuron, { maxLength: 8 });
  const row = fc.array(fc.record({ target: neuron, weight, repeat: fc.boolean() }), { maxLength: 12 });
  return fc
    .record({
      rows: fc.array(row, { minLength: neurons, maxLength: neurons }),
      roles: fc.record({
        kenyon: members,
        mbon: members,
        reward_pam: members,
        command_0: members,
        command_1: members,
        forward: members,
      }),
      columns: fc.array(
        fc.record({
          neuron,
          hemisphere: fc.nat({ max: 1 }),
          x: fc.integer({ min: -9, max: 9 }),
          y: fc.integer({ min: -9, max: 9 }),
        }),
        { maxLength: 6 },
      ),
    })
    .map(({ rows, roles, columns }) => {
      const edges = rows.map((edgesOfRow) =>
        edgesOfRow.flatMap(({ repeat, ...edge }) => (repeat ? [edge, { ...edge, weight: -edge.weight >> 1 }] : [edge])),
      );
      const indptr = [0];
      for (const edgesOfRow of edges) indptr.push(indptr.at(-1) + edgesOfRow.length);
      const flat = edges.flat();
      return testConnectome({
        indptr,
        targets: flat.map((edge) => edge.target),
        weights: flat.map((edge) => edge.weight),
        roles,
        columns,
      });
    });
});

const parameters: fc.Arbitrary<KernelOverrides> = fc.record({
  decayMs: fc.constantFrom(20, 5, 100, 0.05, 333.3),
  threshold: fc.constantFrom(1, 0.4, 0, -0.5),
  refractoryMs: fc.constantFrom(2, 0, 1, 3, 9, 255, 256, 258),
  synapseScale: fc.constantFrom(0.005, 0.006, -0.01),
  baselineMax: fc.constantFrom(0.06, 0, 0.3),
  noiseKicks: fc.constantFrom(0, 1, 7, 40),
  noiseAmount: fc.constantFrom(0.42, 0.5, -0.1),
  rateAlpha: fc.constantFrom(1 / 25, 1 / 50, 1),
  membraneFloor: fc.constantFrom(-2, 0, -0, -0.3),
  stimulation: fc.constantFrom({ role: 'reward_pam', drive: 0.2 }, { role: 'absent', drive: 1 }),
  rateRoles: fc.constantFrom(['command_0', 'kenyon', 'mbon'], []),
  plasticity: fc.record({
    budget: fc.constantFrom(16_384, 3, 0),
    traceMs: fc.constantFrom(5_000, 40),
    pairMs: fc.constantFrom(20, 3.7),
    pairWindowMs: fc.constantFrom(100, 4, 2.5, 0, -1, 5_000),
    potentiation: fc.constantFrom(0.1, 2),
    depression: fc.constantFrom(0.05, -0.3),
    learningRate: fc.constantFrom(0.002, 0.5),
    restoring: fc.constantFrom(0.0001, 0.2),
  }),
});

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('step'), ticks: fc.integer({ min: 0, max: 30 }) }) },
  fc.record({ kind: fc.constant('stimulate'), ms: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ kind: fc.constant('reinforce'), reward: fc.constantFrom(1, -0.5, 0, 30, 1e-12, NaN) }),
  fc.record({ kind: fc.constant('learning'), enabled: fc.boolean() }),
  fc.record({ kind: fc.constant('clear') }),
  fc.record({ kind: fc.constant('frame'), index: fc.nat({ max: 2 }) }),
  fc.record({ kind: fc.constant('reimport') }),
  fc.record({ kind: fc.constant('disturb'), seed: fc.integer({ min: 1, max: 1e6 }) }),
);

test('the compiled kernel equals the reference on any graph, constants and sequence of calls', () => {
  fc.assert(
    fc.property(
      graph,
      parameters,
      fc.integer({ min: 1, max: 1e6 }),
      fc.array(act, { maxLength: 14 }),
      (...run) => void runBoth(...run),
    ),
    { numRuns: 600 },
  );
});

test('default constants and default populations are equal too, over longer runs', () => {
  fc.assert(
    fc.property(
      graph,
      fc.integer({ min: 1, max: 1e6 }),
      fc.array(act, { minLength: 10, maxLength: 40 }),
      (g, seed, acts) => void runBoth(g, {}, seed, acts),
    ),
    { numRuns: 150 },
  );
});

test('a brain of one neuron without edges or populations runs', () => {
  const lonely = testConnectome({ indptr: [0, 0], targets: [], weights: [] });
  runBoth(lonely, {}, 22_222, [{ kind: 'step', ticks: 500 }, { kind: 'reimport' }, { kind: 'step', ticks: 500 }]);
});

test('two neighbouring edges to one target are both applied, with a clamp between them', () => {
  const connectome = testConnectome({ indptr: [0, 4, 4], targets: [1, 1, 1, 1], weights: [-800, 500, 100, -30] });
  const kernel = openWasm(connectome, 22_222, { noiseKicks: 0, baselineMax: 0 });
  kernel.importState({ ...kernel.exportState(), membrane: Float32Array.of(2, 0) });
  kernel.step(1);
  // -4 clamps to -2; +2.5; +0.5; -0.15
  expect(kernel.exportState().membrane[1]).toBe(Math.fround(1 - 0.15));
});

test('targets beyond 18 bits and weights beyond 14 bits are stepped like the others', () => {
  const neurons = 300_000;
  const indptr = Uint32Array.from({ length: neurons + 1 }, (_, neuron) => Math.min(neuron, 200) * 3);
  const targets = Uint32Array.from({ length: 600 }, (_, edge) => (edge * 7_919_777) % neurons);
  const weights = Int16Array.from({ length: 600 }, (_, edge) => (edge % 2 ? 20 : 9_000) * (edge % 3 ? 1 : -1));
  const wide = testConnectome({ indptr, targets, weights });
  const { reference } = runBoth(wide, { baselineMax: 0.1 }, 22_222, [{ kind: 'step', ticks: 60 }]);
  expect(reference.populationRateHz()).toBeGreaterThan(1);
});

test('300 ticks of a whole-brain graph with learning, light, a pulse and rewards are equal', () => {
  const connectome = createSyntheticConnectome();
  const acts: Act[] = [
    { kind: 'frame', index: 0 },
    { kind: 'stimulate', ms: 60 },
  ];
  for (let part = 0; part < 6; part++) acts.push({ kind: 'step', ticks: 50 }, { kind: 'reinforce', reward: 0.5 });
  const { reference } = runBoth(connectome, { baselineMax: 0.07 }, 22_222, acts);
  expect(reference.learning()).toMatchObject({ synapses: 16_384, updates: 6 });
  expect(reference.populationRateHz()).toBeGreaterThan(5);
});

function runBoth(
  connectome: Connectome,
  overrides: KernelOverrides,
  seed: number,
  acts: readonly Act[],
): { reference: Kernel; wasm: Kernel } {
  const reference = openReference(connectome, seed, overrides);
  const wasm = openWasm(connectome, seed, overrides);
  for (const next of acts) {
    expect(perform(wasm, next)).toBe(perform(reference, next));
    expectSameState(wasm.exportState(), reference.exportState());
    expect(wasm.spikeBits).toStrictEqual(reference.spikeBits);
    expect(wasm.learning()).toStrictEqual(reference.learning());
  }
  expect(wasm.kernelVersion).toBe(reference.kernelVersion);
  expect(wasm.rateRoles).toEqual(reference.rateRoles);
  return { reference, wasm };
}

function perform(kernel: Kernel, next: Act): number {
  switch (next.kind) {
    case 'step':
      return kernel.step(next.ticks);
    case 'stimulate':
      kernel.stimulate(next.ms);
      break;
    case 'reinforce':
      kernel.reinforce(next.reward);
      break;
    case 'learning':
      kernel.setLearning(next.enabled);
      break;
    case 'clear':
      kernel.clearEligibility();
      break;
    case 'frame':
      kernel.installFrame(FRAMES[next.index]!, 160, 144);
      break;
    case 'reimport':
      kernel.importState(kernel.exportState());
      break;
    case 'disturb':
      disturb(kernel, next.seed);
      break;
    default:
      next satisfies never;
  }
  return 0;
}

/** Imports what no run of this kernel leaves but every import allows: long refractory counts, stamps between ticks. */
function disturb(kernel: Kernel, seed: number): void {
  const state = kernel.exportState();
  let draw = seed;
  const next = (): number => (draw = (Math.imul(draw, 48_271) >>> 0) % 2_147_483_647);
  for (let neuron = 0; neuron < state.refractory.length; neuron++) {
    state.refractory[neuron] = next() % 3 === 0 ? next() % 256 : 0;
    state.lastSpikeMs[neuron] = state.ms - (next() % 400) / 4;
    state.membrane[neuron] = (next() % 5_000) / 1_000 - 2.5;
  }
  for (let slot = 0; slot < state.plasticity.touched.length; slot++) {
    state.plasticity.touched[slot] = (next() % 10_000) / 4;
    state.plasticity.traces[slot] = (next() % 2_001) / 1_000 - 1;
  }
  kernel.importState({ ...state, ms: state.ms + (next() % 50), rng: next(), rewardRemaining: next() % 9, rates: {} });
}
