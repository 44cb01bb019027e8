import { applyMessage } from '../../engine/replica/replica.ts';
import type { Replica } from '../../engine/replica/replica.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import type { WireMessage } from '../../engine/replica/wire.ts';

/** Boundaries that may wait for their sound; about two seconds of a Game Boy. Older ones are presented at once. */
const MAX_WAITING = 120;

/**
 * Holds boundaries until the sound of the same session time leaves the mixer, so that picture and sound stay together
 * whatever the buffer between them does.
 */
export type Presentation = {
  /** A message of the replica protocol arrived. */
  receive(message: WireMessage, nowMs: number): void;
  /**
   * Applies every boundary that is due.
   * @param mediaMs session time of the sound leaving now; null when there is no sound to wait for
   * @returns session time of the picture now shown, null before the first
   */
  present(mediaMs: number | null, nowMs: number): number | null;
  readonly waiting: number;
};

export function createPresentation(replica: Replica): Presentation {
  const queue: WireMessage[] = [];
  let shownMs: number | null = null;
  const apply = (nowMs: number): void => {
    const message = queue.shift()!;
    applyMessage(replica, message, nowMs);
    shownMs = worldMsOf(message);
  };
  return {
    receive(message, nowMs) {
      if (message.header.type !== 'snapshot') {
        while (queue.length > 0) apply(nowMs); // order is kept: what was committed before is seen before
        applyMessage(replica, message, nowMs);
        return;
      }
      // Only arrival renews the feed; an old boundary that is still waiting must not look fresh.
      replica.appliedAtMs = nowMs;
      queue.push(message);
      if (queue.length > MAX_WAITING) apply(nowMs);
    },
    present(mediaMs, nowMs) {
      const arrivedAtMs = replica.appliedAtMs;
      while (queue.length > 0 && isDue(queue[0]!, mediaMs, shownMs)) apply(nowMs);
      replica.appliedAtMs = arrivedAtMs;
      return shownMs;
    },
    get waiting() {
      return queue.length;
    },
  };
}

/** Due when its time has come, and after a jump backwards (restore, new episode) as soon as it is first in line. */
function isDue(message: WireMessage, mediaMs: number | null, shownMs: number | null): boolean {
  if (mediaMs === null) return true;
  const worldMs = worldMsOf(message);
  return worldMs <= mediaMs || (shownMs !== null && worldMs < shownMs);
}

function worldMsOf(message: WireMessage): number {
  return (message.header as unknown as Snapshot).worldMs;
}
