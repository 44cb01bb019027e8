import { Kind, NEURONS } from './cell-kinds.ts';
import { createRandom, shuffle } from './random.ts';
import type { Random } from './random.ts';
import type { TwinCells } from './twin-cells.ts';

/** Pairs of at least 5 contacts (spec: twin.md 3). */
export const KENYON_TO_MBON = 20_534;
export const PROJECTION_TO_KENYON = 22_119;
export const DAN_TO_MBON = 866;
export const MBON_TO_MBON = 307;

/** How many of 10,000 Kenyon cells reach 0, 1, 2, ... MBONs; median 4, p10 2, p90 7, at most 12 (twin.md 3). */
const MBONS_PER_KENYON = [280, 620, 1_380, 1_930, 1_940, 1_430, 1_010, 720, 390, 180, 80, 30, 10];
/** How many of 10,000 hear 0, 1, 2, ... projection neurons; claws have mean 4.7, deviation 1.6, at most 10. */
const CLAWS_PER_KENYON = [840, 380, 690, 930, 1_810, 2_470, 1_885, 770, 180, 38, 7];
/** Kenyon cells heard by an MBON, by rank: [share of MBONs, cells]; p10 3, median 175, p90 734, max 1,175. */
const KENYONS_PER_MBON: readonly (readonly [number, number])[] = [
  [0, 1],
  [0.1, 3],
  [0.25, 10],
  [0.37, 50],
  [0.5, 175],
  [0.62, 252],
  [0.75, 430],
  [0.91, 734],
  [0.96, 880],
  [1, 1_175],
];
/** MBONs of the real table that hear any Kenyon cell with 5 contacts or more. */
const HEARING_MBONS = 79;

/** All dealt pairs of the mushroom body, interleaved (pre, post). */
export function wireMushroomBody(cells: TwinCells, seed: number): Uint32Array {
  const random = createRandom(seed, 4);
  const of = (kind: number): number[] => {
    const list: number[] = [];
    for (let i = 0; i < NEURONS; i++) if (cells.kind[i] === kind) list.push(i);
    return list;
  };
  const kenyon = of(Kind.Kenyon);
  const mbon = of(Kind.Mbon);
  const pairs: number[] = [];
  const add = (source: number, target: number): number => pairs.push(source, target);

  const outputs = dealCounts(MBONS_PER_KENYON, kenyon.length, KENYON_TO_MBON, 12, random);
  matchPairs(kenyon, outputs, chooseHearing(mbon, random), mbonInputs(), random, add);
  const claws = dealCounts(CLAWS_PER_KENYON, kenyon.length, PROJECTION_TO_KENYON, 10, random);
  const projections = of(Kind.AlProjection);
  matchPairs(
    kenyon,
    claws,
    projections,
    unequalShares(projections.length, PROJECTION_TO_KENYON, random),
    random,
    (k, p) => add(p, k),
  );
  scatterPairs(of(Kind.Dan), mbon, DAN_TO_MBON, random, add);
  scatterPairs(mbon, mbon, MBON_TO_MBON, random, add);
  return Uint32Array.from(pairs);
}

/** `count` numbers distributed as `histogram` per 10,000, shuffled, nudged to add up to `total`. */
function dealCounts(
  histogram: readonly number[],
  count: number,
  total: number,
  most: number,
  random: Random,
): Uint16Array {
  const dealt = new Uint16Array(count);
  let cumulative = 0;
  let at = 0;
  histogram.forEach((share, value) => {
    cumulative += share;
    const end = Math.floor((cumulative * count) / 10_000);
    while (at < end) dealt[at++] = value;
  });
  shuffle(dealt, random);
  let missing = total - dealt.reduce((sum, value) => sum + value, 0);
  while (missing !== 0) {
    const k = random.below(count);
    const step = missing > 0 ? 1 : -1;
    // only middling cells are nudged, so that both ends of the distribution stay
    if (dealt[k]! < 3 || dealt[k]! + step > Math.min(most, 6)) continue;
    dealt[k]! += step;
    missing -= step;
  }
  return dealt;
}

function chooseHearing(mbon: readonly number[], random: Random): number[] {
  const chosen = [...mbon];
  shuffle(chosen, random);
  return chosen.slice(0, HEARING_MBONS);
}

function mbonInputs(): Uint16Array {
  const inputs = new Uint16Array(HEARING_MBONS);
  for (let k = 0; k < HEARING_MBONS; k++) {
    const rank = k / (HEARING_MBONS - 1);
    let piece = 1;
    while (KENYONS_PER_MBON[piece]![0] < rank) piece++;
    const [x0, y0] = KENYONS_PER_MBON[piece - 1]!;
    const [x1, y1] = KENYONS_PER_MBON[piece]!;
    inputs[k] = Math.floor(y0 + ((y1 - y0) * (rank - x0)) / (x1 - x0) + 0.5);
  }
  // the published quantiles leave the total open by a few percent: middling MBONs take the rest
  let missing = KENYON_TO_MBON - inputs.reduce((sum, value) => sum + value, 0);
  const middling = [44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63];
  for (let k = 0; missing !== 0; k++) {
    const step = missing > 0 ? 1 : -1;
    inputs[middling[k % middling.length]!]! += step;
    missing -= step;
  }
  return inputs;
}

/** Shares of `total` that differ by up to a factor of about five. */
function unequalShares(count: number, total: number, random: Random): Uint16Array {
  const weights = Array.from({ length: count }, () => 40 + random.below(160));
  const sum = weights.reduce((a, b) => a + b, 0);
  const shares = Uint16Array.from(weights, (weight) => Math.floor((weight * total) / sum));
  let missing = total - shares.reduce((a, b) => a + b, 0);
  for (let k = 0; missing > 0; k = (k + 1) % count, missing--) shares[k]!++;
  return shares;
}

/**
 * Joins sources and targets so that each has exactly its number of partners and no pair repeats: the hungriest target
 * first, its sources drawn in proportion to the partners they still lack.
 */
function matchPairs(
  sources: readonly number[],
  sourceCounts: Uint16Array,
  targets: readonly number[],
  targetCounts: Uint16Array,
  random: Random,
  join: (source: number, target: number) => unknown,
): void {
  const stubs: number[] = [];
  sourceCounts.forEach((count, k) => {
    for (let n = 0; n < count; n++) stubs.push(k);
  });
  const order = targets.map((_, k) => k).sort((a, b) => targetCounts[b]! - targetCounts[a]! || a - b);
  const taken = new Int32Array(sources.length).fill(-1);
  for (const k of order) {
    for (let n = targetCounts[k]!; n > 0; n--) {
      let at = random.below(stubs.length);
      for (let tries = 0; tries < 200 && taken[stubs[at]!] === k; tries++) at = random.below(stubs.length);
      if (taken[stubs[at]!] === k) at = stubs.findIndex((stub) => taken[stub] !== k);
      if (at < 0) throw new RangeError('the mushroom body cannot be dealt without a repeated pair');
      const source = stubs[at]!;
      taken[source] = k;
      stubs[at] = stubs[stubs.length - 1]!;
      stubs.pop();
      join(sources[source]!, targets[k]!);
    }
  }
}

function scatterPairs(
  sources: readonly number[],
  targets: readonly number[],
  count: number,
  random: Random,
  add: (source: number, target: number) => unknown,
): void {
  const seen = new Set<number>();
  while (seen.size < count) {
    const source = sources[random.below(sources.length)]!;
    const target = targets[random.below(targets.length)]!;
    const pair = source * NEURONS + target;
    if (source === target || seen.has(pair)) continue;
    seen.add(pair);
    add(source, target);
  }
}
