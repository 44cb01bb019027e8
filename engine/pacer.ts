import type { Clock } from './clock.ts';

/** Lag is first reported at one second and then at each further thirty (spec: session.md 4). */
const FIRST_REPORT_MS = 1_000;
const NEXT_REPORT_MS = 30_000;

/** Lateness up to this is caught up by the absolute deadlines; more of it is a stall (spec: session.md 27). */
const STALL_MS = 1_000;

/**
 * Keeps committed boundaries on absolute wall deadlines. Being late is never made up for by skipping a step. Up to a
 * second of lateness the deadlines stay, so jitter is caught up; beyond that they move, the delay is lag, and nothing
 * is sprinted after.
 */
export type Pacer = {
  /** Waits for the next deadline. Returns how late this boundary was, ms. */
  pace(signal?: AbortSignal): Promise<number>;
  /** Wall time lost for good since the pacer was made, ms. Only grows. */
  readonly lagMs: number;
  /** Boundaries that missed their deadline, caught up or not. */
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
      if (late > 0) laggedSteps += 1;
      if (late <= STALL_MS) {
        deadlineMs += periodMs;
        return late;
      }
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
