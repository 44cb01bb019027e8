/** Above this the picture is late enough to mislead an operator who looks and acts. */
const LATE_SECONDS = 2;
/** Above this a jump is kinder than a long fast play. */
const JUMP_SECONDS = 5;
/** Where catching up ends, and where a jump lands. */
const NEAR_SECONDS = 0.8;
const CATCH_UP_RATE = 1.1;
/** Pieces arrive in bursts; the smallest reserve within this time is the true delay. */
const WINDOW_MS = 3_000;

export type EdgeAction =
  { readonly kind: 'play'; readonly rate: number } | { readonly kind: 'seek'; readonly toSeconds: number };

/** Keeps playback near the newest picture without starving it. One instance per media source. */
export type LiveEdge = {
  /** Smallest reserve of the last seconds: how late the picture is, beyond what bursts need. */
  behindSeconds(): number;
  /** @param ranges buffered spans in seconds, ascending */
  decide(nowMs: number, currentSeconds: number, ranges: readonly (readonly [number, number])[]): EdgeAction;
};

export function createLiveEdge(): LiveEdge {
  let reserves: { atMs: number; seconds: number }[] = [];
  let catchingUp = false;

  function behindSeconds(): number {
    return reserves.length === 0 ? 0 : Math.min(...reserves.map(({ seconds }) => seconds));
  }

  function seek(toSeconds: number): EdgeAction {
    reserves = [];
    catchingUp = false;
    return { kind: 'seek', toSeconds };
  }

  return {
    behindSeconds,
    decide(nowMs, currentSeconds, ranges) {
      const newest = ranges.at(-1);
      if (newest === undefined) return { kind: 'play', rate: 1 };
      const [start, end] = newest;
      // an older range means that something was lost in between: the newest one is what is on air
      if (currentSeconds < start || currentSeconds > end) return seek(Math.max(start, end - NEAR_SECONDS));
      reserves.push({ atMs: nowMs, seconds: end - currentSeconds });
      const windowFull = nowMs - reserves[0]!.atMs >= WINDOW_MS;
      reserves = reserves.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS);
      const behind = behindSeconds();
      if (windowFull && behind > JUMP_SECONDS) return seek(Math.max(start, end - NEAR_SECONDS));
      if (windowFull && behind > LATE_SECONDS) catchingUp = true;
      if (behind <= NEAR_SECONDS) catchingUp = false;
      return { kind: 'play', rate: catchingUp ? CATCH_UP_RATE : 1 };
    },
  };
}
