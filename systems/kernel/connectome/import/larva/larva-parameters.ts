import type { KernelOverrides } from '../../../parameters.ts';

/**
 * Kernel constants for 3,554 neurons, all of whose edges may be positive. The defaults throw 300 kicks a tick at
 * 139,255 neurons (spec: brain.md 4.1); the same chance per neuron is 300 * 3,554 / 139,255 = 7.7, so 8. At the default
 * synapse scale of 0.005 an all-excitatory larva still excites itself; 0.004 lies just below that edge (measured, see
 * docs/connectomes.md).
 */
export const LARVA_PARAMETERS: KernelOverrides = { noiseKicks: 8, synapseScale: 0.004 };
