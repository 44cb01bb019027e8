import type { Brain, BrainState } from '../../engine/contract/brain.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { createReferencePlasticity } from '../learning/plasticity-reference.ts';
import type { ReferencePlasticity } from '../learning/plasticity-reference.ts';
import { checkBrainState } from './brain-state.ts';
import type { RestorableState } from './brain-state.ts';
import { createBrain } from './create-brain.ts';
import { drawBaseline } from './draw-baseline.ts';
import type { Kernel } from './kernel.ts';
import { checkSeed, kernelVersion, resolveKernelParameters } from './parameters.ts';
import type { KernelOverrides } from './parameters.ts';
import { projectRetina } from './retina.ts';
import { trackRates } from './tracked-rates.ts';
import { nextXorshift } from './xorshift.ts';

export type ReferenceOptions = {
  readonly seed: number;
  readonly connectome: Connectome;
  readonly parameters?: KernelOverrides;
};

/** The oracle with its arrays open: tests write and read them between steps. */
export type ReferenceKernel = Kernel & {
  readonly membrane: Float32Array;
  readonly refractory: Uint8Array;
  readonly baseline: Float32Array;
  readonly lastSpikeMs: Float64Array;
  readonly plasticity: ReferencePlasticity;
  /** Signed state of the random stream. */
  rng(): number;
};

/** A brain stepped by the oracle; `advance` computes in the calling thread and resolves at once. */
export function createReferenceBrain(options: ReferenceOptions & { readonly agentId: string }): Brain {
  const kernel = createReferenceKernel(options);
  return createBrain({
    agentId: options.agentId,
    seed: options.seed,
    kernel,
    advance: (ticks) => Promise.resolve(kernel.step(ticks)),
    close: () => Promise.resolve(),
  });
}

/**
 * The float64 oracle of the LIF kernel, in the order of brain.md 4.3: arithmetic is f64, rounding happens only on a
 * store into a float32 array. Slow and plain on purpose.
 */
export function createReferenceKernel({ seed, connectome, parameters: overrides }: ReferenceOptions): ReferenceKernel {
  checkSeed(seed);
  const parameters = resolveKernelParameters(overrides);
  const { threshold, refractoryMs, synapseScale, noiseKicks, noiseAmount, rateAlpha, membraneFloor } = parameters;
  const { indptr, targets, weights, neurons, retina } = connectome;
  const plasticity = createReferencePlasticity(connectome, parameters.plasticity);
  const { baseline, rng: rngAfterBaseline } = drawBaseline(neurons, seed, parameters.baselineMax);
  const tracked = trackRates(connectome, parameters.rateRoles);
  const roleCount = tracked.roles.length;
  const stimulated = connectome.roles.get(parameters.stimulation.role) ?? new Uint32Array(0);
  const decay = Math.fround(Math.exp(-1 / parameters.decayMs));

  const membrane = new Float32Array(neurons);
  const refractory = new Uint8Array(neurons);
  const lastSpikeMs = new Float64Array(neurons).fill(-1_000_000);
  const visualDrive = new Float32Array(retina.count);
  const rates = new Float64Array(roleCount);
  const spikeBits = new Uint8Array((neurons + 7) >> 3);
  const spikes = new Uint32Array(neurons);
  const counts = new Uint32Array(roleCount);
  const slotOfEdge = new Map(Array.from(plasticity.edges.edge, (edge, slot) => [edge, slot] as const));
  const hasPlasticEdge = new Uint8Array(neurons);
  for (const source of plasticity.edges.source) hasPlasticEdge[source] = 1;

  let rng = rngAfterBaseline;
  let ms = 0;
  let rewardRemaining = 0;
  let populationRate = 0;

  function tick(): number {
    for (let kick = 0; kick < noiseKicks; kick++) {
      rng = nextXorshift(rng);
      const neuron = (rng >>> 0) % neurons;
      membrane[neuron] = membrane[neuron]! + noiseAmount;
    }
    for (let column = 0; column < retina.count; column++) {
      const neuron = retina.neuron[column]!;
      membrane[neuron] = membrane[neuron]! + visualDrive[column]!;
    }
    if (rewardRemaining > 0) {
      for (const neuron of stimulated) membrane[neuron] = membrane[neuron]! + parameters.stimulation.drive;
      rewardRemaining -= 1;
    }
    const spikeCount = sweep();
    plasticity.observe(spikes, spikeCount, lastSpikeMs, ms);
    propagate(spikeCount);
    for (let role = 0; role < roleCount; role++) {
      const size = tracked.sizes[role]!;
      const instant = size > 0 ? (counts[role]! * 1000) / size : 0;
      rates[role] = rates[role]! + (instant - rates[role]!) * rateAlpha;
    }
    populationRate += ((spikeCount * 1000) / neurons - populationRate) * rateAlpha;
    ms += 1;
    return spikeCount;
  }

  function sweep(): number {
    let spikeCount = 0;
    for (let neuron = 0; neuron < neurons; neuron++) {
      if (refractory[neuron]! > 0) {
        refractory[neuron] = refractory[neuron]! - 1;
        membrane[neuron] = membrane[neuron]! * decay;
        continue;
      }
      const value = membrane[neuron]! * decay + baseline[neuron]!;
      if (value >= threshold) {
        membrane[neuron] = 0;
        refractory[neuron] = refractoryMs;
        spikes[spikeCount++] = neuron;
      } else {
        membrane[neuron] = value;
      }
    }
    return spikeCount;
  }

  function propagate(spikeCount: number): void {
    counts.fill(0);
    for (let index = 0; index < spikeCount; index++) {
      const source = spikes[index]!;
      lastSpikeMs[source] = ms;
      spikeBits[source >> 3] = spikeBits[source >> 3]! | (1 << (source & 7));
      countRoles(source);
      const isPlastic = hasPlasticEdge[source] === 1;
      for (let edge = indptr[source]!; edge < indptr[source + 1]!; edge++) {
        const target = targets[edge]!;
        const slot = isPlastic ? slotOfEdge.get(edge) : undefined;
        const gain = slot === undefined ? 1 : plasticity.gains[slot]!;
        // clamp per edge, not once at the end: the floor depends on order
        membrane[target] = Math.max(membraneFloor, membrane[target]! + weights[edge]! * gain * synapseScale);
      }
    }
  }

  function countRoles(neuron: number): void {
    for (let low = tracked.lowMask[neuron]!; low !== 0; low &= low - 1) {
      const role = 31 - Math.clz32(low & -low);
      counts[role] = counts[role]! + 1;
    }
    for (let high = tracked.highMask[neuron]!; high !== 0; high &= high - 1) {
      const role = 63 - Math.clz32(high & -high);
      counts[role] = counts[role]! + 1;
    }
  }

  function exportState(): BrainState {
    return {
      membrane: membrane.slice(),
      refractory: refractory.slice(),
      lastSpikeMs: lastSpikeMs.slice(),
      visualDrive: visualDrive.slice(),
      rng,
      rewardRemaining,
      ms,
      populationRate,
      rates: Object.fromEntries(tracked.roles.map((name, role) => [name, rates[role]!])),
      plasticity: plasticity.exportState(),
    };
  }

  function importState(state: RestorableState): void {
    checkBrainState(state, { neurons, columns: retina.count, plasticityFault: plasticity.stateFault });
    plasticity.importState(state.plasticity);
    membrane.set(state.membrane);
    refractory.set(state.refractory);
    lastSpikeMs.set(state.lastSpikeMs);
    visualDrive.set(state.visualDrive);
    rng = state.rng | 0;
    rewardRemaining = state.rewardRemaining;
    ms = state.ms;
    populationRate = state.populationRate;
    tracked.roles.forEach((name, role) => {
      rates[role] = state.rates[name] ?? 0;
    });
    spikeBits.fill(0);
  }

  return {
    neuronCount: neurons,
    kernelVersion: kernelVersion(parameters, seed),
    plasticityVersion: plasticity.version,
    rateRoles: tracked.roles,
    supportedStimuli: stimulated.length > 0 ? ['reward-pulse'] : [],
    rates,
    spikeBits,
    visualDrive,
    membrane,
    refractory,
    baseline,
    lastSpikeMs,
    plasticity,
    rng: () => rng,
    ticks: () => ms,
    populationRateHz: () => populationRate,
    stimulusRemainingMs: () => Math.max(0, rewardRemaining),
    learning: plasticity.statistics,
    isLearning: plasticity.isEnabled,
    step(ticks) {
      spikeBits.fill(0);
      let total = 0;
      for (let done = 0; done < ticks; done++) total += tick();
      return total;
    },
    installFrame(rgba, widthPx, heightPx) {
      projectRetina(rgba, widthPx, heightPx, retina, parameters.retina.gain, visualDrive);
    },
    stimulate(pulseMs) {
      rewardRemaining = Math.max(rewardRemaining, pulseMs);
    },
    reinforce: (reward) => plasticity.reinforce(reward, ms),
    setLearning: plasticity.setEnabled,
    clearEligibility: () => plasticity.clearEligibility(ms),
    exportState,
    importState,
  };
}
