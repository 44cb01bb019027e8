import { EDGES, KINDS, Kind, NEURONS } from './cell-kinds.ts';
import { exactExp } from './exact-math.ts';
import { bell, createRandom } from './random.ts';
import type { TwinCells } from './twin-cells.ts';

/**
 * Spread of out-degrees within a kind; with the spread between kinds about 1.065 overall, which is what a log-normal of
 * the published mean 19.39 and median 11 has (spec: twin.md 1).
 */
const SIGMA = 0.95;
/** Kinds that are copies of one plan: Kenyon cells, and L1 so that every column weighs the same. */
const NARROW_SIGMA = 0.35;
const LARGEST = 2_600;

/**
 * How many targets every neuron gets: log-normal around its kind's mean, at least `least[i]`, `EDGES` in all.
 * @param least targets a neuron already has from the mushroom body's fixed projections
 */
export function dealOutDegrees(cells: TwinCells, least: Uint16Array, seed: number): Uint32Array {
  const random = createRandom(seed, 3);
  const wish = new Float64Array(NEURONS);
  for (let i = 0; i < NEURONS; i++) {
    const kind = cells.kind[i]!;
    const sigma = kind === Kind.Apl ? 0 : kind === Kind.Kenyon || kind === Kind.L1 ? NARROW_SIGMA : SIGMA;
    wish[i] = KINDS[kind]!.outDegree * exactExp(sigma * bell(random) - (sigma * sigma) / 2);
  }
  const degrees = new Uint32Array(NEURONS);
  const fill = (scale: number): number => {
    let total = 0;
    for (let i = 0; i < NEURONS; i++) {
      const wanted = Math.floor(wish[i]! * scale + 0.5);
      degrees[i] = Math.max(least[i]! + 1, Math.min(LARGEST, wanted));
      total += degrees[i]!;
    }
    return total;
  };
  let scale = 1;
  for (let round = 0; round < 12; round++) scale *= EDGES / fill(scale);
  let missing = EDGES - fill(scale);
  // the rounding rest goes one by one to medulla cells, which are many and middling
  for (let i = 0; missing !== 0; i = (i + 1) % NEURONS) {
    if (cells.kind[i] !== Kind.MedullaOn || degrees[i]! < 3) continue;
    const step = missing > 0 ? 1 : -1;
    degrees[i]! += step;
    missing -= step;
  }
  return degrees;
}
