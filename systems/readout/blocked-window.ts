import type { BlockedWindowState } from './host-state.ts';

/**
 * Notices that a direction was held for a whole window and nothing moved (spec: brain.md 9.4, session.md 9.2). It is
 * host state: the decoder only hears the name of the channel. Times are brain ms.
 */
export type BlockedWindow = {
  /** What to tell the decoder before it decides: its own winner when the window has run out, else null. */
  blockedChannel(nowMs: number, winner: string | null): string | null;
  /** After a decode: another winner restarts the window. */
  noteWinner(nowMs: number, winner: string | null): void;
  /** At commit, with the next context's location: a change restarts the window; null is no information. */
  noteLocation(nowMs: number, location: Location | null): void;
  /** After a rollback: the window restarts now, from the restored place. */
  restartAt(nowMs: number, location: Location | null): void;
  /** Start or restore: as new. The window then starts at 0, so a restored winner is reported at once. */
  reset(): void;
  exportState(): BlockedWindowState;
  importState(state: BlockedWindowState): void;
};

export type Location = { readonly area: number; readonly x: number; readonly y: number };

/** @param blockedMs length of the window, ms (`DecoderGroup.blockedMs`); 0 never reports */
export function createBlockedWindow(blockedMs: number): BlockedWindow {
  let heldChannel: string | null = null;
  let lastLocation: Location | null = null;
  let sinceMs = 0;

  function restartAt(nowMs: number, location: Location | null): void {
    heldChannel = null;
    lastLocation = location;
    sinceMs = nowMs;
  }

  return {
    blockedChannel: (nowMs, winner) => (blockedMs > 0 && nowMs - sinceMs >= blockedMs ? winner : null),
    noteWinner(nowMs, winner) {
      if (winner === heldChannel) return;
      heldChannel = winner;
      sinceMs = nowMs;
    },
    noteLocation(nowMs, location) {
      if (location === null || isSamePlace(location, lastLocation)) return;
      lastLocation = location;
      sinceMs = nowMs;
    },
    restartAt,
    reset: () => restartAt(0, null),
    exportState: () => ({ heldChannel, sinceMs, lastLocation }),
    importState(state) {
      ({ heldChannel, sinceMs, lastLocation } = state);
    },
  };
}

function isSamePlace(a: Location, b: Location | null): boolean {
  return b !== null && a.area === b.area && a.x === b.x && a.y === b.y;
}
