import type { Connectome } from '../../engine/contract/connectome.ts';
import { FNV_OFFSET, fnv1aStep } from '../kernel/fnv1a.ts';
import type { PlasticityParameters } from './plasticity-parameters.ts';

/** The plastic edges of one brain, slot by slot in ascending edge order. */
export type PlasticEdges = {
  /** CSR position of each slot. */
  readonly edge: Uint32Array;
  readonly source: Uint32Array;
  readonly target: Uint32Array;
  /** FNV over edge, source, target, weight and 1 of every slot (spec: brain.md 6.2). */
  readonly topology: number;
};

/**
 * Picks the strongest excitatory edges from `preRole` to `postRole`, self-edges left out, ties by edge position, up to
 * `budget` of them (spec: brain.md 6.2). A role the bundle lacks counts as empty.
 */
export function selectPlasticEdges(connectome: Connectome, parameters: PlasticityParameters): PlasticEdges {
  const { indptr, targets, weights, neurons } = connectome;
  const isPre = membership(connectome, parameters.preRole);
  const isPost = membership(connectome, parameters.postRole);
  const candidates: { edge: number; source: number }[] = [];
  for (let source = 0; source < neurons; source++) {
    if (isPre[source] === 0) continue;
    for (let edge = indptr[source]!; edge < indptr[source + 1]!; edge++) {
      const target = targets[edge]!;
      if (weights[edge]! > 0 && target !== source && isPost[target] === 1) candidates.push({ edge, source });
    }
  }
  candidates.sort((a, b) => weights[b.edge]! - weights[a.edge]! || a.edge - b.edge);
  const kept = candidates.slice(0, parameters.budget).sort((a, b) => a.edge - b.edge);

  const edge = Uint32Array.from(kept, (slot) => slot.edge);
  const source = Uint32Array.from(kept, (slot) => slot.source);
  const target = Uint32Array.from(kept, (slot) => targets[slot.edge]!);
  let topology = FNV_OFFSET;
  for (let slot = 0; slot < edge.length; slot++) {
    for (const value of [edge[slot]!, source[slot]!, target[slot]!, weights[edge[slot]!]!, 1]) {
      topology = fnv1aStep(topology, value);
    }
  }
  return { edge, source, target, topology };
}

function membership(connectome: Connectome, role: string): Uint8Array {
  const isMember = new Uint8Array(connectome.neurons);
  for (const neuron of connectome.roles.get(role) ?? []) isMember[neuron] = 1;
  return isMember;
}
