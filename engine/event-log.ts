import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from './clock.ts';
import type { ShownEvent } from './replica/snapshot.ts';

const FLUSH_EVERY_MS = 1_000;
const RING_EVENTS = 4_096;

/**
 * An append-only JSON-lines file, written and synced at most once a second off the tick (spec: broadcast.md 12). A
 * disk that refuses is reported once per failure streak; the lines are dropped and stepping goes on.
 */
export type EventLog = {
  /** One line that is no viewer event: a phase, a failure, an operator's act. */
  append(line: object): void;
  /** One event, with where it happened. */
  record(event: ShownEvent, where: object): void;
  /** Events with `id > since`, oldest first, from the newest 4,096 (spec: broadcast.md 115). */
  recent(since: number, limit: number): readonly ShownEvent[];
  /** Starts a write when one is due and none is running. */
  flushIfDue(): void;
  /** Writes what is left. */
  close(): Promise<void>;
};

export type EventLogOptions = {
  readonly path: string;
  readonly clock: Clock;
  readonly onFailure: (error: Error) => void;
};

export function createEventLog({ path, clock, onFailure }: EventLogOptions): EventLog {
  let lines: string[] = [];
  const ring: ShownEvent[] = [];
  let writing: Promise<void> | null = null;
  let failing = false;
  let lastFlushMs = clock.nowMs();
  const write = async (batch: string[]): Promise<void> => {
    try {
      await mkdir(dirname(path), { recursive: true });
      await appendFile(path, batch.join(''));
      const file = await open(path, 'r+');
      await file.datasync();
      await file.close();
      failing = false;
    } catch (error) {
      if (!failing) onFailure(error instanceof Error ? error : new Error(String(error)));
      failing = true;
    }
  };
  const flush = (): Promise<void> => {
    if (writing !== null || lines.length === 0) return writing ?? Promise.resolve();
    const batch = lines;
    lines = [];
    lastFlushMs = clock.nowMs();
    writing = write(batch).finally(() => {
      writing = null;
    });
    return writing;
  };
  const append = (line: object): void => void lines.push(`${JSON.stringify(line)}\n`);
  return {
    append,
    record(event, where) {
      append({ ...event, ...where });
      ring.push(event);
      if (ring.length > RING_EVENTS) ring.splice(0, ring.length - RING_EVENTS);
    },
    recent: (since, limit) => ring.filter((event) => event.id > since).slice(0, limit),
    flushIfDue() {
      if (clock.nowMs() - lastFlushMs >= FLUSH_EVERY_MS) void flush();
    },
    async close() {
      await flush();
      await flush();
    },
  };
}
