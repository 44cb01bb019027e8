/** Share of values that are at least `atLeast[i]`; thresholds ascend. Drawn on two logarithmic axes. */
export type SurvivalCurve = { readonly atLeast: readonly number[]; readonly share: readonly number[] };

/** Four thresholds an octave, whole numbers from 1 to the largest value. */
export function survivalCurve(values: Uint32Array): SurvivalCurve {
  const sorted = values.slice().sort();
  const largest = sorted.at(-1) ?? 0;
  const atLeast: number[] = [];
  const share: number[] = [];
  let below = 0;
  for (let step = 0, next = 1; next <= largest; step++, next = Math.ceil(2 ** (step / 4))) {
    if (next === atLeast.at(-1)) continue;
    while (below < sorted.length && sorted[below]! < next) below++;
    atLeast.push(next);
    share.push((sorted.length - below) / sorted.length);
  }
  return { atLeast, share };
}

/** One bin per octave of contacts: 1, 2 to 3, 4 to 7 ... 16,384 to 32,767, the largest weight. */
export const CONTACT_BINS = 15;

/** Shares of all edges by sign and octave of the contact count; bin i holds 2^i to 2^(i+1) - 1 contacts. */
export type ContactHistogram = { readonly positive: readonly number[]; readonly negative: readonly number[] };

export function contactHistogram(weights: Int16Array): ContactHistogram {
  const positive = new Array<number>(CONTACT_BINS).fill(0);
  const negative = new Array<number>(CONTACT_BINS).fill(0);
  for (let e = 0; e < weights.length; e++) {
    const size = Math.abs(weights[e]!);
    if (size === 0) continue;
    const bin = Math.min(CONTACT_BINS - 1, 31 - Math.clz32(size));
    if (weights[e]! > 0) positive[bin]!++;
    else negative[bin]!++;
  }
  const share = (count: number): number => count / weights.length;
  return { positive: positive.map(share), negative: negative.map(share) };
}

/** How neurons sign their outputs. Every neuron is in exactly one of the four. */
export type SignCounts = {
  readonly excitatory: number;
  readonly inhibitory: number;
  /** Outputs of both signs. */
  readonly mixed: number;
  readonly withoutOutput: number;
};

export function countSigns(indptr: Uint32Array, weights: Int16Array): SignCounts {
  let excitatory = 0;
  let inhibitory = 0;
  let mixed = 0;
  let withoutOutput = 0;
  for (let s = 0; s + 1 < indptr.length; s++) {
    let hasPositive = false;
    let hasNegative = false;
    for (let e = indptr[s]!; e < indptr[s + 1]!; e++) {
      if (weights[e]! > 0) hasPositive = true;
      else if (weights[e]! < 0) hasNegative = true;
    }
    if (hasPositive && hasNegative) mixed++;
    else if (hasPositive) excitatory++;
    else if (hasNegative) inhibitory++;
    else withoutOutput++;
  }
  return { excitatory, inhibitory, mixed, withoutOutput };
}
