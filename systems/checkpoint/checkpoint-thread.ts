import { Worker } from 'node:worker_threads';
import type { GroupCapture } from '../../engine/group-capture.ts';
import type { CheckpointWriter, SaveReply } from './checkpoint-queue.ts';
import type { GroupIdentity } from './envelope-group.ts';
import type { StoreFolders } from './store-folders.ts';
import { captureBuffers } from './capture-buffers.ts';
import type { SaveJob, SaveOutcome } from './write-checkpoint.ts';

export type CheckpointThreadData = { readonly folders: StoreFolders };

export type ThreadRequest =
  | { readonly type: 'save'; readonly job: SaveJob; readonly identity: GroupIdentity }
  | { readonly type: 'look-up'; readonly job: Pick<SaveJob, 'kind' | 'checkpointId'> }
  | { readonly type: 'close'; readonly clearHot: boolean };

export type ThreadAnswer =
  | { readonly type: 'encoded'; readonly capture: GroupCapture }
  | { readonly type: 'reply'; readonly outcome: SaveOutcome }
  | { readonly type: 'looked-up'; readonly isCommitted: boolean }
  | { readonly type: 'closed' };

/** How long an orderly end of the thread may take, ms; it is ended then. */
const CLOSE_LIMIT_MS = 500;

/** The thread of one store, before and while a session uses it. */
export type CheckpointThread = {
  /** Writes what a session of this composition captures. */
  writerFor(identity: GroupIdentity): CheckpointWriter;
  /** Ends the thread. @param clearHot the newest state is on the disk, so the hot tier may go */
  close(clearHot: boolean): Promise<void>;
};

/**
 * One thread that encodes, writes and syncs; it starts at once, so that it is ready before the first capture. Arrays go to it and come back without being copied. A thread that ends by
 * itself loses the reply it owed and nothing else: the next request starts another.
 */
export function openCheckpointThread(data: CheckpointThreadData): CheckpointThread {
  let worker: Worker | null = null;
  let encoded: ((capture: GroupCapture) => void) | null = null;
  let reply: ((reply: SaveReply) => void) | null = null;
  let lookedUp: ((isCommitted: boolean) => void) | null = null;
  let closed: (() => void) | null = null;

  function end(reason: string): void {
    worker = null;
    const [owed, asked, closing] = [reply, lookedUp, closed];
    encoded = null;
    reply = null;
    lookedUp = null;
    closed = null;
    owed?.({ kind: 'lost', message: `the checkpoint thread ended (${reason})` });
    asked?.(false);
    closing?.();
  }

  function hear(answer: ThreadAnswer): void {
    switch (answer.type) {
      case 'encoded':
        encoded?.(answer.capture);
        break;
      case 'reply': {
        const owed = reply;
        reply = null;
        owed?.(answer.outcome);
        break;
      }
      case 'looked-up':
        lookedUp?.(answer.isCommitted);
        lookedUp = null;
        break;
      case 'closed':
        closed?.();
        closed = null;
        break;
      default:
        answer satisfies never;
    }
  }

  function start(): Worker {
    const started = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: data,
      name: 'checkpoint',
    });
    started.on('message', hear);
    started.on('error', (error: Error) => {
      if (worker === started) end(error.message);
    });
    started.on('exit', (code) => {
      if (worker === started) end(`exit ${code}`);
    });
    started.unref();
    return started;
  }

  function post(request: ThreadRequest, transfer: ArrayBuffer[] = []): void {
    worker ??= start();
    worker.postMessage(request, transfer);
  }

  async function close(clearHot: boolean): Promise<void> {
    if (worker === null && !clearHot) return;
    const ended = new Promise<void>((resolve) => {
      closed = resolve;
      setTimeout(resolve, CLOSE_LIMIT_MS).unref();
    });
    post({ type: 'close', clearHot });
    await ended;
    const closing = worker;
    worker = null;
    await closing?.terminate();
  }

  worker = start();
  return {
    writerFor: (identity) => ({
      save(job, onEncoded, onReply) {
        encoded = onEncoded;
        reply = onReply;
        post({ type: 'save', job, identity }, captureBuffers(job.capture));
      },
      lookUp: ({ kind, checkpointId }) =>
        new Promise((resolve) => {
          lookedUp = resolve;
          post({ type: 'look-up', job: { kind, checkpointId } });
        }),
      close,
    }),
    close,
  };
}
