import type { Connectome } from '../../engine/contract/connectome.ts';
import { createBrainHost } from '../../systems/kernel/brain-host.ts';
import { readVision, writeVision } from '../../systems/kernel/connectome/vision-record.ts';
import { DEFAULT_SEED } from '../../systems/kernel/parameters.ts';
import type { KernelOverrides } from '../../systems/kernel/parameters.ts';
import { probeVision } from '../../systems/kernel/probe-vision.ts';
import type { VisionProbe } from '../../systems/kernel/probe-vision.ts';

/**
 * Whether the picture reaches this brain's readout. Measured once per wiring, in a thread of its own (about a second of
 * CPU time), and kept beside the bundle.
 */
export async function knownVision(
  folder: string,
  connectome: Connectome,
  parameters: KernelOverrides,
): Promise<VisionProbe> {
  const known = await readVision(folder, connectome.identity);
  if (known !== null) return known;
  const host = createBrainHost(connectome, { flies: 1 });
  try {
    const probe = await probeVision(() =>
      host.openBrain({ agentId: 'probe', seed: DEFAULT_SEED, parameters, thread: 'worker' }),
    );
    await writeVision(folder, connectome.identity, probe);
    return probe;
  } finally {
    await host.close();
  }
}
