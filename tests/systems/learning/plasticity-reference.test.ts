import { describe, expect, test } from 'vitest';
import type { PlasticityState } from '../../../engine/contract/brain.ts';
import type { Kernel } from '../../../systems/kernel/kernel.ts';
import { toyConnectome } from '../kernel/test-graphs.ts';
import { KERNELS, expectSameState } from '../kernel/test-kernels.ts';

const QUIET = { noiseKicks: 0, baselineMax: 0 };
const KENYON = 0;
const MBON = 1;

describe.each(KERNELS)('plasticity of the %s kernel', (_name, open) => {
  /** A toy brain in which `neuron` spikes at `ms` and nothing else does. */
  function spikeOnce(neuron: number, ms: number, lastSpikeMs: Record<number, number>): Kernel {
    const kernel = open(toyConnectome(), 22_222, QUIET);
    const state = kernel.exportState();
    state.membrane[neuron] = 1.5;
    for (const [other, spikedAt] of Object.entries(lastSpikeMs)) state.lastSpikeMs[Number(other)] = spikedAt;
    kernel.importState({ ...state, ms });
    expect(kernel.step(1)).toBe(1);
    return kernel;
  }

  test('pre before post potentiates, a reward moves the gain, a loss moves it back (spec: brain.md 6.7)', () => {
    const kernel = spikeOnce(MBON, 110, { [KENYON]: 100 });
    expect(slot(kernel).trace).toBe(0.06065306439995766);
    kernel.step(19);
    expect(kernel.ticks()).toBe(130);
    kernel.reinforce(1);
    expect(slot(kernel)).toEqual({ trace: 0.060410935431718826, gain: 1.0000920295715332, touched: 130 });
    expect(kernel.learning().signal).toBe(0.7615941559557649);
    kernel.step(270);
    kernel.reinforce(-0.5);
    expect(slot(kernel)).toEqual({ trace: 0.05723525956273079, gain: 1.0000391006469727, touched: 400 });
    expect(kernel.learning().updates).toBe(2);
  });

  test('post before pre depresses (spec: brain.md 6.7)', () => {
    const kernel = spikeOnce(KENYON, 100, { [MBON]: 90 });
    expect(slot(kernel).trace).toBe(-0.03032653219997883);
    kernel.importState({ ...kernel.exportState(), ms: 100 });
    kernel.reinforce(1);
    expect(slot(kernel).gain).toBe(0.9999538064002991);
  });

  test('spikes 100 ms apart pair, 101 ms apart or together do not (spec: brain.md 6.7)', () => {
    expect(slot(spikeOnce(MBON, 200, { [KENYON]: 100 })).trace).toBe(Math.fround(0.0006737947114743292));
    expect(slot(spikeOnce(MBON, 201, { [KENYON]: 100 })).trace).toBe(0);
    expect(slot(spikeOnce(MBON, 200, { [KENYON]: 200 })).trace).toBe(0);
  });

  test('a zero or unreal reward leaves the state identical (spec: brain.md 15)', () => {
    const kernel = spikeOnce(MBON, 110, { [KENYON]: 100 });
    const before = kernel.exportState();
    for (const reward of [0, -0, NaN, Infinity, -Infinity]) kernel.reinforce(reward);
    expectSameState(kernel.exportState(), before);
  });

  test('switched off, spikes and rewards teach nothing (spec: brain.md 6.6)', () => {
    const kernel = open(toyConnectome(), 22_222, QUIET);
    kernel.setLearning(false);
    const state = kernel.exportState();
    state.membrane[MBON] = 1.5;
    state.lastSpikeMs[KENYON] = 100;
    kernel.importState({ ...state, ms: 110 });
    kernel.step(1);
    kernel.reinforce(1);
    expect(slot(kernel)).toEqual({ trace: 0, gain: 1, touched: 0 });
    expect(kernel.learning()).toMatchObject({ enabled: false, updates: 0, signal: 0 });
  });

  test('clearing eligibility keeps gains and updates (spec: brain.md 6.6)', () => {
    const kernel = spikeOnce(MBON, 110, { [KENYON]: 100 });
    kernel.reinforce(1);
    const { gain } = slot(kernel);
    kernel.clearEligibility();
    expect(slot(kernel)).toEqual({ trace: 0, gain, touched: 111 });
    expect(kernel.learning()).toMatchObject({ updates: 1, signal: 0 });
  });

  test('statistics measure the distance of the gains from 1 (spec: brain.md 6.6)', () => {
    const kernel = open(toyConnectome());
    expect(kernel.learning()).toEqual({
      ...{ enabled: true, synapses: 1, updates: 0, changed: 0, meanChange: 0, maxChange: 0, signal: 0 },
    });
    importPlasticity(kernel, { gains: Float32Array.of(1.05), updates: 7 });
    const distance = Math.fround(1.05) - 1;
    expect(kernel.learning()).toMatchObject({ changed: 1, meanChange: distance, maxChange: distance, updates: 7 });
    const none = open(toyConnectome(), 22_222, { plasticity: { preRole: 'absent' } });
    expect(none.learning()).toMatchObject({ synapses: 0, meanChange: 0, maxChange: 0 });
  });

  test('both ends of the gain range are restored although float32 overshoots them (spec: brain.md 6.6)', () => {
    const kernel = open(toyConnectome());
    for (const gain of [0.9, 1.1]) {
      importPlasticity(kernel, { gains: Float32Array.of(gain) });
      expect(slot(kernel).gain).toBe(Math.fround(gain));
    }
  });

  test('a state without plasticity is an untrained brain that keeps its switch (spec: brain.md 6.6)', () => {
    const kernel = spikeOnce(MBON, 110, { [KENYON]: 100 });
    kernel.reinforce(1);
    kernel.setLearning(false);
    kernel.importState({ ...kernel.exportState(), plasticity: undefined });
    expect(slot(kernel)).toEqual({ trace: 0, gain: 1, touched: 0 });
    expect(kernel.learning()).toMatchObject({ enabled: false, updates: 0, signal: 0 });
  });

  test.each<[string, Partial<PlasticityState>]>([
    ['another version', { version: 'rstdp-v2:00000000' }],
    ['another topology', { topology: 1 }],
    ['too many gains', { gains: new Float32Array(2).fill(1) }],
    ['no traces', { traces: new Float32Array(0) }],
    ['too many stamps', { touched: new Float64Array(2) }],
    ['a switch that is no boolean', { enabled: 1 as unknown as boolean }],
    ['half an update', { updates: 0.5 }],
    ['a signal beyond 1', { signal: 1.1 }],
    ['a gain out of range', { gains: Float32Array.of(1.11) }],
    ['a gain that is no number', { gains: Float32Array.of(NaN) }],
    ['a trace beyond 1', { traces: Float32Array.of(-1.01) }],
    ['a stamp before 0', { touched: Float64Array.of(-1) }],
  ])('a state with %s is refused and nothing changes (spec: brain.md 6.6)', (_fault, wrong) => {
    const kernel = spikeOnce(MBON, 110, { [KENYON]: 100 });
    const before = kernel.exportState();
    const plasticity = { ...before.plasticity, ...wrong };
    expect(() => kernel.importState({ ...before, ms: 5, plasticity })).toThrow(
      expect.objectContaining({ code: 'BRAIN_STATE' }),
    );
    expectSameState(kernel.exportState(), before);
  });
});

function slot(kernel: Kernel): { trace: number; gain: number; touched: number } {
  const { traces, gains, touched } = kernel.exportState().plasticity;
  return { trace: traces[0]!, gain: gains[0]!, touched: touched[0]! };
}

function importPlasticity(kernel: Kernel, part: Partial<PlasticityState>): void {
  const state = kernel.exportState();
  kernel.importState({ ...state, plasticity: { ...state.plasticity, ...part } });
}
