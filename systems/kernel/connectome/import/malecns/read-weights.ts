import { DataError } from '../../../../../engine/errors.ts';
import { MAX_SORTED_NEURONS, sortEdges } from '../sort-edges.ts';
import type { SortedEdges } from '../sort-edges.ts';
import { createBodyIndex } from './body-index.ts';
import { openFeather } from './feather.ts';
import type { Inventory } from './read-inventory.ts';
import { TERRITORIES, territoryOf } from './territories.ts';

export type WeightFilter = {
  /** Pairs with fewer contacts are left out; 1 keeps all. Two thresholds are two graphs (spec: brain.md 3.5). */
  readonly threshold: number;
  /** Default true in the importer; removal is a recorded policy. */
  readonly keepAutapses: boolean;
};

export type WeightReport = {
  readonly rows: number;
  /** Sum of `weight` over the whole table. */
  readonly contacts: number;
  /** Rows left out, by the first reason that applies. */
  readonly excluded: {
    readonly notPositive: number;
    readonly bothOutside: number;
    readonly preOutside: number;
    readonly postOutside: number;
    readonly belowThreshold: number;
    readonly autapses: number;
    readonly duplicates: number;
  };
  readonly autapses: number;
  /** Pairs and contacts between neurons of the inventory, by least contacts a pair. */
  readonly byThreshold: Readonly<Record<string, { readonly pairs: number; readonly contacts: number }>>;
  /** Kept pairs and contacts, source territory to target territory. */
  readonly byTerritory: Readonly<Record<string, { readonly pairs: number; readonly contacts: number }>>;
  readonly kept: { readonly pairs: number; readonly contacts: number; readonly largest: number };
};

export type Weights = { readonly edges: SortedEdges; readonly report: WeightReport };

const THRESHOLDS = [1, 2, 3, 5, 10, 20] as const;

/**
 * Streams the weight table, batch by batch, keeps pairs of the inventory and sorts them into rows. Typed arrays only:
 * the full table has 151.9 M rows, of which about 25.6 M stay (spec: brain.md 3.2).
 * @param onBatch batches read so far, of how many; what it throws ends the import
 * @throws DataError FEATHER_*; MALECNS_WEIGHT for a fractional or absent weight or one above 2^32 - 1
 */
export async function readWeights(
  path: string,
  inventory: Inventory,
  filter: WeightFilter,
  onBatch: (done: number, total: number) => void,
): Promise<Weights> {
  const { neurons } = inventory;
  if (neurons >= MAX_SORTED_NEURONS) {
    throw new DataError(
      'MALECNS_INVENTORY',
      `${path}: ${neurons} neurons are more than ${MAX_SORTED_NEURONS}. Choose another rule.`,
    );
  }
  const file = await openFeather(path, ['body_pre', 'body_post', 'weight']);
  try {
    const sieve = createSieve(inventory, filter, path);
    let done = 0;
    for await (const batch of file.batches()) {
      onBatch(done++, file.batchCount);
      sieve.reserve(batch.rows);
      batch.ids('body_pre', sieve.preLow, sieve.preHigh);
      batch.ids('body_post', sieve.postLow, sieve.postHigh);
      batch.numbers('weight', sieve.weight);
      sieve.take(batch.rows, batch.firstRow);
    }
    return sieve.finish();
  } finally {
    await file.close();
  }
}

type Sieve = {
  preLow: Uint32Array;
  preHigh: Uint32Array;
  postLow: Uint32Array;
  postHigh: Uint32Array;
  weight: Float64Array;
  reserve(rows: number): void;
  take(rows: number, firstRow: number): void;
  finish(): Weights;
};

function createSieve(inventory: Inventory, { threshold, keepAutapses }: WeightFilter, path: string): Sieve {
  const index = createBodyIndex(inventory.low, inventory.high);
  const excluded = { notPositive: 0, bothOutside: 0, preOutside: 0, postOutside: 0, belowThreshold: 0, autapses: 0 };
  const pairsAt = new Float64Array(THRESHOLDS.length);
  const contactsAt = new Float64Array(THRESHOLDS.length);
  let rowsRead = 0;
  let contactsRead = 0;
  let kept = 0;
  let pre = new Uint32Array(1 << 16);
  let post = new Uint32Array(1 << 16);
  let contacts = new Uint32Array(1 << 16);

  const sieve: Sieve = {
    preLow: new Uint32Array(0),
    preHigh: new Uint32Array(0),
    postLow: new Uint32Array(0),
    postHigh: new Uint32Array(0),
    weight: new Float64Array(0),
    reserve(rows) {
      if (rows > sieve.weight.length) {
        for (const key of ['preLow', 'preHigh', 'postLow', 'postHigh'] as const) sieve[key] = new Uint32Array(rows);
        sieve.weight = new Float64Array(rows);
      }
      if (kept + rows <= pre.length) return;
      const size = Math.max(kept + rows, Math.ceil(pre.length * 1.5));
      pre = lengthen(pre, size);
      post = lengthen(post, size);
      contacts = lengthen(contacts, size);
    },
    take(rows, firstRow) {
      rowsRead += rows;
      for (let row = 0; row < rows; row++) {
        const weight = sieve.weight[row]!;
        if (!Number.isInteger(weight) || weight > 0xffff_ffff) throw refuseWeight(path, firstRow + row, weight);
        contactsRead += weight;
        if (weight < 1) {
          excluded.notPositive++;
          continue;
        }
        const source = index.find(sieve.preLow[row]!, sieve.preHigh[row]!);
        const target = index.find(sieve.postLow[row]!, sieve.postHigh[row]!);
        if (source < 0 || target < 0) {
          if (source >= 0) excluded.postOutside++;
          else if (target >= 0) excluded.preOutside++;
          else excluded.bothOutside++;
          continue;
        }
        for (let k = 0; k < THRESHOLDS.length && weight >= THRESHOLDS[k]!; k++) {
          pairsAt[k]!++;
          contactsAt[k]! += weight;
        }
        if (weight < threshold) {
          excluded.belowThreshold++;
          continue;
        }
        if (source === target && !keepAutapses) {
          excluded.autapses++;
          continue;
        }
        pre[kept] = source;
        post[kept] = target;
        contacts[kept] = weight;
        kept++;
      }
    },
    finish() {
      const edges = sortEdges({
        neurons: inventory.neurons,
        pre: pre.subarray(0, kept),
        post: post.subarray(0, kept),
        contacts: contacts.subarray(0, kept),
      });
      pre = post = contacts = new Uint32Array(0);
      const byThreshold = THRESHOLDS.map((least, k) => [
        String(least),
        { pairs: pairsAt[k]!, contacts: contactsAt[k]! },
      ]);
      return {
        edges,
        report: {
          rows: rowsRead,
          contacts: contactsRead,
          excluded: { ...excluded, duplicates: edges.duplicates },
          byThreshold: Object.fromEntries(byThreshold) as WeightReport['byThreshold'],
          ...summarise(edges, inventory),
        },
      };
    },
  };
  return sieve;
}

function summarise(
  { indptr, targets, contacts }: SortedEdges,
  { superclass }: Inventory,
): Pick<WeightReport, 'autapses' | 'byTerritory' | 'kept'> {
  const ofWord = superclass.words.map(territoryOf);
  const count = TERRITORIES.length;
  const pairs = new Float64Array(count * count);
  const sums = new Float64Array(count * count);
  let autapses = 0;
  let largest = 0;
  let total = 0;
  for (let s = 0; s + 1 < indptr.length; s++) {
    const from = ofWord[superclass.codes[s]!]! * count;
    for (let e = indptr[s]!; e < indptr[s + 1]!; e++) {
      const cell = from + ofWord[superclass.codes[targets[e]!]!]!;
      pairs[cell]!++;
      sums[cell]! += contacts[e]!;
      total += contacts[e]!;
      if (contacts[e]! > largest) largest = contacts[e]!;
      if (targets[e] === s) autapses++;
    }
  }
  const byTerritory: Record<string, { pairs: number; contacts: number }> = {};
  for (let cell = 0; cell < pairs.length; cell++) {
    if (pairs[cell] === 0) continue;
    const name = `${TERRITORIES[Math.floor(cell / count)]} -> ${TERRITORIES[cell % count]}`;
    byTerritory[name] = { pairs: pairs[cell]!, contacts: sums[cell]! };
  }
  return { autapses, byTerritory, kept: { pairs: targets.length, contacts: total, largest } };
}

function lengthen(array: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(size);
  longer.set(array);
  return longer;
}

function refuseWeight(path: string, row: number, weight: number): DataError {
  return new DataError(
    'MALECNS_WEIGHT',
    `${path}: weight of row ${row} is ${weight}, not a whole number of contacts. Download the file again.`,
  );
}
