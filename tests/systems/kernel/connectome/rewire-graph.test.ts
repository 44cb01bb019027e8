import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../../../systems/kernel/connectome/grow/random.ts';
import { rewireGraph } from '../../../../systems/kernel/connectome/rewire-graph.ts';
import type { RowGraph } from '../../../../systems/kernel/connectome/rewire-graph.ts';

test('rewiring keeps every degree and every source weight, and makes no repeated pair and no self-edge', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      const graph = sparseGraph(60, 4, seed);
      const control = rewireGraph(graph, seed);
      expect(control.indptr).toEqual(graph.indptr);
      expect(control.weights).toEqual(graph.weights);
      expect(control.targets.slice().sort()).toEqual(graph.targets.slice().sort());
      for (let s = 0; s < 60; s++) {
        const row = Array.from(control.targets.subarray(control.indptr[s], control.indptr[s + 1]));
        expect(new Set(row).size).toBe(row.length);
        expect(row).not.toContain(s);
        expect(row).toEqual([...row].sort((a, b) => a - b));
      }
    }),
    { numRuns: 40 },
  );
});

test('the same seed rewires the same way and another seed does not', () => {
  const graph = sparseGraph(60, 4, 5);
  expect(rewireGraph(graph, 1).targets).toEqual(rewireGraph(graph, 1).targets);
  expect(rewireGraph(graph, 1).targets).not.toEqual(rewireGraph(graph, 2).targets);
});

function sparseGraph(neurons: number, degree: number, seed: number): RowGraph {
  const random = createRandom(seed, 0);
  const targets = new Uint32Array(neurons * degree);
  for (let s = 0; s < neurons; s++) {
    const row = new Set<number>();
    while (row.size < degree) {
      const target = random.below(neurons);
      if (target !== s) row.add(target);
    }
    targets.set(
      [...row].sort((a, b) => a - b),
      s * degree,
    );
  }
  return {
    indptr: Uint32Array.from({ length: neurons + 1 }, (_, s) => s * degree),
    targets,
    weights: Int16Array.from({ length: neurons * degree }, (_, e) => (e % 7) - 3),
  };
}
