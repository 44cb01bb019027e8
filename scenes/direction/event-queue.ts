import type { ShownEvent } from '../../engine/replica/snapshot.ts';

/** Which events stand in the rows, newest first, and when the next may push in (spec: show.md 73 to 75). */
export type EventQueue = {
  /** Takes events newer than those seen, in id order, and lets at most one waiting event in a step. */
  step(events: readonly ShownEvent[], nowMs: number): void;
  readonly rows: readonly ShownEvent[];
  /** When the top row came in, observer's clock. */
  readonly arrivedAtMs: number;
};

const DWELL_MS = 4_000;
/** Even a moment waits for the next text beat (show.md 102). */
const BEAT_MS = 250;
const QUEUE_CAPACITY = 12;
const DEDUPE_MEMORY = 64;

export function createEventQueue(rowCount: number): EventQueue {
  const rows: ShownEvent[] = [];
  const waiting: ShownEvent[] = [];
  const shownAtWallMs = new Map<string, number>();
  let lastId = -1;
  let started = false;
  let arrivedAtMs = -Infinity;

  function show(event: ShownEvent, nowMs: number): void {
    rows.unshift(event);
    if (rows.length > rowCount) rows.pop();
    arrivedAtMs = nowMs;
  }

  function repeated(event: ShownEvent): boolean {
    const before = shownAtWallMs.get(event.dedupeKey);
    if (before !== undefined && event.wallMs - before < event.dedupeMs) return true;
    shownAtWallMs.delete(event.dedupeKey);
    shownAtWallMs.set(event.dedupeKey, event.wallMs);
    if (shownAtWallMs.size > DEDUPE_MEMORY) shownAtWallMs.delete(shownAtWallMs.keys().next().value!);
    return false;
  }

  return {
    rows,
    get arrivedAtMs() {
      return arrivedAtMs;
    },
    step(events, nowMs) {
      for (const event of events) {
        if (event.id <= lastId) continue;
        lastId = event.id;
        if (event.kind === 'checkpoint' || repeated(event)) continue; // checkpoints are never shown (show.md 74)
        if (!started) show(event, nowMs);
        else if (jumpsDwell(event)) waiting.splice(waiting.findLastIndex(jumpsDwell) + 1, 0, event);
        else waiting.push(event);
        if (waiting.length > QUEUE_CAPACITY) waiting.splice(quietest(waiting), 1);
      }
      if (!started) {
        started = events.length > 0;
        arrivedAtMs = -Infinity; // history, not news
      }
      const next = waiting[0];
      if (next === undefined || nowMs - arrivedAtMs < (jumpsDwell(next) ? BEAT_MS : DWELL_MS)) return;
      waiting.shift();
      show(next, nowMs);
    },
  };
}

/** Moments, milestones, sugar, recovery and what an operator did are seen at once. */
export function jumpsDwell(event: ShownEvent): boolean {
  return event.tier === 'moment' || event.kind === 'sugar' || event.kind === 'recovery' || event.kind === 'operator';
}

/** The oldest quiet event goes first, else the oldest. */
function quietest(waiting: readonly ShownEvent[]): number {
  return Math.max(
    0,
    waiting.findIndex((event) => event.tier === 'quiet'),
  );
}
