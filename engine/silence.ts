/** How long a child process has not been heard, counted in looks. */
export type Silence = {
  /** Time between two looks, ms. */
  readonly lookMs: number;
  /** It spoke, or was asked something new. */
  heard(): void;
  /** To be called every `lookMs`: true once it has been silent for longer than the limit. */
  look(): boolean;
};

/**
 * A process that itself stood still (host suspended, stopped by a signal) has not listened either. However long that
 * took, it is one look, and what was said meanwhile is read before the next one.
 */
export function createSilence(limitMs: number, lookMs = 1_000): Silence {
  let looks = 0;
  return {
    lookMs,
    heard() {
      looks = 0;
    },
    look: () => looks++ * lookMs >= limitMs,
  };
}
