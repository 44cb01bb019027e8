import { createRandom } from './grow/random.ts';
import type { Random } from './grow/random.ts';

export type RowGraph = { readonly indptr: Uint32Array; readonly targets: Uint32Array; readonly weights: Int16Array };

/** Draws to find a partner for one clashing edge before its row is declared too dense to shuffle. */
const TRIES = 10_000;

/**
 * A control that keeps every neuron's out-degree, in-degree and signed weights and loses everything else about who
 * talks to whom: targets are shuffled over all edges, then repeated pairs and self-edges are swapped away. Rows come out
 * target-ascending. Same seed, same bytes.
 * @throws RangeError when the graph is too dense to have another such wiring
 */
export function rewireGraph({ indptr, targets, weights }: RowGraph, seed: number): RowGraph {
  const random = createRandom(seed, 16);
  const shuffled = targets.slice();
  for (let e = shuffled.length - 1; e > 0; e--) {
    const other = below(random, e + 1);
    const kept = shuffled[e]!;
    shuffled[e] = shuffled[other]!;
    shuffled[other] = kept;
  }
  const rowOf = new Uint32Array(shuffled.length);
  for (let s = 0; s + 1 < indptr.length; s++) rowOf.fill(s, indptr[s], indptr[s + 1]);
  for (let s = 0; s + 1 < indptr.length; s++) repairRow(indptr, shuffled, rowOf, s, random);
  for (let s = 0; s + 1 < indptr.length; s++) shuffled.subarray(indptr[s], indptr[s + 1]).sort();
  return { indptr: indptr.slice(), targets: shuffled, weights: weights.slice() };
}

/** Swaps every self-edge and repeated pair of one row with an edge elsewhere, such that neither row clashes after. */
function repairRow(indptr: Uint32Array, targets: Uint32Array, rowOf: Uint32Array, row: number, random: Random): void {
  for (let e = indptr[row]!; e < indptr[row + 1]!; e++) {
    for (let tries = 0; clashes(indptr, targets, row, e); tries++) {
      if (tries === TRIES) throw new RangeError(`row ${row} is too dense to rewire`);
      const other = below(random, targets.length);
      swap(targets, e, other);
      if (clashes(indptr, targets, row, e) || clashes(indptr, targets, rowOf[other]!, other)) swap(targets, e, other);
    }
  }
}

function clashes(indptr: Uint32Array, targets: Uint32Array, row: number, edge: number): boolean {
  const target = targets[edge]!;
  if (target === row) return true;
  for (let e = indptr[row]!; e < indptr[row + 1]!; e++) if (e !== edge && targets[e] === target) return true;
  return false;
}

function swap(targets: Uint32Array, a: number, b: number): void {
  const kept = targets[a]!;
  targets[a] = targets[b]!;
  targets[b] = kept;
}

/** Uniform in [0, limit); a product above 2^53 is rounded the same way on every machine. */
function below(random: Random, limit: number): number {
  return Math.min(limit - 1, Math.floor(random.next() * limit * 2 ** -32));
}
