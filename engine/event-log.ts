import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from './clock.ts';
import type { ShownEvent } from './replica/snapshot.ts';

const FLUSH_EVERY_MS = 1_000;
const RING_EVENTS = 4_096;
/** Lines kept for a disk that refuses them; an hour of a busy show. */
const MAX_WAITING_LINES = 16_384;

/**
 * An append-only JSON-lines file, written and synced at most once a second off the tick (spec: broadcast.md 12). A
 * disk that refuses is reported once per failure streak, and the lines wait for it to take them again: the session goes
 * on (docs/decisions/0030). Only beyond `MAX_WAITING_LINES` the oldest are given up, and the log says how many.
 */
export type EventLog = {
  /** One line that is no viewer event: a phase, a failure, an operator's act. */
  append(line: object): void;
  /** One event, with where it happened. */
  record(event: ShownEvent, where: object): void;
  /** Events with `id > since`, oldest first, from the newest 4,096 (spec: broadcast.md 115). */
  recent(since: number, limit: number): readonly ShownEvent[];
  /** Lines that are not on the disk yet, and lines given up since the start. */
  readonly waiting: number;
  readonly lost: number;
  /** Starts a write when one is due and none is running. */
  flushIfDue(): void;
  /** Writes what is left. */
  close(): Promise<void>;
};

export type EventLogOptions = {
  readonly path: string;
  readonly clock: Clock;
  readonly onFailure: (error: Error) => void;
  /** The disk takes lines again. */
  readonly onRecovery?: () => void;
};

export function createEventLog({ path, clock, onFailure, onRecovery = () => undefined }: EventLogOptions): EventLog {
  let lines: string[] = [];
  /** Lines of the write that runs. */
  let inFlight = 0;
  let lost = 0;
  let lostTold = 0;
  const ring: ShownEvent[] = [];
  let writing: Promise<void> | null = null;
  let failing = false;
  let lastFlushMs = clock.nowMs();

  const append = (line: object): void => {
    lines.push(`${JSON.stringify(line)}\n`);
    giveUpOldest();
  };
  const giveUpOldest = (): void => {
    const tooMany = lines.length - MAX_WAITING_LINES;
    if (tooMany <= 0) return;
    lines.splice(0, tooMany);
    lost += tooMany;
  };
  const write = async (batch: readonly string[]): Promise<void> => {
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, 'a');
      try {
        // a refused write may have left half a line: it ends here, and readers skip it
        await file.appendFile((failing ? '\n' : '') + batch.join(''));
        await file.datasync();
      } finally {
        await file.close();
      }
      if (failing) onRecovery();
      failing = false;
      if (lost > lostTold) append({ wallMs: clock.unixMs(), lostLines: lost - lostTold });
      lostTold = lost;
    } catch (error) {
      lines = [...batch, ...lines];
      giveUpOldest();
      if (!failing) onFailure(error instanceof Error ? error : new Error(String(error)));
      failing = true;
    }
  };
  const flush = (): Promise<void> => {
    if (writing !== null || lines.length === 0) return writing ?? Promise.resolve();
    const batch = lines;
    lines = [];
    inFlight = batch.length;
    lastFlushMs = clock.nowMs();
    writing = write(batch).finally(() => {
      inFlight = 0;
      writing = null;
    });
    return writing;
  };
  return {
    append,
    record(event, where) {
      append({ ...event, ...where });
      ring.push(event);
      if (ring.length > RING_EVENTS) ring.splice(0, ring.length - RING_EVENTS);
    },
    recent: (since, limit) => ring.filter((event) => event.id > since).slice(0, limit),
    get waiting() {
      return inFlight + lines.length;
    },
    get lost() {
      return lost;
    },
    flushIfDue() {
      if (clock.nowMs() - lastFlushMs >= FLUSH_EVERY_MS) void flush();
    },
    async close() {
      await flush();
      await flush();
    },
  };
}
