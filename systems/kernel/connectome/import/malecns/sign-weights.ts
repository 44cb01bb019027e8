import type { SortedEdges } from '../sort-edges.ts';

/** Largest size of a stored weight; -32768 stays unused so that both signs reach equally far (spec: brain.md 2.7). */
const LARGEST_WEIGHT = 32_767;

/** One edge whose contact count does not fit the stored weight. */
export type ClippedEdge = { readonly pre: number; readonly post: number; readonly contacts: number };

export type SignedWeights = {
  readonly weights: Int16Array;
  /** Every clipped edge with its raw count: `|weight|` is the raw count of all others (spec: brain.md 3.5). */
  readonly clipped: readonly ClippedEdge[];
  readonly smallest: number;
  readonly largest: number;
  readonly negativeEdges: number;
};

/** Signed 16-bit weights: contact count times the sign of the source neuron. */
export function signWeights({ indptr, targets, contacts }: SortedEdges, sign: Int8Array): SignedWeights {
  const weights = new Int16Array(contacts.length);
  const clipped: ClippedEdge[] = [];
  let smallest = 0;
  let largest = 0;
  let negativeEdges = 0;
  for (let s = 0; s < sign.length; s++) {
    for (let e = indptr[s]!; e < indptr[s + 1]!; e++) {
      let count = contacts[e]!;
      if (count > LARGEST_WEIGHT) {
        clipped.push({ pre: s, post: targets[e]!, contacts: count });
        count = LARGEST_WEIGHT;
      }
      const weight = count * sign[s]!;
      weights[e] = weight;
      if (weight < 0) negativeEdges++;
      if (weight < smallest) smallest = weight;
      if (weight > largest) largest = weight;
    }
  }
  return { weights, clipped, smallest, largest, negativeEdges };
}
