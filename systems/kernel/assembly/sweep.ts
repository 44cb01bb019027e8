import { Fly } from './fly';

/**
 * Decays and drives every membrane, eight at a time, and lists the neurons that reach the threshold, ascending. The
 * sums are f64 and compared unrounded; one store rounds them (spec: brain.md 4.3, step 4). Refractory neurons are
 * hidden while it runs. Sets the spike bits on the way: one step is one byte of them.
 * @returns how many were listed
 */
export function sweep(fly: Fly, list: u32): u32 {
  const decay = f64x2.splat(fly.decay);
  const threshold = f64x2.splat(fly.threshold);
  const membrane = fly.membraneAt;
  const spikeBits = fly.spikeBitsAt;
  const end = membrane + ((fly.neurons + 7) & ~7) * 4;
  let at = membrane;
  let base = fly.baselineAt;
  let tail = list;
  while (at < end) {
    const v0 = f64x2.add(f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(at)), decay), v128.load(base));
    const v1 = f64x2.add(f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(at, 8)), decay), v128.load(base, 16));
    const v2 = f64x2.add(f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(at, 16)), decay), v128.load(base, 32));
    const v3 = f64x2.add(f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(at, 24)), decay), v128.load(base, 48));
    v128.store64_lane(at, f32x4.demote_f64x2_zero(v0), 0);
    v128.store64_lane(at, f32x4.demote_f64x2_zero(v1), 0, 8);
    v128.store64_lane(at, f32x4.demote_f64x2_zero(v2), 0, 16);
    v128.store64_lane(at, f32x4.demote_f64x2_zero(v3), 0, 24);
    const largest = f64x2.pmax(f64x2.pmax(v0, v1), f64x2.pmax(v2, v3));
    if (v128.any_true(f64x2.ge(largest, threshold))) {
      let fired =
        i64x2.bitmask(f64x2.ge(v0, threshold)) |
        (i64x2.bitmask(f64x2.ge(v1, threshold)) << 2) |
        (i64x2.bitmask(f64x2.ge(v2, threshold)) << 4) |
        (i64x2.bitmask(f64x2.ge(v3, threshold)) << 6);
      const first = (at - membrane) >> 2;
      const bits = spikeBits + (first >> 3);
      store<u8>(bits, load<u8>(bits) | (<u8>fired));
      while (fired) {
        const lane = <u32>ctz<i32>(fired);
        fired &= fired - 1;
        store<f32>(at + (lane << 2), 0);
        store<u32>(tail, first + lane);
        tail += 4;
      }
    }
    at += 32;
    base += 64;
  }
  return (tail - list) >> 2;
}
