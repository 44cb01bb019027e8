import type { Connectome } from '../../engine/contract/connectome.ts';
import { createBrainHost } from '../../systems/kernel/brain-host.ts';
import { readVision, writeVision } from '../../systems/kernel/connectome/vision-record.ts';
import { DEFAULT_SEED, kernelVersion, resolveKernelParameters } from '../../systems/kernel/parameters.ts';
import type { KernelOverrides } from '../../systems/kernel/parameters.ts';
import { probeVision } from '../../systems/kernel/probe-vision.ts';
import type { VisionProbe } from '../../systems/kernel/probe-vision.ts';

/** Whether the picture reaches this brain's readout, as an earlier probe of it says, or measured now. */
export async function knownVision(
  folder: string,
  connectome: Connectome,
  parameters: KernelOverrides,
): Promise<VisionProbe> {
  const known = await readVision(folder, visionKey(connectome, parameters));
  return known ?? measureVision(folder, connectome, parameters);
}

/** Probes in a thread of its own, about a second of CPU time, and keeps what it found beside the bundle. */
export async function measureVision(
  folder: string,
  connectome: Connectome,
  parameters: KernelOverrides,
): Promise<VisionProbe> {
  const host = createBrainHost(connectome, { flies: 1 });
  try {
    const probe = await probeVision(() =>
      host.openBrain({ agentId: 'probe', seed: DEFAULT_SEED, parameters, thread: 'worker' }),
    );
    await writeVision(folder, visionKey(connectome, parameters), probe);
    return probe;
  } finally {
    await host.close();
  }
}

/** A brain is its wiring and its kernel's constants: what one sees says nothing of another. */
function visionKey({ identity }: Connectome, parameters: KernelOverrides): string {
  return `${identity} ${kernelVersion(resolveKernelParameters(parameters), DEFAULT_SEED)}`;
}
