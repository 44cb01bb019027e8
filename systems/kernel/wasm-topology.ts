import type { Connectome } from '../../engine/contract/connectome.ts';
import { selectPlasticEdges } from '../learning/plasticity-edges.ts';
import type { PlasticEdges } from '../learning/plasticity-edges.ts';
import type { FlyBlock, WordField } from './fly-block.ts';
import { planArrays } from './linear-memory.ts';
import type { LinearMemory } from './linear-memory.ts';
import { measureRows, packRows } from './pack-rows.ts';
import type { KernelParameters } from './parameters.ts';
import { trackRates } from './tracked-rates.ts';

/** A wiring in kernel memory, shared by every fly with the same tracked and plastic populations. */
export type WasmTopology = {
  readonly rateRoles: readonly string[];
  readonly roleSizes: Uint32Array;
  readonly plastic: PlasticEdges;
  /** Writes the addresses into a fly's block. */
  bind(block: FlyBlock): void;
};

/** Two parameter sets with the same key read the same packed wiring. */
export function topologyKey({ rateRoles, plasticity }: KernelParameters): string {
  return JSON.stringify([rateRoles ?? null, plasticity.preRole, plasticity.postRole, plasticity.budget]);
}

/** Bytes the default wiring of `connectome` will take, near enough to size a memory. */
export function estimateTopologyBytes(connectome: Connectome): number {
  return connectome.edges * 4 + connectome.neurons * (4 + 16 + 8) + 1_000_000;
}

export function loadTopology(memory: LinearMemory, connectome: Connectome, parameters: KernelParameters): WasmTopology {
  const tracked = trackRates(connectome, parameters.rateRoles);
  const plastic = selectPlasticEdges(connectome, parameters.plasticity);
  const slots = plastic.edge.length;
  const sizes = measureRows(connectome, plastic);
  const words = {
    rowStartsAt: connectome.neurons,
    rowsAt: sizes.rowWords,
    plasticNeuronsAt: 4 * sizes.plasticNeurons,
    slotSourceAt: slots,
    slotTargetAt: slots,
    slotPositionAt: slots,
    incomingAt: slots,
    visualNeuronAt: connectome.retina.count,
  } satisfies Partial<Record<WordField, number>>;
  type Name = keyof typeof words;
  const names = Object.keys(words) as Name[];
  const plan = planArrays<Name>(
    Object.fromEntries(names.map((name) => [name, 4 * words[name]])) as Record<Name, number>,
  );
  const base = memory.allocate(plan.bytes);
  const view = (name: Name): Uint32Array => new Uint32Array(memory.buffer(), plan.address(base, name), words[name]);

  packRows(connectome, tracked, plastic, {
    rowStarts: view('rowStartsAt'),
    rows: view('rowsAt'),
    plasticNeurons: view('plasticNeuronsAt'),
    slotPosition: view('slotPositionAt'),
    incoming: view('incomingAt'),
  });
  view('slotSourceAt').set(plastic.source);
  view('slotTargetAt').set(plastic.target);
  view('visualNeuronAt').set(connectome.retina.neuron);

  return {
    rateRoles: tracked.roles,
    roleSizes: tracked.sizes,
    plastic,
    bind(block) {
      for (const name of names) block.setWord(name, plan.address(base, name));
    },
  };
}
