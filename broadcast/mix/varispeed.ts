/** What the mixer aims to hold back, ms (spec: broadcast.md 57). */
export const TARGET_FILL_MS = 250;
/** After an underrun sound returns with this much in hand, ms (spec: broadcast.md 57, low). */
export const LOW_FILL_MS = 120;
/** Room for what may arrive, ms (spec: broadcast.md 57). */
export const CAPACITY_MS = 1_500;
/** Above this the surplus is cut to the target at once, ms (spec: broadcast.md 58). */
export const GROSS_FILL_MS: number = 2 * TARGET_FILL_MS;
/** Largest change of speed, a share; 5 cents, which nobody hears (spec: broadcast.md 57). */
export const MAX_CORRECTION = 0.003;

/** Change of playing speed for a fill level: `0.5 * (fill - target) / target`, clamped (spec: broadcast.md 57). */
export function speedCorrection(fillMs: number): number {
  const wanted = (0.5 * (fillMs - TARGET_FILL_MS)) / TARGET_FILL_MS;
  return Math.max(-MAX_CORRECTION, Math.min(MAX_CORRECTION, wanted));
}
