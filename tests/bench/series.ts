/** A look at something, and when. */
type Timed = { readonly atMs: number };

const HOUR_MS = 3_600_000;

export function durationMs(samples: readonly Timed[]): number {
  return difference(samples, ({ atMs }) => atMs) ?? 0;
}

/** Start-up is no trend. */
export function afterFirstFifth<Sample extends Timed>(samples: readonly Sample[]): readonly Sample[] {
  const fromMs = (samples[0]?.atMs ?? 0) + durationMs(samples) / 5;
  return samples.filter(({ atMs }) => atMs >= fromMs);
}

/** Last look minus first. */
export function difference<Sample extends Timed>(
  samples: readonly Sample[],
  pick: (sample: Sample) => number,
): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  return first === undefined || last === undefined ? null : pick(last) - pick(first);
}

/** What a counter rose by; a restart that sets it back to zero loses nothing of what it counts after. */
export function rises<Sample extends Timed>(
  samples: readonly Sample[],
  pick: (sample: Sample) => number,
): number | null {
  if (samples.length === 0) return null;
  return samples.slice(1).reduce((sum, sample, i) => {
    const before = pick(samples[i]!);
    const now = pick(sample);
    return sum + (now >= before ? now - before : now);
  }, 0);
}

/** Median of the last quarter minus median of the first: a single spike is no growth. */
export function growth<Sample extends Timed>(
  samples: readonly Sample[],
  pick: (sample: Sample) => number,
): number | null {
  const count = Math.ceil(samples.length / 4);
  if (count === 0) return null;
  return median(samples.slice(-count).map(pick)) - median(samples.slice(0, count).map(pick));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

/** Least squares. */
export function slopePerHour<Sample extends Timed>(
  samples: readonly Sample[],
  pick: (sample: Sample) => number,
): number | null {
  const count = samples.length;
  if (count < 2) return null;
  const meanX = samples.reduce((sum, { atMs }) => sum + atMs, 0) / count;
  const meanY = samples.reduce((sum, sample) => sum + pick(sample), 0) / count;
  let xy = 0;
  let xx = 0;
  for (const sample of samples) {
    xy += (sample.atMs - meanX) * (pick(sample) - meanY);
    xx += (sample.atMs - meanX) ** 2;
  }
  return xx === 0 ? null : (xy / xx) * HOUR_MS;
}
