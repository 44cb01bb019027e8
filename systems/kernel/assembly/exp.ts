// Constants of the Sun fdlibm exponential: ln 2 in two parts and the minimax coefficients of its rational kernel.
const LN2_HIGH: f64 = reinterpret<f64>(0x3fe62e42fee00000);
const LN2_LOW: f64 = reinterpret<f64>(0x3dea39ef35793c76);
const INVERSE_LN2: f64 = reinterpret<f64>(0x3ff71547652b82fe);
const P1: f64 = reinterpret<f64>(0x3fc555555555553e);
const P2: f64 = reinterpret<f64>(0xbf66c16c16bebd93);
const P3: f64 = reinterpret<f64>(0x3f11566aaf25de2c);
const P4: f64 = reinterpret<f64>(0xbebbbd41c5d26bf1);
const P5: f64 = reinterpret<f64>(0x3e66376972bea4d0);

/**
 * e to the `x`, for x <= 0: bit for bit what fdlibm, and so V8, computes (spec: brain.md 4.10). The kernel never asks for
 * a positive power.
 */
export function exp(x: f64): f64 {
  const high = (<u32>(reinterpret<u64>(x) >> 32)) & 0x7fffffff;
  if (x < -745.13321910194110842) return 0;
  if (high < 0x3e300000) return 1 + x;
  let power: i32 = 0;
  let large: f64 = 0;
  let small: f64 = 0;
  let rest = x;
  if (high > 0x3fd62e42) {
    if (high < 0x3ff0a2b2) {
      power = -1;
      large = x + LN2_HIGH;
      small = -LN2_LOW;
    } else {
      power = <i32>(INVERSE_LN2 * x - 0.5);
      large = x - <f64>power * LN2_HIGH;
      small = <f64>power * LN2_LOW;
    }
    rest = large - small;
  }
  const square = rest * rest;
  const kernel = rest - square * (P1 + square * (P2 + square * (P3 + square * (P4 + square * P5))));
  if (power == 0) return 1 - ((rest * kernel) / (kernel - 2) - rest);
  const scaled = 1 - (small - (rest * kernel) / (2 - kernel) - large);
  if (power >= -1021) return scaled * powerOfTwo(power);
  return scaled * powerOfTwo(power + 1000) * reinterpret<f64>(0x0170000000000000); // 2^-1000
}

/** The hyperbolic tangent as fdlibm wraps its e^x - 1 (spec: brain.md 4.10). */
export function tanh(x: f64): f64 {
  const size = abs<f64>(x);
  if (size < 3.725290298461914e-9) return x; // 2^-28
  let result: f64 = 1;
  if (size >= 1) {
    if (size < 22) result = 1 - 2 / (expMinusOne(2 * size) + 2);
  } else {
    const power = expMinusOne(-2 * size);
    result = -power / (power + 2);
  }
  return x < 0 ? -result : result;
}

const Q1: f64 = reinterpret<f64>(0xbfa11111111110f4);
const Q2: f64 = reinterpret<f64>(0x3f5a01a019fe5585);
const Q3: f64 = reinterpret<f64>(0xbf14ce199eaadbb7);
const Q4: f64 = reinterpret<f64>(0x3ed0cfca86e65239);
const Q5: f64 = reinterpret<f64>(0xbe8afdb76e09c32d);

/**
 * e^x - 1 for -2 < x < 44, what `tanh` asks for. The standard library's own sums its polynomial in another order, which
 * changes the last bit of one tanh in 150.
 */
function expMinusOne(x: f64): f64 {
  const high = (<u32>(reinterpret<u64>(x) >> 32)) & 0x7fffffff;
  if (high < 0x3c900000) return x;
  let power: i32 = 0;
  let rest = x;
  let correction: f64 = 0;
  if (high > 0x3fd62e42) {
    if (high < 0x3ff0a2b2) power = x < 0 ? -1 : 1;
    else power = <i32>(INVERSE_LN2 * x + (x < 0 ? -0.5 : 0.5));
    const large = x - <f64>power * LN2_HIGH;
    const small = <f64>power * LN2_LOW;
    rest = large - small;
    correction = large - rest - small;
  }
  const half = 0.5 * rest;
  const square = rest * half;
  const ratio = 1 + square * (Q1 + square * (Q2 + square * (Q3 + square * (Q4 + square * Q5))));
  const slope = 3 - ratio * half;
  let error = square * ((ratio - slope) / (6 - rest * slope));
  if (power == 0) return rest - (rest * error - square);
  error = rest * (error - correction) - correction;
  error -= square;
  if (power == -1) return 0.5 * (rest - error) - 0.5;
  if (power == 1) return rest < -0.25 ? -2 * (error - (rest + 0.5)) : 1 + 2 * (rest - error);
  const scale = powerOfTwo(power);
  if (power < -1 || power > 56) return (1 - (error - rest)) * scale - 1;
  if (power < 20) return (1 - powerOfTwo(-power) - (error - rest)) * scale;
  return (rest - (error + powerOfTwo(-power)) + 1) * scale;
}

function powerOfTwo(power: i32): f64 {
  return reinterpret<f64>((<i64>(power + 1023)) << 52);
}
