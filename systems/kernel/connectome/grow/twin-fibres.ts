import { KINDS, Kind, NEURONS } from './cell-kinds.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import type { TwinCells } from './twin-cells.ts';

/** One kind of line on the map. Lengths are in half-widths of the brain, seen from the front. */
type FibreClass = {
  readonly from: Kind;
  readonly to: Kind;
  readonly count: number;
  readonly shortest: number;
  readonly longest: number;
};

/**
 * 5,600 lines that make combs, chiasm, mushroom bodies, fan and tracts visible. They are dealt before all other edges
 * and are part of the graph, so the map can draw them while the rest still grows.
 */
const FIBRES: readonly FibreClass[] = [
  { from: Kind.InnerReceptor, to: Kind.MedullaOn, count: 1_300, shortest: 0.1, longest: 0.34 },
  { from: Kind.MedullaOn, to: Kind.MotionDetector, count: 700, shortest: 0.1, longest: 0.34 },
  { from: Kind.LobulaOn, to: Kind.VisualProjection, count: 620, shortest: 0.1, longest: 0.34 },
  { from: Kind.VisualProjection, to: Kind.GlomerulusOn, count: 560, shortest: 0.05, longest: 0.2 },
  { from: Kind.Kenyon, to: Kind.Kenyon, count: 1_060, shortest: 0.05, longest: 0.2 },
  { from: Kind.CentralComplex, to: Kind.CentralComplex, count: 520, shortest: 0.03, longest: 0.1 },
  { from: Kind.AlProjection, to: Kind.LateralHorn, count: 150, shortest: 0.2, longest: 0.6 },
  { from: Kind.Descending, to: Kind.Descending, count: 560, shortest: 0.08, longest: 0.3 },
  { from: Kind.Ascending, to: Kind.Ascending, count: 260, shortest: 0.08, longest: 0.3 },
  { from: Kind.Mechanosensory, to: Kind.Mechanosensory, count: 300, shortest: 0.05, longest: 0.25 },
];

const TRIES = 60;

/** Interleaved (pre, post) pairs; no pair repeats, none joins a neuron to itself. */
export function dealFibres(cells: TwinCells, seed: number): Uint32Array {
  const random = createRandom(seed, 8);
  const lists = KINDS.map((): number[] => []);
  for (let i = 0; i < NEURONS; i++) lists[cells.kind[i]!]!.push(i);
  const columns = sortColumns(cells, lists);
  const pairs: number[] = [];
  const taken = new Set<number>();
  for (const fibre of FIBRES) {
    const sources = lists[fibre.from]!;
    for (let k = 0; k < fibre.count; k++) {
      const source = sources[Math.floor(((k + random.below(1024) / 1024) * sources.length) / fibre.count)]!;
      const column = columns.get(columnKey(cells, fibre.to, source));
      const target = findTarget(cells, source, column ?? lists[fibre.to]!, fibre, random);
      const pair = source * NEURONS + target;
      if (target < 0 || taken.has(pair)) continue;
      taken.add(pair);
      pairs.push(source, target);
    }
  }
  return Uint32Array.from(pairs);
}

/** The longest eligible one of some candidates on the same strand, -1 when none was found. */
function findTarget(
  cells: TwinCells,
  source: number,
  from: readonly number[],
  fibre: FibreClass,
  random: Random,
): number {
  let best = -1;
  let bestLength = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    const target = from[random.below(from.length)]!;
    if (target === source || !onSameStrand(cells, source, target)) continue;
    const length = distance(cells, source, target);
    if (length < fibre.shortest || length > fibre.longest || length <= bestLength) continue;
    best = target;
    bestLength = length;
  }
  return best;
}

/** Lines stay in their half, on their part of a mushroom body or their arc, and near their row of the picture. */
function onSameStrand(cells: TwinCells, source: number, target: number): boolean {
  if (cells.half[source] !== cells.half[target]) return false;
  const kind = cells.kind[source]!;
  if (kind === cells.kind[target] && cells.slot[source] !== cells.slot[target]) return false;
  if (cells.fieldY[source]! < 0 || cells.fieldY[target]! < 0) return true;
  return Math.abs(cells.fieldY[source]! - cells.fieldY[target]!) < 120;
}

function distance({ positions }: TwinCells, a: number, b: number): number {
  const dx = positions[3 * a]! - positions[3 * b]!;
  const dy = positions[3 * a + 1]! - positions[3 * b + 1]!;
  return Math.sqrt(dx * dx + dy * dy);
}

function sortColumns(cells: TwinCells, lists: readonly (readonly number[])[]): Map<number, number[]> {
  const columns = new Map<number, number[]>();
  for (const { from, to } of FIBRES) {
    if (KINDS[from]!.perColumn === 0 || KINDS[to]!.perColumn === 0) continue;
    for (const i of lists[to]!) {
      const key = columnKey(cells, to, i);
      const column = columns.get(key);
      if (column === undefined) columns.set(key, [i]);
      else column.push(i);
    }
  }
  return columns;
}

/** One number for a kind in one column of one eye; -1 off the lattice. */
function columnKey(cells: TwinCells, kind: number, i: number): number {
  if (cells.column[i]! < 0 || KINDS[kind]!.perColumn === 0) return -1;
  return (kind * 2 + cells.half[i]!) * 1_024 + cells.column[i]!;
}
