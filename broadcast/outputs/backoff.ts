/** Shortest and longest wait between two attempts, ms. */
export const BACKOFF_MIN_MS = 1_000;
export const BACKOFF_MAX_MS = 15_000;

/**
 * Wait before attempt `attempt` (1 after the first failure), ms: doubled each time, then shortened by up to a quarter so
 * that several uplinks do not knock together. Never below 1 s (spec: broadcast.md 44) or above 15 s.
 * @param random 0..1
 */
export function backoffMs(attempt: number, random: number): number {
  const full = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** Math.min(attempt - 1, 10));
  return Math.max(BACKOFF_MIN_MS, full * (1 - 0.25 * random));
}
