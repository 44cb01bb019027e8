/** Next signed state of the xorshift32 stream; the output is that state `>>> 0` (spec: brain.md 4.4). Never feed 0. */
export function nextXorshift(state: number): number {
  let next = state | 0;
  next ^= next << 13;
  next ^= next >>> 17;
  next ^= next << 5;
  return next;
}
