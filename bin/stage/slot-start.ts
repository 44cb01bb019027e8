import type { Clock } from '../../engine/clock.ts';

/** A picture may begin this much before it is due: a step of the session, so that a snapshot arrives in between. */
const EARLY_MS = 17;

/** When the work on a picture begins. */
export type SlotStart = {
  /**
   * Ends with the first snapshot of the last moments before `dueMs`, or when it is due. The session has just finished a
   * step then and waits for its deadline: drawing takes the cores while the brains do not need them.
   */
  wait(dueMs: number): Promise<void>;
  /** A snapshot arrived. */
  arrived(): void;
};

/** @param periodMs between two pictures; a picture never begins before the middle of the one before it */
export function createSlotStart(clock: Clock, periodMs: number): SlotStart {
  const earlyMs = Math.min(EARLY_MS, periodMs / 2);
  let arrival: AbortController | null = null;
  return {
    async wait(dueMs) {
      const closedMs = dueMs - earlyMs - clock.nowMs();
      if (closedMs > 0) await clock.sleep(closedMs);
      const openMs = dueMs - clock.nowMs();
      if (openMs <= 0) return;
      arrival = new AbortController();
      await clock.sleep(openMs, arrival.signal);
      arrival = null;
    },
    arrived: () => arrival?.abort(),
  };
}
