/** A fixed-size histogram of durations with about 2 % resolution; recording allocates nothing. */
export type Histogram = {
  record(ms: number): void;
  readonly count: number;
  summary(): DurationSummary;
  reset(): void;
};

export type DurationSummary = {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
};

const MIN_MS = 0.001;
const BUCKETS_PER_DOUBLING = 35;
const BUCKETS = BUCKETS_PER_DOUBLING * 30; // 1 us to about 1,000 s

export function createHistogram(): Histogram {
  const buckets = new Uint32Array(BUCKETS);
  let count = 0;
  let max = 0;
  const quantile = (q: number): number => {
    let left = Math.ceil(count * q);
    for (let i = 0; i < BUCKETS; i++) {
      left -= buckets[i]!;
      if (left <= 0) return Math.min(max, MIN_MS * 2 ** ((i + 0.5) / BUCKETS_PER_DOUBLING));
    }
    return max;
  };
  return {
    record(ms) {
      const index = ms <= MIN_MS ? 0 : Math.floor(Math.log2(ms / MIN_MS) * BUCKETS_PER_DOUBLING);
      const slot = Math.min(BUCKETS - 1, index);
      buckets[slot] = buckets[slot]! + 1;
      count += 1;
      if (ms > max) max = ms;
    },
    get count() {
      return count;
    },
    summary() {
      if (count === 0) return { p50: 0, p95: 0, p99: 0, max: 0 };
      return { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), max };
    },
    reset() {
      buckets.fill(0);
      count = 0;
      max = 0;
    },
  };
}
