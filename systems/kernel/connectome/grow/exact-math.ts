/*
 * Exponential and circular functions from + - * / alone. IEEE 754 fixes those to the last bit, while `Math.exp` and
 * `Math.sin` may differ between engines; the twin must not.
 */

export const TURN = 6.283185307179586;
const LN2 = 0.6931471805599453;

/** e to the power `x`, |x| below 40; relative error below 1e-14. */
export function exactExp(x: number): number {
  const halvings = Math.floor(x / LN2 + 0.5);
  const rest = x - halvings * LN2;
  let sum = 1;
  for (let n = 18; n > 0; n--) sum = 1 + (sum * rest) / n;
  const factor = halvings < 0 ? 0.5 : 2;
  for (let n = Math.abs(halvings); n > 0; n--) sum *= factor;
  return sum;
}

/** Sine of `x` radians, |x| below 1e6. */
export function exactSin(x: number): number {
  let rest = x - TURN * Math.floor(x / TURN + 0.5);
  if (rest > TURN / 4) rest = TURN / 2 - rest;
  if (rest < -TURN / 4) rest = -TURN / 2 - rest;
  const square = rest * rest;
  let sum = 1;
  for (let n = 20; n > 0; n -= 2) sum = 1 - (sum * square) / (n * (n + 1));
  return sum * rest;
}

export function exactCos(x: number): number {
  return exactSin(x + TURN / 4);
}
