import type { Brain } from '../../../../engine/contract/brain.ts';
import type { Connectome } from '../../../../engine/contract/connectome.ts';
import { createBrainHost } from '../../brain-host.ts';
import { resolveKernelParameters } from '../../parameters.ts';
import type { KernelOverrides } from '../../parameters.ts';

/** Mean rates of a settled brain, plasticity off, under even grey light. */
export type Activity = {
  readonly warmupTicks: number;
  readonly measuredTicks: number;
  readonly populationHz: number;
  /** Share of neurons that spiked at least once while measured. */
  readonly activeShare: number;
  /** Afferent, internal and efferent neurons (the bundle's viewer classes), then its named populations. */
  readonly groups: readonly RateGroup[];
};

export type RateGroup = { readonly name: string; readonly neurons: number; readonly hz: number };

export type MeasureActivityOptions = {
  readonly parameters?: KernelOverrides;
  readonly seed?: number;
  /** Default 2,500, the warm-up of the legacy profile (spec: brain.md 16). */
  readonly warmupTicks?: number;
  /** Rounded up to whole refractory periods. Default 1,000. */
  readonly measuredTicks?: number;
};

const CLASS_NAMES = ['afferent', 'internal', 'efferent'] as const;
/** Partitions of a readout, not anatomy (spec: brain.md 14.3). */
const DEALT_POOL = /^(command|macro)_/;

export async function measureActivity(connectome: Connectome, options: MeasureActivityOptions = {}): Promise<Activity> {
  const { parameters = {}, seed = 22_222, warmupTicks = 2_500, measuredTicks = 1_000 } = options;
  const host = createBrainHost(connectome, { flies: 1 });
  const brain = await host.openBrain({ agentId: 'activity', seed, parameters, thread: 'inline' });
  try {
    brain.setLearning(false);
    brain.installFrame(new Uint8Array(160 * 144 * 4).fill(128), 160, 144);
    await brain.advance(warmupTicks);
    // Within one refractory period a neuron spikes at most once, so its bit is its count.
    const batchTicks = (resolveKernelParameters(parameters).refractoryMs & 255) + 1;
    const batches = Math.ceil(measuredTicks / batchTicks);
    const spikes = await countSpikes(brain, batches, batchTicks);
    return summarise(connectome, spikes, { warmupTicks, measuredTicks: batches * batchTicks });
  } finally {
    await brain.close();
    await host.close();
  }
}

async function countSpikes(brain: Brain, batches: number, batchTicks: number): Promise<Uint32Array> {
  const spikes = new Uint32Array(brain.neuronCount);
  for (let batch = 0; batch < batches; batch++) {
    await brain.advance(batchTicks);
    const { spikeBits } = brain;
    for (let byte = 0; byte < spikeBits.length; byte++) {
      for (let rest = spikeBits[byte]!; rest !== 0; rest &= rest - 1) {
        spikes[8 * byte + 31 - Math.clz32(rest & -rest)]!++;
      }
    }
  }
  return spikes;
}

function summarise(
  { neurons, roles, viewer }: Connectome,
  spikes: Uint32Array,
  { warmupTicks, measuredTicks }: Pick<Activity, 'warmupTicks' | 'measuredTicks'>,
): Activity {
  const toHz = (count: number, size: number): number => (size === 0 ? 0 : (count * 1_000) / measuredTicks / size);
  const groups: RateGroup[] = [];
  const sizes = [0, 0, 0];
  const counts = [0, 0, 0];
  let total = 0;
  let active = 0;
  for (let i = 0; i < neurons; i++) {
    total += spikes[i]!;
    if (spikes[i]! > 0) active++;
    const kind = viewer.classes[i];
    if (kind === undefined) continue;
    sizes[kind]!++;
    counts[kind]! += spikes[i]!;
  }
  CLASS_NAMES.forEach((name, kind) => {
    if (sizes[kind]! > 0) groups.push({ name, neurons: sizes[kind]!, hz: toHz(counts[kind]!, sizes[kind]!) });
  });
  for (const [name, members] of roles) {
    if (DEALT_POOL.test(name) || members.length === 0) continue;
    let count = 0;
    for (const neuron of members) count += spikes[neuron]!;
    groups.push({ name, neurons: members.length, hz: toHz(count, members.length) });
  }
  return {
    warmupTicks,
    measuredTicks,
    populationHz: toHz(total, neurons),
    activeShare: neurons === 0 ? 0 : active / neurons,
    groups,
  };
}
