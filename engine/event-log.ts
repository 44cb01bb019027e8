import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from './clock.ts';

const FLUSH_EVERY_MS = 1_000;

/**
 * An append-only JSON-lines file, written and synced at most once a second off the tick (spec: broadcast.md 12). A
 * disk that refuses is reported once per failure streak; the lines are dropped and stepping goes on.
 */
export type EventLog = {
  append(line: object): void;
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
  return {
    append: (line) => lines.push(`${JSON.stringify(line)}\n`),
    flushIfDue() {
      if (clock.nowMs() - lastFlushMs >= FLUSH_EVERY_MS) void flush();
    },
    async close() {
      await flush();
      await flush();
    },
  };
}
