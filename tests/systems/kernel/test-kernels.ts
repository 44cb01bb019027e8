import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { BrainState } from '../../../engine/contract/brain.ts';
import type { Connectome } from '../../../engine/contract/connectome.ts';
import { loadKernelModule, openKernelInstance } from '../../../systems/kernel/kernel-module.ts';
import type { Kernel } from '../../../systems/kernel/kernel.ts';
import { createLinearMemory } from '../../../systems/kernel/linear-memory.ts';
import { resolveKernelParameters } from '../../../systems/kernel/parameters.ts';
import type { KernelOverrides } from '../../../systems/kernel/parameters.ts';
import { createReferenceKernel } from '../../../systems/kernel/reference.ts';
import { createWasmKernel } from '../../../systems/kernel/wasm-kernel.ts';
import { loadTopology } from '../../../systems/kernel/wasm-topology.ts';

export type OpenKernel = (connectome: Connectome, seed?: number, overrides?: KernelOverrides) => Kernel;

export const openReference: OpenKernel = (connectome, seed = 22_222, parameters = {}) =>
  createReferenceKernel({ connectome, seed, parameters });

export const openWasm: OpenKernel = (connectome, seed = 22_222, overrides = {}) => {
  const memory = createLinearMemory(65_536);
  const exports = openKernelInstance(loadKernelModule(), memory.memory);
  const parameters = resolveKernelParameters(overrides);
  const topology = loadTopology(memory, connectome, parameters);
  return createWasmKernel({ memory, exports, topology, connectome, parameters, seed });
};

/** Every published number holds for both. */
export const KERNELS: readonly [name: string, open: OpenKernel][] = [
  ['reference', openReference],
  ['wasm', openWasm],
];

/** SHA-256 of raw little-endian bytes (spec: brain.md 15). */
export function sha256(array: ArrayBufferView): string {
  return createHash('sha256')
    .update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    .digest('hex');
}

/** Bit equality of everything a brain exports. */
export function expectSameState(actual: BrainState, expected: BrainState): void {
  for (const name of ['membrane', 'refractory', 'lastSpikeMs', 'visualDrive'] as const) {
    expectSameBytes(actual[name], expected[name], name);
  }
  for (const name of ['gains', 'traces', 'touched'] as const) {
    expectSameBytes(actual.plasticity[name], expected.plasticity[name], name);
  }
  expect(scalars(actual)).toStrictEqual(scalars(expected));
}

function expectSameBytes(actual: ArrayBufferView, expected: ArrayBufferView, name: string): void {
  const left = Buffer.from(actual.buffer, actual.byteOffset, actual.byteLength);
  const right = Buffer.from(expected.buffer, expected.byteOffset, expected.byteLength);
  if (Buffer.compare(left, right) !== 0) expect({ [name]: actual }).toStrictEqual({ [name]: expected });
}

function scalars({ rng, rewardRemaining, ms, populationRate, rates, plasticity }: BrainState): unknown {
  const { version, topology, enabled, updates, signal } = plasticity;
  return { rng, rewardRemaining, ms, populationRate, rates, version, topology, enabled, updates, signal };
}
