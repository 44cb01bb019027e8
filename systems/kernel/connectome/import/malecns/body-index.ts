/** Finds a neuron by its 64-bit body id, held as two 32-bit halves so that no row makes a BigInt. */
export type BodyIndex = {
  /** Index of the neuron, -1 when the body is not in the inventory. */
  find(low: number, high: number): number;
};

/** @param low, high halves of every id, index order, each id once */
export function createBodyIndex(low: Uint32Array, high: Uint32Array): BodyIndex {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * low.length)));
  const mask = size - 1;
  const slots = new Int32Array(size).fill(-1);
  for (let i = 0; i < low.length; i++) {
    let slot = spread(low[i]!, high[i]!) & mask;
    while (slots[slot] !== -1) slot = (slot + 1) & mask;
    slots[slot] = i;
  }
  return {
    find(lowHalf, highHalf) {
      for (let slot = spread(lowHalf, highHalf) & mask; ; slot = (slot + 1) & mask) {
        const i = slots[slot]!;
        if (i === -1 || (low[i] === lowHalf && high[i] === highHalf)) return i;
      }
    },
  };
}

/** Neighbouring ids go far apart (multiplier: 2^32 over the golden ratio). */
function spread(low: number, high: number): number {
  const mixed = Math.imul(low ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1);
  return mixed ^ (mixed >>> 15);
}

/** An id as the release prints it. */
export function bodyText(low: number, high: number): string {
  return high < 2 ** 21 ? String(high * 2 ** 32 + low) : String((BigInt(high) << 32n) | BigInt(low));
}
