import { expect, test } from 'vitest';
import { fnv1aHex } from '../../../systems/kernel/fnv1a.ts';
import { checkSeed, kernelVersion, resolveKernelParameters } from '../../../systems/kernel/parameters.ts';
import type { KernelOverrides } from '../../../systems/kernel/parameters.ts';

const RETINA = { gain: 0.2, width: 160, height: 144 };
const STIMULATION = { role: 'reward_pam', drive: 0.2 };

test('FNV-1a check values (spec: brain.md 4.9)', () => {
  expect(fnv1aHex('')).toBe('811c9dc5');
  expect(fnv1aHex('a')).toBe('e40c292c');
  expect(fnv1aHex('foobar')).toBe('bf9cf968');
});

test.each<[string, KernelOverrides]>([
  ['b57eb192', { decayMs: 25 }],
  ['10f58917', { threshold: 0.9 }],
  ['dac0a7f6', { refractoryMs: 3 }],
  ['082a170c', { synapseScale: 0.006 }],
  ['ac427802', { baselineMax: 0.05 }],
  ['eb44d5e8', { noiseKicks: 200 }],
  ['d5cb7b2c', { noiseAmount: 0.5 }],
  ['c4f29f17', { rateAlpha: 1 / 50 }],
  ['9241ee4a', { membraneFloor: -3 }],
  ['c70f06f6', { stimulation: { ...STIMULATION, drive: 0.3 } }],
  ['38b5fb5a', { retina: { ...RETINA, gain: 0.3 } }],
  ['d9c0b66f', { retina: { ...RETINA, width: 320 } }],
  ['06263310', { retina: { ...RETINA, height: 288 } }],
  ['dc08662e', { retina: { ...RETINA, width: 256, height: 192 } }],
  ['c559d0f6', { retina: { ...RETINA, width: 320, height: 240 } }],
])('kernel version suffix %s belongs to %o (spec: brain.md 4.9)', (suffix, overrides) => {
  expect(kernelVersion(resolveKernelParameters(overrides), 22_222)).toBe(`lif-1ms-f64-v2:${suffix}`);
});

test.each([
  ['8a738d0c', 1],
  ['9b0f15e3', -184946063],
  ['d63bfceb', 535504990],
])('kernel version suffix %s belongs to seed %i (spec: brain.md 4.9)', (suffix, seed) => {
  expect(kernelVersion(resolveKernelParameters(), seed)).toBe(`lif-1ms-f64-v2:${suffix}`);
});

test('defaults and mere role names keep the plain version (spec: brain.md 4.9)', () => {
  expect(kernelVersion(resolveKernelParameters(), 22_222)).toBe('lif-1ms-f64-v2');
  const renamed = resolveKernelParameters({ stimulation: { role: 'other', drive: 0.2 }, rateRoles: ['motor'] });
  expect(kernelVersion(renamed, 22_222)).toBe('lif-1ms-f64-v2');
});

test.each<KernelOverrides>([
  { decayMs: 0 },
  { decayMs: Number.NaN },
  { threshold: Infinity },
  { noiseKicks: 1.5 },
  { refractoryMs: -1 },
  { synapseScale: 1e7 },
  { plasticity: { traceMs: 0 } },
  { plasticity: { budget: -1 } },
])('constants the kernel cannot compute with are refused: %o', (overrides) => {
  expect(() => resolveKernelParameters(overrides)).toThrow(expect.objectContaining({ code: 'KERNEL_PARAMETER' }));
});

test('seed 0, the fixed point of the stream, is refused (spec: brain.md 4.4)', () => {
  for (const seed of [0, 2 ** 32, 0.5]) {
    expect(() => checkSeed(seed)).toThrow(expect.objectContaining({ code: 'KERNEL_PARAMETER' }));
  }
});
