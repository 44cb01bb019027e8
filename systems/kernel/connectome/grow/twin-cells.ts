import { COLUMNS, KINDS, NEURONS, SUPER_CLASSES, Side, TRANSMITTERS } from './cell-kinds.ts';
import type { Kind } from './cell-kinds.ts';
import { createRandom } from './random.ts';

/** Every neuron of a twin before its edges: what it is and where. Order: creation first, index order once sorted. */
export type TwinCells = {
  readonly kind: Uint8Array;
  /** Half of the brain it is drawn in: 0 left, 1 right (the fly's). */
  readonly half: Uint8Array;
  /** `Side` as a data set would report it. */
  readonly side: Uint8Array;
  /** Index into `TRANSMITTERS`. */
  readonly transmitter: Uint8Array;
  /** Retina column of its eye, -1 for kinds that are not columnar. */
  readonly column: Int16Array;
  /** Number among its kind within the column. */
  readonly slot: Uint8Array;
  /** Where in the picture it looks, 0..1023; -1 for neurons without a field. */
  readonly fieldX: Int16Array;
  readonly fieldY: Int16Array;
  /** `3 * neurons`, the axes of `ViewerGeometry`. */
  readonly positions: Float32Array;
};

export function allocateCells(): TwinCells {
  return {
    kind: new Uint8Array(NEURONS),
    half: new Uint8Array(NEURONS),
    side: new Uint8Array(NEURONS),
    transmitter: new Uint8Array(NEURONS),
    column: new Int16Array(NEURONS).fill(-1),
    slot: new Uint8Array(NEURONS),
    fieldX: new Int16Array(NEURONS).fill(-1),
    fieldY: new Int16Array(NEURONS).fill(-1),
    positions: new Float32Array(3 * NEURONS),
  };
}

/** Kinds, halves, columns, sides and transmitters with the published counts (spec: twin.md 2); no places yet. */
export function enumerateCells(seed: number): TwinCells {
  const cells = allocateCells();
  let next = 0;
  KINDS.forEach((facts, kind) => {
    for (const half of [Side.Left, Side.Right]) {
      const count = half === Side.Left ? facts.left : facts.right;
      for (let k = 0; k < count; k++, next++) {
        cells.kind[next] = kind;
        cells.half[next] = half;
        if (facts.perColumn === 0) continue;
        cells.column[next] = Math.floor(k / facts.perColumn);
        cells.slot[next] = k % facts.perColumn;
      }
    }
  });
  reportSides(cells);
  dealTransmitters(cells, seed);
  return cells;
}

export function superClassOf(kind: number): number {
  return KINDS[kind as Kind]!.superClass;
}

/** The last few neurons of a super class in each half are the ones a data set calls centre or leaves blank. */
function reportSides(cells: TwinCells): void {
  SUPER_CLASSES.forEach((facts, superClass) => {
    const spare = { left: facts.left, right: facts.right };
    let blank = facts.blank;
    for (let i = 0; i < NEURONS; i++) {
      if (superClassOf(cells.kind[i]!) !== superClass) continue;
      if (cells.half[i] === Side.Left && spare.left > 0) {
        spare.left--;
        cells.side[i] = Side.Left;
      } else if (cells.half[i] === Side.Right && spare.right > 0) {
        spare.right--;
        cells.side[i] = Side.Right;
      } else if (blank > 0) {
        blank--;
        cells.side[i] = Side.Blank;
      } else {
        cells.side[i] = Side.Centre;
      }
    }
  });
}

/** Deals transmitters so that each super class has exactly its published counts and each kind its negative share. */
function dealTransmitters(cells: TwinCells, seed: number): void {
  const random = createRandom(seed, 1);
  const left = SUPER_CLASSES.map(({ transmitters }) => [...transmitters]);
  const own = KINDS.map((facts) => {
    facts.transmitters?.forEach((count, t) => (left[facts.superClass]![t]! -= count));
    return facts.transmitters === null ? null : [...facts.transmitters];
  });
  const members = KINDS.map((): number[] => []);
  for (let i = 0; i < NEURONS; i++) members[cells.kind[i]!]!.push(i);
  KINDS.forEach((facts, kind) => {
    const bag = own[kind] ?? left[facts.superClass]!;
    const list = members[kind]!;
    let negatives = facts.negative;
    list.forEach((neuron, k) => {
      // columnar kinds are all of one sign except for their last `negative`; others mix the signs evenly
      const remaining = list.length - k;
      const negative = facts.perColumn > 0 ? remaining <= negatives : random.below(remaining) < negatives;
      if (negative) negatives--;
      const t = draw(bag, negative, random.next());
      bag[t]!--;
      cells.transmitter[neuron] = t;
    });
  });
}

export function isNegative(transmitter: number): boolean {
  return TRANSMITTERS[transmitter] === 'GLUT' || TRANSMITTERS[transmitter] === 'GABA';
}

function draw(bag: readonly number[], negative: boolean, word: number): number {
  let total = 0;
  for (let t = 0; t < bag.length; t++) if (isNegative(t) === negative) total += bag[t]!;
  let rest = Math.floor(word * total * 2 ** -32);
  for (let t = 0; t < bag.length; t++) {
    if (isNegative(t) !== negative) continue;
    if (rest < bag[t]!) return t;
    rest -= bag[t]!;
  }
  throw new RangeError(`no transmitter left of sign ${negative ? 'minus' : 'plus'}`);
}

/** Columns of both eyes in the bundle's order: left eye first, reading order. */
export const RETINA_COLUMNS: number = 2 * COLUMNS;
