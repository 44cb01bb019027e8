/** How much of one source channel goes to the left and to the right. */
export type StereoGains = { readonly left: Float32Array; readonly right: Float32Array };

const HALF_POWER = Math.SQRT1_2;

/** Speaker order of the common layouts: c centre, b both (mono), w low frequency (left out), l/r, s/t surround. */
const LAYOUTS: Readonly<Record<number, string>> = {
  1: 'b',
  2: 'lr',
  3: 'lrc',
  4: 'lrst',
  5: 'lrcst',
  6: 'lrcwst',
  7: 'lrcwsts',
  8: 'lrcwstst',
};

/**
 * Gains that fold 1 to 8 channels (spec: broadcast.md 62) into two; more than two are scaled so that full scale on every
 * channel still fits.
 */
export function stereoGains(channels: number): StereoGains {
  const layout = LAYOUTS[channels]!;
  const left = new Float32Array(channels);
  const right = new Float32Array(channels);
  for (let i = 0; i < channels; i++) {
    const speaker = layout[i]!;
    if (speaker === 'b') left[i] = right[i] = 1;
    if (speaker === 'l') left[i] = 1;
    if (speaker === 'r') right[i] = 1;
    if (speaker === 'c') left[i] = right[i] = HALF_POWER;
    if (speaker === 's') left[i] = HALF_POWER;
    if (speaker === 't') right[i] = HALF_POWER;
  }
  scale(left);
  scale(right);
  return { left, right };
}

function scale(gains: Float32Array): void {
  let sum = 0;
  for (const gain of gains) sum += gain;
  if (sum <= 1) return;
  for (let i = 0; i < gains.length; i++) gains[i] = gains[i]! / sum;
}
