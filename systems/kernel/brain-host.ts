import type { Brain } from '../../engine/contract/brain.ts';
import { systemClock } from '../../engine/clock.ts';
import type { Clock } from '../../engine/clock.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { openBrainThread } from './brain-thread.ts';
import { createBrain } from './create-brain.ts';
import { loadKernelModule, openKernelInstance } from './kernel-module.ts';
import { createLinearMemory } from './linear-memory.ts';
import { checkSeed, resolveKernelParameters } from './parameters.ts';
import type { KernelOverrides, KernelParameters } from './parameters.ts';
import { createWasmKernel, flyBytes } from './wasm-kernel.ts';
import { estimateTopologyBytes, loadTopology, topologyKey } from './wasm-topology.ts';
import type { WasmTopology } from './wasm-topology.ts';

export type OpenBrainOptions = {
  readonly agentId: string;
  readonly seed: number;
  readonly parameters?: KernelOverrides;
  /** Default `worker`: one thread per fly. `inline` steps in the calling thread, with the same result. */
  readonly thread?: 'worker' | 'inline';
};

/** All brains on one connectome: one shared memory, the wiring in it once, private state per fly. */
export type BrainHost = {
  readonly connectome: Connectome;
  /** @throws ConfigError KERNEL_PARAMETER, RATE_ROLES; DeviceError KERNEL_MEMORY, BRAIN_DEAD */
  openBrain(options: OpenBrainOptions): Promise<Brain>;
  /** Kernel memory in use, wiring and flies. */
  usedBytes(): number;
  /** Ends every open brain's thread. */
  close(): Promise<void>;
};

export type BrainHostOptions = {
  /** How many brains the memory is sized for; more may be opened, it grows. */
  readonly flies: number;
  /** Times out a thread that is silent. */
  readonly clock?: Clock;
};

export function createBrainHost(connectome: Connectome, { flies, clock = systemClock }: BrainHostOptions): BrainHost {
  const module = loadKernelModule();
  const slots = resolveKernelParameters().plasticity.budget;
  const memory = createLinearMemory(estimateTopologyBytes(connectome) + flies * flyBytes(connectome, slots));
  const exports = openKernelInstance(module, memory.memory);
  const topologies = new Map<string, WasmTopology>();
  const brains = new Set<Brain>();

  function topologyOf(parameters: KernelParameters): WasmTopology {
    const key = topologyKey(parameters);
    let topology = topologies.get(key);
    if (!topology) {
      topology = loadTopology(memory, connectome, parameters);
      topologies.set(key, topology);
    }
    return topology;
  }

  async function openBrain({ agentId, seed, parameters, thread = 'worker' }: OpenBrainOptions): Promise<Brain> {
    checkSeed(seed);
    const resolved = resolveKernelParameters(parameters);
    const topology = topologyOf(resolved);
    const kernel = createWasmKernel({ memory, exports, topology, connectome, parameters: resolved, seed });
    const worker =
      thread === 'worker'
        ? openBrainThread(agentId, {
            data: { module, memory: memory.memory, pointer: kernel.pointer },
            progress: kernel.ticks,
            clock,
          })
        : null;
    await worker?.start();
    const brain = createBrain({
      agentId,
      seed,
      kernel,
      advance: worker ? worker.advance : (ticks) => Promise.resolve(kernel.step(ticks)),
      async close() {
        await worker?.close();
        kernel.release();
        brains.delete(brain);
      },
    });
    brains.add(brain);
    return brain;
  }

  return {
    connectome,
    openBrain,
    usedBytes: memory.usedBytes,
    async close() {
      await Promise.all([...brains].map((brain) => brain.close()));
    },
  };
}
