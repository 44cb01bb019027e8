import { after } from '../../engine/clock.ts';
import type { Clock } from '../../engine/clock.ts';
import type { CaptureKind, Captures, GroupCapture } from '../../engine/group-capture.ts';
import { captureArrays } from './capture-buffers.ts';
import { checkpointIdOf } from './checkpoint-store.ts';
import type { SaveJob, SaveOutcome } from './write-checkpoint.ts';

/** Whoever encodes and writes, one job at a time: a thread, in tests anything. */
export type CheckpointWriter = {
  /**
   * Takes the capture's arrays away; `onEncoded` brings them back.
   * @param onReply called once; `lost` when the writer ended before it answered
   */
  save(job: SaveJob, onEncoded: (capture: GroupCapture) => void, onReply: (reply: SaveReply) => void): void;
  /** Asks the store what became of a save whose reply is lost or late, past a writer that hangs. */
  lookUp(job: Pick<SaveJob, 'kind' | 'checkpointId'>): Promise<boolean>;
  /** Ends the writer. @param clearHot the newest state is on the disk, so the hot tier may go */
  close(clearHot: boolean): Promise<void>;
};

export type SaveReply = SaveOutcome | { readonly kind: 'lost'; readonly message: string };

/** Distinct and in this order: captured, queued, then one of committed, failed, superseded (spec: session.md 17.4). */
export type CheckpointEvent = Described & ({ readonly kind: 'captured' | 'queued' | 'superseded' } | Ended);

export type CheckpointQueue = Captures & {
  /** Newest boundary known to be on the disk, and when that became known; null before the first. */
  readonly durable: DurableMark | null;
  readonly outstanding: number;
  readonly queuedBytes: number;
  /** Refusals because too much waited, since the start. */
  readonly refused: number;
  /** Wall age of the save that runs now, ms; 0 when none. */
  stalledMs(): number;
  /** Resolves when nothing is outstanding, or after `limitMs`: whether all of it ended. */
  settle(limitMs: number): Promise<boolean>;
  close(clearHot: boolean): Promise<void>;
};

type Described = {
  readonly checkpointId: string;
  readonly tier: CaptureKind;
  readonly boundary: string;
  readonly reason: string;
};
type Ended =
  | { readonly kind: 'committed'; readonly byteLength: number | null; readonly trouble: string | null }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export type DurableMark = { readonly checkpointId: string; readonly boundary: string; readonly atUnixMs: number };

export type CheckpointQueueOptions = {
  readonly writer: CheckpointWriter;
  readonly clock: Clock;
  /** Highest generation the store has seen. */
  readonly lastGeneration: number;
  /** Rung up to which nothing is archived again. */
  readonly archivedRank: number;
  readonly onEvent: (event: CheckpointEvent) => void;
  /** Saves are refused because too much waits, or one runs for very long; told once until one ends again. */
  readonly onTrouble: (code: 'CHECKPOINT_BUSY' | 'CHECKPOINT_STALLED', text: string) => void;
};

/** Spec: session.md 17.1. */
const MAX_OUTSTANDING = 2;
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
/** A save that has not ended by then is called stalled; it may still end well. Our choice: two hot intervals. */
const STALLED_MS = 10_000;
/** A save without an answer by then is settled by asking the store, once. Our choice: docs/decisions/0021. */
export const DEADLINE_MS = 60_000;

type Queued = SaveJob & { readonly bytes: number };
type Settlement = {
  /** The first outcome counts. */
  tell(outcome: Ended): void;
  /** The answer is lost or late, the save may not be: the store is asked, once, however often this is called. */
  ask(code: string, message: string): Promise<void>;
};

/**
 * Feeds one writer: one save runs, one waits. A waiting hot save makes room for a newer capture, a durable one never
 * does. Nothing here waits for the disk.
 */
export function createCheckpointQueue(options: CheckpointQueueOptions): CheckpointQueue {
  const { writer, clock, onEvent, onTrouble } = options;
  let generation = options.lastGeneration;
  let archivedRank = options.archivedRank;
  let running: Queued | null = null;
  let runningSinceMs = 0;
  let reserved = 0;
  const waiting: Queued[] = [];
  let newestStep: bigint | null = null;
  let newestDurableStep: bigint | null = null;
  let durable: DurableMark | null = null;
  let refused = 0;
  let isRefusing = false;
  let isStalled = false;
  /** Newest capture whose arrays are here, and the one whose arrays the writer is about to give back. */
  let held: GroupCapture | null = null;
  let returning: Promise<void> = Promise.resolve();
  /** One that nothing reads any more. */
  let spare: GroupCapture | null = null;
  let abandonDeadline = (): void => undefined;
  const whenIdle: (() => void)[] = [];

  const outstanding = (): number => (running === null ? 0 : 1) + waiting.length + reserved;
  const queuedBytes = (): number => waiting.reduce((sum, job) => sum + job.bytes, running?.bytes ?? 0);
  const replaceable = (): Queued | undefined => waiting.find(({ kind }) => kind === 'hot');
  const about = ({ checkpointId, kind, capture }: SaveJob): Described => ({
    checkpointId,
    tier: kind,
    boundary: String(capture.step),
    reason: capture.reason,
  });

  function refuse(kind: CaptureKind): null {
    refused += 1;
    if (!isRefusing)
      onTrouble('CHECKPOINT_BUSY', `${kind} save refused: ${outstanding()} saves are waiting for the disk`);
    isRefusing = true;
    return null;
  }

  function retire(capture: GroupCapture | null): void {
    if (capture === null || capture === running?.capture || waiting.some((job) => job.capture === capture)) return;
    spare = capture;
  }

  function reportStall(): void {
    const stalledMs = running === null ? 0 : clock.nowMs() - runningSinceMs;
    if (isStalled || stalledMs < STALLED_MS) return;
    isStalled = true;
    const seconds = Math.round(stalledMs / 1_000);
    onTrouble('CHECKPOINT_STALLED', `${running!.checkpointId} has not been written for ${seconds} s; stepping goes on`);
  }

  function startNext(): void {
    if (running !== null) return;
    const job = waiting.shift();
    if (job === undefined) {
      if (outstanding() === 0) for (const wake of whenIdle.splice(0)) wake();
      return;
    }
    running = job;
    runningSinceMs = clock.nowMs();
    const settle = createSettlement(job);
    if (held === job.capture) held = null;
    returning = new Promise((resolve) => {
      const cancelDeadline = after(clock, DEADLINE_MS, () => {
        resolve();
        void settle.ask('CHECKPOINT_DEADLINE', `no answer of the writer within ${DEADLINE_MS / 1_000} s`);
      });
      abandonDeadline = cancelDeadline;
      writer.save(
        job,
        (capture) => {
          const isNewest = held === null || held.runSteps < capture.runSteps;
          retire(isNewest ? held : capture);
          if (isNewest) held = capture;
          resolve();
        },
        (reply) => {
          cancelDeadline();
          resolve();
          if (reply.kind === 'lost') void settle.ask('CHECKPOINT_WRITER', reply.message).then(startAfter);
          else {
            settle.tell(reply);
            startAfter();
          }
        },
      );
    });
  }

  /** The writer is free again: only now, so that one that hangs is never handed more. */
  function startAfter(): void {
    running = null;
    isStalled = false;
    startNext();
  }

  /** How one save ends: told once, by its reply or by the store. Never saved a second time. */
  function createSettlement(job: Queued): Settlement {
    const described = about(job);
    let isTold = false;
    let asked: Promise<void> | null = null;
    /** The only place where the durable mark moves. */
    function tell(outcome: Ended): void {
      if (isTold) return;
      isTold = true;
      const { checkpointId, boundary } = described;
      if (outcome.kind === 'committed' && job.kind === 'durable') {
        durable = { checkpointId, boundary, atUnixMs: clock.unixMs() };
      }
      onEvent({ ...described, ...outcome });
    }
    async function lookUp(code: string, message: string): Promise<void> {
      const isCommitted = await writer.lookUp(job).catch(() => false);
      tell(isCommitted ? { kind: 'committed', byteLength: null, trouble: message } : { kind: 'failed', code, message });
    }
    return { tell, ask: (code, message) => (asked ??= lookUp(code, message)) };
  }

  return {
    get newestStep() {
      return newestStep;
    },
    get newestDurableStep() {
      return newestDurableStep;
    },
    get archivedRank() {
      return archivedRank;
    },
    get durable() {
      return durable;
    },
    get outstanding() {
      return outstanding();
    },
    get queuedBytes() {
      return queuedBytes();
    },
    get refused() {
      return refused;
    },
    stalledMs: () => (running === null ? 0 : clock.nowMs() - runningSinceMs),
    reserve(kind) {
      reportStall();
      if (outstanding() >= MAX_OUTSTANDING && replaceable() === undefined) return refuse(kind);
      reserved += 1;
      let isOpen = true;
      const release = (): void => {
        if (isOpen) reserved -= 1;
        isOpen = false;
      };
      return {
        takeSpare() {
          const taken = spare;
          spare = null;
          return taken;
        },
        release,
        submit(capture, archiveRank) {
          release();
          const bytes = byteLengthOf(capture);
          const replaced = outstanding() >= MAX_OUTSTANDING ? replaceable() : undefined;
          const job = { checkpointId: checkpointIdOf(generation + 1), kind, archiveRank, capture, bytes };
          if (queuedBytes() - (replaced?.bytes ?? 0) + bytes > MAX_QUEUED_BYTES) {
            refuse(kind);
            return false;
          }
          if (replaced !== undefined) {
            waiting.splice(waiting.indexOf(replaced), 1);
            onEvent({ ...about(replaced), kind: 'superseded' });
          }
          generation += 1;
          isRefusing = false;
          newestStep = capture.runSteps;
          if (kind === 'durable') newestDurableStep = capture.runSteps;
          archivedRank = Math.max(archivedRank, archiveRank ?? archivedRank);
          retire(held);
          held = capture;
          onEvent({ ...about(job), kind: 'captured' });
          waiting.push(job);
          onEvent({ ...about(job), kind: 'queued' });
          startNext();
          return true;
        },
      };
    },
    async latest() {
      await returning;
      return held;
    },
    settle(limitMs) {
      if (outstanding() === 0) return Promise.resolve(true);
      const limit = new AbortController();
      const idle = new Promise<boolean>((resolve) => {
        whenIdle.push(() => {
          limit.abort();
          resolve(true);
        });
      });
      return Promise.race([idle, clock.sleep(limitMs, limit.signal).then(() => outstanding() === 0)]);
    },
    close(clearHot) {
      abandonDeadline();
      return writer.close(clearHot);
    },
  };
}

/** What a capture keeps in memory, bytes: its arrays; the rest is small. */
function byteLengthOf(capture: GroupCapture): number {
  return captureArrays(capture).reduce((sum, array) => sum + array.byteLength, 0);
}
