/** Integers from one seed. Only 32-bit operations decide, so every machine draws the same ones. */
export type Random = {
  /** Uniform in [0, 2^32). */
  next(): number;
  /** Uniform whole number in [0, limit); `limit` at most 2^21. */
  below(limit: number): number;
};

/**
 * xoshiro128** (Blackman and Vigna), its four words filled by splitmix32 from `seed` and `stream`. Streams of one seed
 * are independent, so that one part of the generator can change without moving the others.
 */
export function createRandom(seed: number, stream: number): Random {
  let fill = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca77)) | 0;
  const mix = (): number => {
    fill = (fill + 0x9e3779b9) | 0;
    let z = Math.imul(fill ^ (fill >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return z ^ (z >>> 16);
  };
  let a = mix();
  let b = mix();
  let c = mix();
  let d = mix() | 1; // never all zero

  function next(): number {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result >>> 0;
  }
  return {
    next,
    below: (limit) => Math.floor(next() * limit * 2 ** -32),
  };
}

/** Uniform in [0, 1) with 32 bits; exact, so safe on every machine. */
export function unit(random: Random): number {
  return random.next() * 2 ** -32;
}

/**
 * Nearly normal, mean 0 and deviation 1: the bit count of a word (binomial, n = 32) spread by a uniform step. Bounded
 * by 5.9 deviations.
 */
export function bell(random: Random): number {
  return (bitCount(random.next()) - 16 + unit(random) - 0.5) * BELL_SCALE;
}

/** 1 / sqrt(32 * 0.25 + 1 / 12), the deviation of the sum above. */
const BELL_SCALE = 0.351726;

export function bitCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Fisher-Yates, in place. */
export function shuffle(values: { [index: number]: number; readonly length: number }, random: Random): void {
  for (let i = values.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const kept = values[i]!;
    values[i] = values[j]!;
    values[j] = kept;
  }
}
