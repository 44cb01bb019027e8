/** Viewer class by Codex flow: afferent 0, efferent 2, anything else 1 (spec: brain.md 1.7). */
export function classesFromFlow(flow: readonly string[]): Uint8Array {
  return Uint8Array.from(flow, (word) => (word === 'afferent' ? 0 : word === 'efferent' ? 2 : 1));
}

/** Spec: brain.md 1.7. */
const FIBRE_DIVISOR = 43;
const PRE_REMAINDER = 2 ** 32 % FIBRE_DIVISOR;

/** Interleaved (pre, post) of the edges whose `(pre << 32) | post` is divisible by 43, in edge order (spec: brain.md 1.7). */
export function pickFibres(indptr: Uint32Array, targets: Uint32Array): Uint32Array {
  const pairs: number[] = [];
  for (let pre = 0; pre + 1 < indptr.length; pre++) {
    const upper = pre * PRE_REMAINDER;
    for (let e = indptr[pre]!; e < indptr[pre + 1]!; e++) {
      if ((upper + targets[e]!) % FIBRE_DIVISOR === 0) pairs.push(pre, targets[e]!);
    }
  }
  return Uint32Array.from(pairs);
}
