import type { Clock } from '../../engine/clock.ts';

const WINDOW_MS = 60_000;
const DEFAULT_MS = 400;
const MAX_MS = 1_000;

/** Where sugar is limited: at most `perWindow` pulses in a sliding minute, and none over another (session.md 18). */
export type SugarLimiter = {
  /**
   * @param pulseRemainingMs what the last commit says is left of a pulse; null when nothing was committed yet
   * @param asked wanted length, ms; null takes 400. Clamped to [1, 1000] and rounded up to whole milliseconds
   */
  admit(pulseRemainingMs: number | null, asked: number | null): SugarAdmission;
  /** Milliseconds until the window has room again, 0 while it has. */
  cooldownMs(): number;
  readonly windowMs: number;
};

export type SugarAdmission =
  | { readonly kind: 'accepted'; readonly durationMs: number }
  | {
      readonly kind: 'refused';
      readonly reason: 'pulse-running' | 'cooling-down' | 'restored';
      readonly retryAfterMs: number;
    };

/** One Game Boy frame rounded up: how long after a restore the pulse level is unknown. */
const UNKNOWN_PULSE_RETRY_MS = 17;

export function createSugarLimiter(clock: Clock, perWindow = 6): SugarLimiter {
  const limit = Math.max(1, perWindow);
  let hits: number[] = [];
  const expire = (): void => {
    const now = clock.nowMs();
    hits = hits.filter((at) => now - at < WINDOW_MS);
  };
  const cooldownMs = (): number => {
    expire();
    return hits.length < limit ? 0 : WINDOW_MS - (clock.nowMs() - hits[0]!);
  };
  return {
    windowMs: WINDOW_MS,
    cooldownMs,
    admit(pulseRemainingMs, asked) {
      expire();
      if (pulseRemainingMs === null) {
        return { kind: 'refused', reason: 'restored', retryAfterMs: UNKNOWN_PULSE_RETRY_MS };
      }
      if (pulseRemainingMs > 0) {
        return { kind: 'refused', reason: 'pulse-running', retryAfterMs: Math.ceil(pulseRemainingMs) };
      }
      const wait = cooldownMs();
      if (wait > 0) return { kind: 'refused', reason: 'cooling-down', retryAfterMs: Math.ceil(wait) };
      hits.push(clock.nowMs());
      const wholeMs = Math.ceil(asked === null || Number.isNaN(asked) ? DEFAULT_MS : asked);
      return { kind: 'accepted', durationMs: Math.min(MAX_MS, Math.max(1, wholeMs)) };
    },
  };
}
