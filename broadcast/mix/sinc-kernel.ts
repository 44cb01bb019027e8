/** Coefficients of a windowed-sinc interpolator, one row per sub-sample phase. */
export type SincKernel = {
  /** Source samples under one output sample; half before the position, half after. */
  readonly taps: number;
  readonly phases: number;
  /** `(phases + 1) * taps`: the last row is phase 0 of the next sample, so that rows can be blended. */
  readonly rows: Float32Array;
};

const PHASES = 256;
const TAPS = 32;
/** Share of the lower of the two Nyquist rates that passes. */
const PASS = 0.92;
/** Kaiser window: about 80 dB down outside the band. */
const BETA = 8;

/** For reading a stream of `sourceHz` at about `outputHz`; a faster source gets a longer, narrower kernel. */
export function createSincKernel(sourceHz: number, outputHz: number): SincKernel {
  const ratio = Math.max(1, sourceHz / outputHz);
  const taps = 2 * Math.ceil((TAPS * ratio) / 2);
  const cutoff = PASS / ratio;
  const rows = new Float32Array((PHASES + 1) * taps);
  const half = taps / 2;
  const row = new Float64Array(taps);
  for (let phase = 0; phase <= PHASES; phase++) {
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const distance = tap - (half - 1) - phase / PHASES;
      const value = cutoff * sinc(cutoff * distance) * kaiser(distance / half);
      row[tap] = value;
      sum += value;
    }
    // Every phase passes a constant unchanged, or the phases themselves would hum.
    for (let tap = 0; tap < taps; tap++) rows[phase * taps + tap] = row[tap]! / sum;
  }
  return { taps, phases: PHASES, rows };
}

function sinc(x: number): number {
  if (Math.abs(x) < 1e-12) return 1;
  return Math.sin(Math.PI * x) / (Math.PI * x);
}

/** @param x -1..1 across the window; 0 outside */
function kaiser(x: number): number {
  if (x <= -1 || x >= 1) return 0;
  return bessel0(BETA * Math.sqrt(1 - x * x)) / bessel0(BETA);
}

/** Modified Bessel function of the first kind, order 0, by its power series. */
function bessel0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; k < 40; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
