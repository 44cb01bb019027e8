import { ConfigError } from '../../engine/errors.ts';
import { resolvePlasticityParameters } from '../learning/plasticity-parameters.ts';
import type { PlasticityParameters } from '../learning/plasticity-parameters.ts';
import { fnv1aHex } from './fnv1a.ts';

/** Constants of one LIF kernel (spec: brain.md 4.1). Membranes are dimensionless; the default threshold is 1. */
export type KernelParameters = {
  /** Membrane time constant, ms. */
  readonly decayMs: number;
  readonly threshold: number;
  /** Ticks a neuron is skipped after its spike; stored modulo 256. */
  readonly refractoryMs: number;
  /** Membrane step per contact of an edge. */
  readonly synapseScale: number;
  /** Upper bound of the fixed drive each neuron draws at construction. */
  readonly baselineMax: number;
  /** Random kicks per tick over the whole brain. */
  readonly noiseKicks: number;
  readonly noiseAmount: number;
  /** Coefficient of the rate averages, per tick. */
  readonly rateAlpha: number;
  /** Lower clamp of the membrane, applied after each edge. */
  readonly membraneFloor: number;
  readonly stimulation: { readonly role: string; readonly drive: number };
  readonly retina: { readonly gain: number; readonly width: number; readonly height: number };
  /** Tracked populations in this order; absent means the default list (spec: brain.md 4.5). */
  readonly rateRoles?: readonly string[];
  readonly plasticity: PlasticityParameters;
};

/** What a caller may override. `stimulation` and `retina` replace the whole object (spec: brain.md 4.1). */
export type KernelOverrides = Partial<Omit<KernelParameters, 'plasticity'>> & {
  readonly plasticity?: Partial<PlasticityParameters>;
};

export const DEFAULT_SEED = 22_222;

const DEFAULTS: Omit<KernelParameters, 'plasticity'> = {
  decayMs: 20,
  threshold: 1,
  refractoryMs: 2,
  synapseScale: 0.005,
  baselineMax: 0.06,
  noiseKicks: 300,
  noiseAmount: 0.42,
  rateAlpha: 1 / 25,
  membraneFloor: -2,
  stimulation: { role: 'reward_pam', drive: 0.2 },
  retina: { gain: 0.2, width: 160, height: 144 },
};

/** Constants above this could overflow a float32 membrane; no model needs them. */
const LARGEST = 1e6;

/** Below this the decay constant vanishes and a refractory membrane could no longer be told from a resting one. */
const SHORTEST_DECAY_MS = 0.05;

/** @throws ConfigError KERNEL_PARAMETER naming the constant that cannot be used */
export function resolveKernelParameters(overrides: KernelOverrides = {}): KernelParameters {
  const { plasticity, ...rest } = overrides;
  const merged = { ...DEFAULTS, ...rest };
  const finite: Record<string, number> = {
    decayMs: merged.decayMs,
    threshold: merged.threshold,
    refractoryMs: merged.refractoryMs,
    synapseScale: merged.synapseScale,
    baselineMax: merged.baselineMax,
    noiseKicks: merged.noiseKicks,
    noiseAmount: merged.noiseAmount,
    rateAlpha: merged.rateAlpha,
    membraneFloor: merged.membraneFloor,
    'stimulation.drive': merged.stimulation.drive,
    'retina.gain': merged.retina.gain,
  };
  for (const [name, value] of Object.entries(finite)) {
    if (!Number.isFinite(value) || Math.abs(value) > LARGEST) refuse(name, value, `a number up to ${LARGEST}`);
  }
  if (merged.decayMs < SHORTEST_DECAY_MS) refuse('decayMs', merged.decayMs, `at least ${SHORTEST_DECAY_MS}`);
  for (const name of ['noiseKicks', 'refractoryMs'] as const) {
    if (!Number.isInteger(merged[name]) || merged[name] < 0) refuse(name, merged[name], 'a whole number from 0');
  }
  return {
    ...merged,
    membraneFloor: merged.membraneFloor + 0, // -0 becomes 0, so that a clamp has one sign
    plasticity: resolvePlasticityParameters(plasticity),
  };
}

/** @throws ConfigError KERNEL_PARAMETER when the seed is no integer or is the fixed point of xorshift32 */
export function checkSeed(seed: number): void {
  if (!Number.isSafeInteger(seed) || (seed | 0) === 0) refuse('seed', seed, 'an integer whose low 32 bits are not 0');
}

/** `lif-1ms-f64-v2`, with a hash of the constants unless every one is the default (spec: brain.md 4.9). */
export function kernelVersion(parameters: KernelParameters, seed: number): string {
  const text = hashedText(parameters, seed);
  return text === hashedText(resolveKernelParameters(), DEFAULT_SEED)
    ? 'lif-1ms-f64-v2'
    : `lif-1ms-f64-v2:${fnv1aHex(text)}`;
}

function hashedText(p: KernelParameters, seed: number): string {
  return [
    p.decayMs,
    p.threshold,
    p.refractoryMs,
    p.synapseScale,
    p.baselineMax,
    p.noiseKicks,
    p.noiseAmount,
    p.rateAlpha,
    p.membraneFloor,
    seed,
    p.stimulation.drive,
    p.retina.gain,
    p.retina.width,
    p.retina.height,
  ].join(',');
}

function refuse(name: string, value: number, wanted: string): never {
  throw new ConfigError('KERNEL_PARAMETER', `kernel ${name} is ${value}; give ${wanted}.`);
}
