import type { DurationSummary } from '../../engine/histogram.ts';

/** Four columns of a table. */
export function inMs({ max, p50, p95, p99 }: DurationSummary): Record<string, number> {
  return { 'p50 ms': p50, 'p95 ms': p95, 'p99 ms': p99, 'max ms': max };
}

/** `p50/p95/p99/max`, ms; empty for what was not measured. */
export function inOneCell(summary: DurationSummary | undefined): string {
  if (summary === undefined) return '';
  return [summary.p50, summary.p95, summary.p99, summary.max].map((ms) => ms.toFixed(ms < 10 ? 2 : 1)).join('/');
}
