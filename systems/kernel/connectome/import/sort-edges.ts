/** Edges in any order, one entry each. */
export type LooseEdges = {
  readonly neurons: number;
  /** Source and target neuron of every edge. */
  readonly pre: Uint32Array;
  readonly post: Uint32Array;
  /** Contacts of every edge, at least 1. */
  readonly contacts: Uint32Array;
};

/** Source-indexed rows, targets ascending, one edge a pair (spec: brain.md 1.3). */
export type SortedEdges = {
  /** `neurons + 1` row starts. */
  readonly indptr: Uint32Array;
  readonly targets: Uint32Array;
  readonly contacts: Uint32Array;
  /** Edges left out because their pair was listed before; the largest count of a pair stays. */
  readonly duplicates: number;
};

/**
 * Sorts edges by source, then target. A pair listed twice keeps its largest count: tables of totals list a pair once,
 * and adding two totals would invent contacts (spec: brain.md 3.2). Work arrays only, no object per edge.
 */
export function sortEdges({ neurons, pre, post, contacts }: LooseEdges): SortedEdges {
  const indptr = new Uint32Array(neurons + 1);
  for (let e = 0; e < pre.length; e++) indptr[pre[e]! + 1]!++;
  for (let s = 0; s < neurons; s++) indptr[s + 1]! += indptr[s]!;
  const targets = new Uint32Array(pre.length);
  const counts = new Uint32Array(pre.length);
  const next = indptr.slice(0, neurons);
  for (let e = 0; e < pre.length; e++) {
    const slot = next[pre[e]!]!++;
    targets[slot] = post[e]!;
    counts[slot] = contacts[e]!;
  }
  const duplicates = sortRows(indptr, targets, counts);
  const edges = pre.length - duplicates;
  if (duplicates === 0) return { indptr, targets, contacts: counts, duplicates };
  return { indptr, targets: targets.slice(0, edges), contacts: counts.slice(0, edges), duplicates };
}

/** Sorts each row in place and closes the gaps that repeated pairs leave; returns how many entries went. */
function sortRows(indptr: Uint32Array, targets: Uint32Array, counts: Uint32Array): number {
  const neurons = indptr.length - 1;
  let keys = new Float64Array(1_024);
  let kept = 0;
  let start = 0;
  for (let s = 0; s < neurons; s++) {
    const end = indptr[s + 1]!;
    const length = end - start;
    if (length > keys.length) keys = new Float64Array(2 * length);
    // target above, contacts below: one exact number up to 2^53 orders both, so the sort needs no comparison function
    for (let k = 0; k < length; k++) keys[k] = targets[start + k]! * CONTACT_SPAN + counts[start + k]!;
    keys.subarray(0, length).sort();
    let last = -1;
    for (let k = 0; k < length; k++) {
      const target = Math.floor(keys[k]! / CONTACT_SPAN);
      if (target === last) kept--;
      targets[kept] = target;
      counts[kept] = keys[k]! - target * CONTACT_SPAN;
      kept++;
      last = target;
    }
    start = end;
    indptr[s + 1] = kept;
  }
  return targets.length - kept;
}

/** Contacts of one pair stay below this, neurons below 2^21: both fit one float64 without loss. */
const CONTACT_SPAN = 2 ** 32;
export const MAX_SORTED_NEURONS: number = 2 ** 21;
