import type { Connectome } from '../../engine/contract/connectome.ts';
import type { PlasticEdges } from '../learning/plasticity-edges.ts';
import type { TrackedRates } from './tracked-rates.ts';

/** Row addresses count in these units. */
export const ROW_UNIT_BYTES = 16;
const UNIT_WORDS = ROW_UNIT_BYTES / 4;
const HEAD_WORDS = 4;
/** Read past the last row by the kernel's prefetch pass. */
const TAIL_WORDS = 32;

const TARGET_BITS = 18;
const WEIGHT_LIMIT = 2 ** (31 - TARGET_BITS);
const WIDE_ROW = 0x8000_0000;

/** How long the packed arrays of one wiring are. */
export type RowSizes = { readonly rowWords: number; readonly plasticNeurons: number };

/**
 * Where `packRows` writes.
 *
 * A row is a head of four words (edge count, role masks 0-31 and 32-63, plastic neuron + 1 or 0) and the edges in CSR
 * order. An edge is one word, weight in the upper 14 bits and target in the lower 18. A row that cannot be written so,
 * or in which two neighbouring edges share a target, has bit 31 of its first word set and two words an edge: target,
 * weight. The kernel takes such a row edge by edge; the others two edges at a time.
 */
export type PackedRows = {
  /** One per neuron, in units of `ROW_UNIT_BYTES`. */
  readonly rowStarts: Uint32Array;
  readonly rows: Uint32Array;
  /** Four words per neuron with a plastic edge: incoming begin and end, outgoing begin and end. */
  readonly plasticNeurons: Uint32Array;
  /** Position of each slot inside its row. */
  readonly slotPosition: Uint32Array;
  /** Slots sorted by target, then slot. */
  readonly incoming: Uint32Array;
};

export function measureRows(connectome: Connectome, plastic: PlasticEdges): RowSizes {
  let units = 0;
  for (let neuron = 0; neuron < connectome.neurons; neuron++) units += rowUnits(connectome, neuron);
  const touched = new Set<number>([...plastic.source, ...plastic.target]);
  return { rowWords: units * UNIT_WORDS + TAIL_WORDS, plasticNeurons: touched.size };
}

/** Writes the wiring in the kernel's layout: once per connectome and choice of populations, read by every fly. */
export function packRows(connectome: Connectome, tracked: TrackedRates, plastic: PlasticEdges, out: PackedRows): void {
  const plasticIndex = packPlastic(connectome, plastic, out);
  const { indptr, targets, weights, neurons } = connectome;
  const { rows, rowStarts } = out;
  let unit = 0;
  for (let neuron = 0; neuron < neurons; neuron++) {
    rowStarts[neuron] = unit;
    let at = unit * UNIT_WORDS;
    const begin = indptr[neuron]!;
    const end = indptr[neuron + 1]!;
    const isWide = needsWideRow(connectome, begin, end);
    rows[at++] = isWide ? (end - begin) | WIDE_ROW : end - begin;
    rows[at++] = tracked.lowMask[neuron]!;
    rows[at++] = tracked.highMask[neuron]!;
    rows[at++] = plasticIndex[neuron]!;
    for (let edge = begin; edge < end; edge++) {
      if (isWide) {
        rows[at++] = targets[edge]!;
        rows[at++] = weights[edge]!;
      } else {
        rows[at++] = (weights[edge]! << TARGET_BITS) | targets[edge]!;
      }
    }
    unit += rowUnits(connectome, neuron);
  }
}

/** Fills the plastic tables; returns plastic neuron + 1 per neuron, 0 for none. */
function packPlastic(connectome: Connectome, plastic: PlasticEdges, out: PackedRows): Uint32Array {
  const { edge, source, target } = plastic;
  const index = new Uint32Array(connectome.neurons);
  const members = Uint32Array.from(new Set<number>([...source, ...target])).sort();
  members.forEach((neuron, at) => {
    index[neuron] = at + 1;
  });
  const slots = Uint32Array.from(edge.keys());
  out.incoming.set(slots.sort((a, b) => target[a]! - target[b]! || a - b));
  // both lists are sorted by their neuron, so each neuron's part is one range
  for (let at = 0; at < slots.length; at++) {
    out.slotPosition[at] = edge[at]! - connectome.indptr[source[at]!]!;
    widenRange(out.plasticNeurons, 4 * (index[target[out.incoming[at]!]!]! - 1), at);
    widenRange(out.plasticNeurons, 4 * (index[source[at]!]! - 1) + 2, at);
  }
  return index;
}

function widenRange(ranges: Uint32Array, begin: number, at: number): void {
  if (ranges[begin + 1] === 0) ranges[begin] = at;
  ranges[begin + 1] = at + 1;
}

function rowUnits(connectome: Connectome, neuron: number): number {
  const begin = connectome.indptr[neuron]!;
  const end = connectome.indptr[neuron + 1]!;
  const words = HEAD_WORDS + (needsWideRow(connectome, begin, end) ? 2 : 1) * (end - begin);
  return Math.ceil(words / UNIT_WORDS);
}

function needsWideRow({ targets, weights }: Connectome, begin: number, end: number): boolean {
  for (let edge = begin; edge < end; edge++) {
    const weight = weights[edge]!;
    const isNarrow = targets[edge]! < 2 ** TARGET_BITS && weight >= -WEIGHT_LIMIT && weight < WEIGHT_LIMIT;
    if (!isNarrow || (edge > begin && targets[edge] === targets[edge - 1])) return true;
  }
  return false;
}
