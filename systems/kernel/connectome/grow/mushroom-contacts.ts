import { KINDS, Kind } from './cell-kinds.ts';
import { createContactTable, dealContacts } from './contacts.ts';
import { DAN_TO_MBON, KENYON_TO_MBON, MBON_TO_MBON, PROJECTION_TO_KENYON } from './mushroom-body.ts';
import { createRandom } from './random.ts';

/** Contact counts of the mushroom body's dealt edges, handed out one by one. */
export type MushroomContacts = {
  /** @param pair `source kind * KINDS.length + target kind`; 0 when that pair has no published statistics */
  next(pair: number): number;
};

type Statistics = {
  readonly from: Kind;
  readonly to: Kind;
  readonly edges: number;
  readonly median: number;
  readonly sigma: number;
  /** Published maximum; null where none is. */
  readonly most: number | null;
};

/** Log-normal parts above 5 contacts that meet the published means, tails and maxima (spec: twin.md 3). */
const STATISTICS: readonly Statistics[] = [
  { from: Kind.Kenyon, to: Kind.Mbon, edges: KENYON_TO_MBON, median: 2.5, sigma: 0.8, most: 44 }, // mean 7.9, p90 12
  { from: Kind.AlProjection, to: Kind.Kenyon, edges: PROJECTION_TO_KENYON, median: 9.5, sigma: 0.68, most: 79 }, // 16.4, p90 27
  { from: Kind.Dan, to: Kind.Mbon, edges: DAN_TO_MBON, median: 5.6, sigma: 1.22, most: 402 }, // 15.9
  { from: Kind.Mbon, to: Kind.Mbon, edges: MBON_TO_MBON, median: 10.6, sigma: 1.06, most: null }, // 22.7
];

export function createMushroomContacts(seed: number): MushroomContacts {
  const random = createRandom(seed, 9);
  const decks: (Uint16Array | undefined)[] = new Array<undefined>(KINDS.length * KINDS.length).fill(undefined);
  for (const { from, to, edges, median, sigma, most } of STATISTICS) {
    decks[from * KINDS.length + to] = dealContacts(createContactTable(median, sigma), edges, most, random);
  }
  const used = new Uint32Array(decks.length);
  return {
    next(pair) {
      const deck = decks[pair];
      return deck === undefined ? 0 : deck[used[pair]!++]!;
    },
  };
}
