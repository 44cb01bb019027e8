const FIRST_MS = 250;
const LONGEST_MS = 5_000;

/**
 * Wait before the `attempt`-th try (0 = first): 250 ms doubling to 5 s, jitter 0.75 to 1.25, for ever
 * (spec: feed-control.md 9).
 * @param random 0..1
 */
export function backoffMs(attempt: number, random: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16)) * (0.75 + random / 2);
}
