import { NEURONS } from './cell-kinds.ts';

/** Edges that are dealt before all others, as row lists by source. */
export type FixedRows = {
  /** `neurons + 1` starts into `targets`. */
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly counts: Uint16Array;
};

/** Sorts interleaved (pre, post) pairs into rows. Pairs must not repeat. */
export function collectFixedRows(...pairLists: readonly Uint32Array[]): FixedRows {
  const counts = new Uint16Array(NEURONS);
  let total = 0;
  for (const pairs of pairLists) {
    for (let p = 0; p < pairs.length; p += 2) counts[pairs[p]!]!++;
    total += pairs.length / 2;
  }
  const starts = new Uint32Array(NEURONS + 1);
  for (let i = 0; i < NEURONS; i++) starts[i + 1] = starts[i]! + counts[i]!;
  const fill = starts.slice();
  const targets = new Uint32Array(total);
  for (const pairs of pairLists) {
    for (let p = 0; p < pairs.length; p += 2) targets[fill[pairs[p]!]!++] = pairs[p + 1]!;
  }
  return { starts, targets, counts };
}
