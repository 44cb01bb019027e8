/** Whole-number arithmetic that commutes with a change of sign, so that a mirrored world stays mirrored. */

/** a / b towards zero, so `divide(-a, b) === -divide(a, b)`. Exact while |a| < 2^53 and the result fits 32 bits. */
export function divide(a: number, b: number): number {
  return (a / b) | 0;
}

/** Floor of the square root; exact below 2^52. */
export function squareRoot(n: number): number {
  const root = Math.floor(Math.sqrt(n));
  return root * root > n ? root - 1 : root;
}

/** 32-bit xorshift (13, 17, 5). @param state not 0 */
export function nextRandom(state: number): number {
  let next = state | 0;
  next ^= next << 13;
  next ^= next >>> 17;
  next ^= next << 5;
  return next;
}
