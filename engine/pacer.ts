import type { Clock } from './clock.ts';

/** Lag is first reported at one second and then at each further thirty (spec: session.md 4). */
const FIRST_REPORT_MS = 1_000;
const NEXT_REPORT_MS = 30_000;

/**
 * Keeps committed boundaries on absolute wall deadlines. A late step is never made up for by skipping one: the
 * deadline moves, the delay is added to the lag, and the session simply runs slower.
 */
export type Pacer = {
  /** Waits for the next deadline. Returns how late this boundary was, ms. */
  pace(signal?: AbortSignal): Promise<number>;
  /** Wall time lost since the pacer was made, ms. Only grows. */
  readonly lagMs: number;
  readonly laggedSteps: number;
  /** The next deadline counts from now (after a pause or a restore). */
  reanchor(): void;
};

export type PacerOptions = {
  readonly clock: Clock;
  /** Length of one step on the wall, ms; 0 runs unthrottled. */
  readonly periodMs: number;
  readonly onLag: (lagMs: number) => void;
};

export function createPacer({ clock, periodMs, onLag }: PacerOptions): Pacer {
  let deadlineMs = clock.nowMs() + periodMs;
  let lagMs = 0;
  let laggedSteps = 0;
  let reportAtMs = FIRST_REPORT_MS;
  return {
    async pace(signal) {
      if (periodMs === 0) {
        await yieldToEventLoop();
        return 0;
      }
      const early = deadlineMs - clock.nowMs();
      if (early > 0) await clock.sleep(early, signal);
      else await yieldToEventLoop();
      const late = Math.max(0, -early);
      // Timers are coarse: being late by less than a step is caught up by the absolute deadline, not counted as lag.
      if (late <= periodMs) {
        deadlineMs += periodMs;
        return late;
      }
      laggedSteps += 1;
      lagMs += late;
      deadlineMs = clock.nowMs() + periodMs;
      while (lagMs >= reportAtMs) {
        onLag(lagMs);
        reportAtMs += NEXT_REPORT_MS;
      }
      return late;
    },
    get lagMs() {
      return lagMs;
    },
    get laggedSteps() {
      return laggedSteps;
    },
    reanchor() {
      deadlineMs = clock.nowMs() + periodMs;
    },
  };
}

/** Lets timers, sockets and servers run between two transitions. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
