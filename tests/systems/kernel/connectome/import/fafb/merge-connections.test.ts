import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeConnections } from '../../../../../../systems/kernel/connectome/import/fafb/merge-connections.ts';
import type { ConnectionRows } from '../../../../../../systems/kernel/connectome/import/fafb/read-connections.ts';

const NEURONS = 6;
const LABELS = ['ACH', 'GABA', 'GLUT', '', 'MIXED', 'TYR'];

type Row = readonly [pre: number, post: number, contacts: number, label: number];

test('merging equals the plain rule: one map entry a pair, in any order of rows (brain.md 2, rules 6 to 8)', () => {
  const neuron = fc.integer({ min: 0, max: NEURONS - 1 });
  const row = fc.tuple(
    neuron,
    neuron,
    fc.integer({ min: 0, max: 20_000 }),
    fc.integer({ min: 0, max: LABELS.length - 1 }),
  );
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
      const { indptr, targets, weights, facts } = mergeConnections(tableOf(rows), NEURONS);
      const found: string[] = [];
      for (let s = 0; s < NEURONS; s++) {
        for (let e = indptr[s]!; e < indptr[s + 1]!; e++) found.push(`${s}>${targets[e]} ${weights[e]}`);
      }
      expect(found).toEqual(mergePlainly(rows));
      expect(indptr[NEURONS]).toBe(targets.length);
      expect(facts.mergedRows).toBe(rows.length - targets.length);
      expect(facts.contacts).toBe(rows.reduce((sum, [, , contacts]) => sum + contacts, 0));
    }),
  );
});

test('a label that is the name of an object property is unknown and positive', () => {
  const table = tableOf([[0, 1, 5, 0]]);
  const { weights } = mergeConnections({ ...table, transmitters: ['CONSTRUCTOR', 'toString'] }, NEURONS);
  expect(Array.from(weights)).toEqual([5]);
});

function mergePlainly(rows: readonly Row[]): string[] {
  const pairs = new Map<number, { count: number; label: string }>();
  for (const [pre, post, contacts, label] of rows) {
    const key = pre * NEURONS + post;
    const pair = pairs.get(key);
    if (pair === undefined) pairs.set(key, { count: contacts, label: LABELS[label]! });
    else {
      pair.count += contacts;
      if (pair.label !== LABELS[label]!) pair.label = 'MIXED';
    }
  }
  return Array.from(pairs)
    .sort(([a], [b]) => a - b)
    .map(([key, { count, label }]) => {
      const sign = label === 'GABA' || label === 'GLUT' ? -1 : 1;
      const weight = Math.max(-32_767, Math.min(32_767, count * sign));
      return `${Math.floor(key / NEURONS)}>${key % NEURONS} ${weight === 0 ? 0 : weight}`;
    });
}

function tableOf(rows: readonly Row[]): ConnectionRows {
  return {
    rows: rows.length,
    absentRows: 0,
    length: rows.length,
    pre: Uint32Array.from(rows, (row) => row[0]),
    post: Uint32Array.from(rows, (row) => row[1]),
    contacts: Uint32Array.from(rows, (row) => row[2]),
    transmitter: Uint16Array.from(rows, (row) => row[3]),
    transmitters: LABELS,
  };
}
