/** Removes the constant part of one channel: consoles put out unipolar samples (spec: broadcast.md 56). */
export type DcBlocker = {
  /** Filters in place, from `offset` on, every `stride`-th value. */
  run(samples: Float32Array, offset: number, stride: number): void;
};

/** Pole of the filter, rounded to f32 like every other value in it (spec: session.md 12.2). */
const POLE = Math.fround(0.995);

/** `y[n] = x[n] - x[n-1] + 0.995 y[n-1]`, every operation in f32, state zero at the start (spec: session.md 12.2). */
export function createDcBlocker(): DcBlocker {
  let before = 0;
  let output = 0;
  return {
    run(samples, offset, stride) {
      for (let i = offset; i < samples.length; i += stride) {
        const value = samples[i]!;
        output = Math.fround(Math.fround(value - before) + Math.fround(POLE * output));
        before = value;
        samples[i] = output;
      }
    },
  };
}
