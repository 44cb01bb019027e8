import { nextXorshift } from './xorshift.ts';

export type BaselineDraw = {
  /** Fixed drive of every neuron, 0..`baselineMax`. */
  readonly baseline: Float32Array;
  /** State of the stream afterwards; the noise continues it. */
  readonly rng: number;
};

/** One draw per neuron, ascending, from the stream the noise uses afterwards (spec: brain.md 4.2). */
export function drawBaseline(neurons: number, seed: number, baselineMax: number): BaselineDraw {
  const baseline = new Float32Array(neurons);
  let rng = seed;
  for (let neuron = 0; neuron < neurons; neuron++) {
    rng = nextXorshift(rng);
    baseline[neuron] = ((rng >>> 0) / 4_294_967_296) * baselineMax;
  }
  return { baseline, rng };
}
