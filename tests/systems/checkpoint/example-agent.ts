import type { BrainState } from '../../../engine/contract/brain.ts';
import type { AgentIdentity } from '../../../engine/identity/digest-recipes.ts';
import type { AgentSave } from '../../../systems/checkpoint/agent-envelope.ts';

/** A brain of three neurons, two columns and one plastic edge, no two values alike. */
export const BRAIN: BrainState = {
  membrane: Float32Array.of(0.25, -2, 0.20000000298023224),
  refractory: Uint8Array.of(0, 2, 1),
  lastSpikeMs: Float64Array.of(-1_000_000, 2_499, 2_510),
  visualDrive: Float32Array.of(0.2, 0.1),
  rng: -1881039799,
  rewardRemaining: 120,
  ms: 2_516,
  populationRate: 61.29176788660193,
  rates: { command_0: 5e-324, reward_pam: 12.5 },
  plasticity: {
    version: 'fly-kc-mbon-rstdp-v2',
    topology: 1346561649,
    enabled: true,
    updates: 7,
    signal: -0.46211715726000974,
    gains: Float32Array.of(1.0015228986740112),
    traces: Float32Array.of(-0.03032653219997883),
    touched: Float64Array.of(2_400),
  },
};

export const IDENTITY: AgentIdentity = {
  agentId: 'fly-a',
  profileDigest: '1'.repeat(64),
  datasetDigest: '2'.repeat(64),
  indexDigest: '3'.repeat(64),
  modelVersion: 'lif-1ms-f64-v2:9b0f15e3',
  plasticityVersion: 'fly-kc-mbon-rstdp-v2',
  seed: -184946063,
};

export const SAVE: AgentSave = {
  identity: IDENTITY,
  remainderMs: 0.742706298828125,
  warmedUp: true,
  brain: BRAIN,
  readout: { version: 4, calibrated: false, baseline: {} },
};
