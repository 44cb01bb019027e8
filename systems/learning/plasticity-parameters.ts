import { ConfigError } from '../../engine/errors.ts';
import { fnv1aHex } from '../kernel/fnv1a.ts';

/** Constants of the three-factor rule on KC -> MBON edges (spec: brain.md 6.1). */
export type PlasticityParameters = {
  readonly preRole: string;
  readonly postRole: string;
  /** How many edges may be plastic; the strongest are taken. */
  readonly budget: number;
  /** Time constant of an eligibility trace. */
  readonly traceMs: number;
  /** Time constant of the spike-pair kernel. */
  readonly pairMs: number;
  /** Spikes further apart than this do not pair. */
  readonly pairWindowMs: number;
  /** Trace step of a pre-before-post pair at zero distance. */
  readonly potentiation: number;
  /** Trace step, taken away, of a post-before-pre pair at zero distance. */
  readonly depression: number;
  readonly learningRate: number;
  /** Pull of a gain back to 1, per reinforcement. */
  readonly restoring: number;
  readonly minGain: number;
  readonly maxGain: number;
};

const DEFAULTS: PlasticityParameters = {
  preRole: 'kenyon',
  postRole: 'mbon',
  budget: 16_384,
  traceMs: 5_000,
  pairMs: 20,
  pairWindowMs: 100,
  potentiation: 0.1,
  depression: 0.05,
  learningRate: 0.002,
  restoring: 0.0001,
  minGain: 0.9,
  maxGain: 1.1,
};

/** @throws ConfigError KERNEL_PARAMETER naming the constant that cannot be used */
export function resolvePlasticityParameters(overrides: Partial<PlasticityParameters> = {}): PlasticityParameters {
  const merged = { ...DEFAULTS, ...overrides };
  for (const [name, value] of Object.entries(merged)) {
    if (typeof value === 'number' && !Number.isFinite(value)) refuse(name, value, 'a finite number');
  }
  if (merged.traceMs <= 0) refuse('traceMs', merged.traceMs, 'more than 0');
  if (merged.pairMs <= 0) refuse('pairMs', merged.pairMs, 'more than 0');
  if (!Number.isInteger(merged.budget) || merged.budget < 0) refuse('budget', merged.budget, 'a whole number from 0');
  return merged;
}

/** `fly-kc-mbon-rstdp-v2`, or a hash of the constants unless every one is the default (spec: brain.md 6.6). */
export function plasticityVersion(parameters: PlasticityParameters): string {
  const text = hashedText(parameters);
  return text === hashedText(DEFAULTS) ? 'fly-kc-mbon-rstdp-v2' : `rstdp-v2:${fnv1aHex(text)}`;
}

function hashedText(p: PlasticityParameters): string {
  return [
    p.traceMs,
    p.pairMs,
    p.pairWindowMs,
    p.potentiation,
    p.depression,
    p.learningRate,
    p.restoring,
    p.minGain,
    p.maxGain,
  ].join(',');
}

function refuse(name: string, value: number, wanted: string): never {
  throw new ConfigError('KERNEL_PARAMETER', `plasticity ${name} is ${value}; give ${wanted}.`);
}
