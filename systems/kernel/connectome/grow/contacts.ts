import { exactExp } from './exact-math.ts';
import { bitCount, shuffle } from './random.ts';
import type { Random } from './random.ts';

/** Fewest contacts of an edge in the published table (spec: twin.md 1). */
export const LEAST_CONTACTS = 5;
const MOST_CONTACTS = 2_400;

/** Log-normal contact counts above `LEAST_CONTACTS`, drawn by table: one random word and one strength an edge. */
export type ContactTable = {
  /** @param word 32 random bits; @param strength relative to the mean, 256 = 1 */
  draw(word: number, strength: number): number;
};

const STEPS = 16;
const BELL_SCALE = 0.3527; // deviations per bit of a 32-bit count

/** `median` of the part above the least count, `sigma` of its logarithm. */
export function createContactTable(median: number, sigma: number): ContactTable {
  const table = new Uint32Array(33 * STEPS);
  for (let k = 0; k < table.length; k++) {
    const deviations = ((k + 0.5) / STEPS - 16.5) * BELL_SCALE;
    table[k] = Math.floor(median * exactExp(sigma * deviations) * 64);
  }
  return {
    draw(word, strength) {
      // the count of all bits gives the bell, a multiplicative mix of them the step within
      const step = (Math.imul(word, 0x9e3779b1) >>> 28) & (STEPS - 1);
      const above = Math.floor((table[bitCount(word) * STEPS + step]! * strength) / (64 * 256));
      return Math.min(MOST_CONTACTS, LEAST_CONTACTS + above);
    },
  };
}

/** Finer steps a dealt count is chosen from. */
const OVERSAMPLING = 64;

/**
 * `count` contact counts whose distribution is the table's own instead of a sample of it: few edges with published
 * statistics would otherwise miss them by chance. Shuffled; `most` is the largest of them, null leaves it to the table.
 */
export function dealContacts(table: ContactTable, count: number, most: number | null, random: Random): Uint16Array {
  const drawn = Uint16Array.from({ length: count * OVERSAMPLING }, () =>
    Math.min(most ?? MOST_CONTACTS, table.draw(random.next(), 256)),
  );
  drawn.sort();
  const dealt = Uint16Array.from({ length: count }, (_, k) => drawn[k * OVERSAMPLING + OVERSAMPLING / 2]!);
  if (most !== null) dealt[count - 1] = most;
  shuffle(dealt, random);
  return dealt;
}
