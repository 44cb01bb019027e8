/** Finds the position of a 64-bit id in a sorted list, without big integers. */
export type IdIndex = {
  /** Distinct and ascending. */
  readonly ids: BigUint64Array;
  /** Position of the id whose upper and lower 32 bits these are; -1 when it is not listed. */
  find(high: number, low: number): number;
};

/** An open-addressed table over two 32-bit halves. @param ids distinct, ascending; kept, not copied */
export function createIdIndex(ids: BigUint64Array): IdIndex {
  const bits = Math.max(4, Math.ceil(Math.log2(2 * ids.length + 1)));
  const mask = 2 ** bits - 1;
  const halves = new Uint32Array(ids.buffer, ids.byteOffset, 2 * ids.length); // little-endian: low, high
  const slots = new Int32Array(mask + 1).fill(-1);
  for (let i = 0; i < ids.length; i++) {
    let slot = hash(halves[2 * i + 1]!, halves[2 * i]!) & mask;
    while (slots[slot] !== -1) slot = (slot + 1) & mask;
    slots[slot] = i;
  }
  return {
    ids,
    find(high, low) {
      let slot = hash(high, low) & mask;
      for (;;) {
        const i = slots[slot]!;
        if (i === -1 || (halves[2 * i] === low && halves[2 * i + 1] === high)) return i;
        slot = (slot + 1) & mask;
      }
    },
  };
}

/** Both halves, with the upper bits folded down: neighbouring ids differ in few low bits. */
function hash(high: number, low: number): number {
  const mixed = Math.imul(low ^ Math.imul(high, 0x9e37_79b1), 0x85eb_ca6b);
  return mixed ^ (mixed >>> 15);
}
