import { COLUMNS, KINDS, Kind, NEURONS } from './cell-kinds.ts';
import { exactExp } from './exact-math.ts';
import { bell, createRandom } from './random.ts';
import type { TwinCells } from './twin-cells.ts';

/** Tiles a field is sorted into, each way. */
export const POOL_TILES = 8;

/** Neurons sorted the ways edges look for them. Lists hold indices. */
export type TargetPools = {
  /** Per kind and half (`2 * kind + half`): its neurons, sorted by height so that neighbours in the list are near. */
  readonly byHalf: readonly Uint32Array[];
  /** Per columnar kind: `(half * COLUMNS + column) * perColumn + slot` to neuron. */
  readonly byColumn: readonly Uint32Array[];
  /** Per kind with a field: starts of `2 * tiles` lists into `fieldMembers`. */
  readonly fieldStarts: readonly Uint32Array[];
  readonly fieldMembers: readonly Uint32Array[];
  /** Descending neurons by index modulo 8. */
  readonly commands: readonly Uint32Array[];
  /** Chance of a neuron to be taken when drawn, in 256ths; log-normal, so in-degrees are heavy-tailed. */
  readonly attraction: Uint8Array;
};

/** Spread of attraction; after clipping and locality the in-degrees come out near 1.0 (spec: twin.md 1). */
const ATTRACTION_SIGMA = 0.84;
const ATTRACTION_MEDIAN = 58;

export function sortTargets(cells: TwinCells, seed: number): TargetPools {
  const random = createRandom(seed, 6);
  const attraction = new Uint8Array(NEURONS);
  for (let i = 0; i < NEURONS; i++) {
    attraction[i] = Math.max(
      4,
      Math.min(255, Math.floor(ATTRACTION_MEDIAN * exactExp(ATTRACTION_SIGMA * bell(random)))),
    );
  }
  const lists = KINDS.flatMap((): [number[], number[]] => [[], []]);
  for (let i = 0; i < NEURONS; i++) lists[2 * cells.kind[i]! + cells.half[i]!]!.push(i);
  const height = (i: number): number => cells.positions[3 * i + 1]!;
  const byHalf = lists.map((list) => Uint32Array.from(list.sort((a, b) => height(a) - height(b) || a - b)));
  const fields = KINDS.map((_, kind) => sortByField(cells, [...lists[2 * kind]!, ...lists[2 * kind + 1]!]));
  return {
    byHalf,
    byColumn: KINDS.map((_, kind) => sortByColumn(cells, kind)),
    fieldStarts: fields.map(({ starts }) => starts),
    fieldMembers: fields.map(({ members }) => members),
    commands: Array.from({ length: 8 }, (_, pool) => descendingOf(cells, pool)),
    attraction,
  };
}

export function fieldTile(cells: TwinCells, i: number): number {
  return (cells.fieldY[i]! >> 7) * POOL_TILES + (cells.fieldX[i]! >> 7);
}

function sortByColumn(cells: TwinCells, kind: number): Uint32Array {
  const { perColumn } = KINDS[kind]!;
  const sorted = new Uint32Array(2 * COLUMNS * perColumn);
  if (perColumn === 0) return sorted;
  for (let i = 0; i < NEURONS; i++) {
    if (cells.kind[i] !== kind) continue;
    sorted[(cells.half[i]! * COLUMNS + cells.column[i]!) * perColumn + cells.slot[i]!] = i;
  }
  return sorted;
}

function sortByField(cells: TwinCells, list: readonly number[]): { starts: Uint32Array; members: Uint32Array } {
  const tiles = POOL_TILES * POOL_TILES;
  const starts = new Uint32Array(2 * tiles + 1);
  const seeing = list.filter((i) => cells.fieldX[i]! >= 0 && cells.column[i]! < 0);
  const bin = (i: number): number => cells.half[i]! * tiles + fieldTile(cells, i);
  for (const i of seeing) starts[bin(i) + 1]!++;
  for (let b = 0; b < 2 * tiles; b++) starts[b + 1]! += starts[b]!;
  const fill = starts.slice();
  const members = new Uint32Array(seeing.length);
  for (const i of seeing) members[fill[bin(i)]!++] = i;
  return { starts, members };
}

function descendingOf(cells: TwinCells, pool: number): Uint32Array {
  const list: number[] = [];
  for (let i = pool; i < NEURONS; i += 8) if (cells.kind[i] === Kind.Descending) list.push(i);
  return Uint32Array.from(list);
}
