import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortEdges } from '../../../../../systems/kernel/connectome/import/sort-edges.ts';

test('edges in any order become rows by source with ascending targets (brain.md 1.3)', () => {
  const edges = sortEdges({
    neurons: 3,
    pre: Uint32Array.of(2, 0, 0, 2),
    post: Uint32Array.of(1, 2, 0, 0),
    contacts: Uint32Array.of(9, 4, 7, 1),
  });
  expect(Array.from(edges.indptr)).toEqual([0, 2, 2, 4]);
  expect(Array.from(edges.targets)).toEqual([0, 2, 0, 1]);
  expect(Array.from(edges.contacts)).toEqual([7, 4, 1, 9]);
  expect(edges.duplicates).toBe(0);
});

test('a repeated pair keeps its largest count and is never summed (brain.md 3.2)', () => {
  const edges = sortEdges({
    neurons: 2,
    pre: Uint32Array.of(0, 1, 0, 0),
    post: Uint32Array.of(1, 1, 1, 1),
    contacts: Uint32Array.of(5, 2, 8, 8),
  });
  expect(Array.from(edges.contacts)).toEqual([8, 2]);
  expect(Array.from(edges.indptr)).toEqual([0, 1, 2]);
  expect(edges.duplicates).toBe(2);
});

test('any edge list gives the rows that a map of pairs gives', () => {
  const edge = fc.record({ pre: fc.nat(19), post: fc.nat(19), contacts: fc.integer({ min: 1, max: 0xffff_ffff }) });
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 300 }), (list) => {
      const largest = new Map<number, number>();
      for (const { pre, post, contacts } of list) {
        const pair = pre * 20 + post;
        largest.set(pair, Math.max(contacts, largest.get(pair) ?? 0));
      }
      const wanted = [...largest].sort(([a], [b]) => a - b);
      const edges = sortEdges({
        neurons: 20,
        pre: Uint32Array.from(list, ({ pre }) => pre),
        post: Uint32Array.from(list, ({ post }) => post),
        contacts: Uint32Array.from(list, ({ contacts }) => contacts),
      });
      const found: [number, number][] = [];
      for (let s = 0; s < 20; s++) {
        for (let e = edges.indptr[s]!; e < edges.indptr[s + 1]!; e++) {
          found.push([s * 20 + edges.targets[e]!, edges.contacts[e]!]);
        }
      }
      expect(found).toEqual(wanted);
      expect(edges.duplicates).toBe(list.length - wanted.length);
    }),
  );
});
