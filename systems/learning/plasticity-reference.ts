import type { LearningStatistics, PlasticityState } from '../../engine/contract/brain.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { selectPlasticEdges } from './plasticity-edges.ts';
import type { PlasticEdges } from './plasticity-edges.ts';
import { plasticityVersion } from './plasticity-parameters.ts';
import type { PlasticityParameters } from './plasticity-parameters.ts';
import { plasticityStateFault } from './plasticity-state.ts';
import { gainStatistics } from './plasticity-statistics.ts';

/** Three-factor, reward-modulated spike-timing plasticity as the spec writes it (brain.md 6): the oracle. */
export type ReferencePlasticity = {
  readonly version: string;
  readonly edges: PlasticEdges;
  readonly gains: Float32Array;
  readonly traces: Float32Array;
  readonly touched: Float64Array;
  isEnabled(): boolean;
  setEnabled(enabled: boolean): void;
  /** Pairs this tick's spikes (list order) with the partners' last spikes of earlier ticks. */
  observe(spikes: Uint32Array, spikeCount: number, lastSpikeMs: Float64Array, ms: number): void;
  reinforce(reward: number, ms: number): void;
  clearEligibility(ms: number): void;
  statistics(): LearningStatistics;
  exportState(): PlasticityState;
  /** Why the state would be refused, or null. */
  stateFault(state: PlasticityState): string | null;
  /** Writes a state that has no fault; no state at all means untrained (spec: brain.md 6.6). */
  importState(state: PlasticityState | undefined): void;
};

export function createReferencePlasticity(
  connectome: Connectome,
  parameters: PlasticityParameters,
): ReferencePlasticity {
  const { traceMs, pairMs, pairWindowMs, potentiation, depression } = parameters;
  const { learningRate, restoring, minGain, maxGain } = parameters;
  const version = plasticityVersion(parameters);
  const edges = selectPlasticEdges(connectome, parameters);
  const slots = edges.edge.length;
  const gains = new Float32Array(slots).fill(1);
  const traces = new Float32Array(slots);
  const touched = new Float64Array(slots);
  const incoming = slotsByNeuron(edges.target);
  const outgoing = slotsByNeuron(edges.source);
  let enabled = true;
  let updates = 0;
  let signal = 0;

  function advanceTrace(slot: number, ms: number, pair: number): void {
    const decay = Math.exp(-Math.max(0, ms - touched[slot]!) / traceMs);
    traces[slot] = Math.max(-1, Math.min(1, traces[slot]! * decay + pair));
    touched[slot] = ms;
  }

  function observe(spikes: Uint32Array, spikeCount: number, lastSpikeMs: Float64Array, ms: number): void {
    if (!enabled) return;
    for (let index = 0; index < spikeCount; index++) {
      const neuron = spikes[index]!;
      for (const slot of incoming.get(neuron) ?? []) {
        const apartMs = ms - lastSpikeMs[edges.source[slot]!]!;
        if (apartMs > 0 && apartMs <= pairWindowMs) advanceTrace(slot, ms, potentiation * Math.exp(-apartMs / pairMs));
      }
      for (const slot of outgoing.get(neuron) ?? []) {
        const apartMs = ms - lastSpikeMs[edges.target[slot]!]!;
        if (apartMs > 0 && apartMs <= pairWindowMs) advanceTrace(slot, ms, -depression * Math.exp(-apartMs / pairMs));
      }
    }
  }

  function reinforce(reward: number, ms: number): void {
    if (!enabled || !Number.isFinite(reward) || reward === 0) return;
    signal = Math.tanh(reward);
    let moved = false;
    for (let slot = 0; slot < slots; slot++) {
      advanceTrace(slot, ms, 0);
      const old = gains[slot]!;
      const next = old + learningRate * signal * traces[slot]! - restoring * (old - 1);
      gains[slot] = Math.max(minGain, Math.min(maxGain, next));
      if (gains[slot] !== old) moved = true;
    }
    if (moved) updates++;
  }

  function clearEligibility(ms: number): void {
    traces.fill(0);
    touched.fill(ms);
    signal = 0;
  }

  function importState(state: PlasticityState | undefined): void {
    if (state === undefined) {
      gains.fill(1);
      traces.fill(0);
      touched.fill(0);
      updates = 0;
      signal = 0;
      return;
    }
    gains.set(state.gains);
    traces.set(state.traces);
    touched.set(state.touched);
    enabled = state.enabled;
    updates = state.updates;
    signal = state.signal;
  }

  return {
    version,
    edges,
    gains,
    traces,
    touched,
    isEnabled: () => enabled,
    setEnabled: (value) => {
      enabled = value;
    },
    observe,
    reinforce,
    clearEligibility,
    statistics: () => ({ enabled, synapses: slots, updates, ...gainStatistics(gains), signal }),
    exportState: () => ({
      version,
      topology: edges.topology,
      enabled,
      updates,
      signal,
      gains: gains.slice(),
      traces: traces.slice(),
      touched: touched.slice(),
    }),
    stateFault: (state) => plasticityStateFault(state, { version, topology: edges.topology, slots }, parameters),
    importState,
  };
}

/** Slots of each neuron in ascending order. */
function slotsByNeuron(neuronOfSlot: Uint32Array): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  neuronOfSlot.forEach((neuron, slot) => {
    const list = lists.get(neuron);
    if (list) list.push(slot);
    else lists.set(neuron, [slot]);
  });
  return lists;
}
