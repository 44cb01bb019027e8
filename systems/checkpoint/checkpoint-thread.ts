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

/** How long an orderly end of the thread may take, ms; it is ended then, for which it has as long again. */
const CLOSE_LIMIT_MS = 500;

/** The thread of one store, before and while a session uses it. */
export type CheckpointThread = {
  /** Writes what a session of this composition captures. */
  writerFor(identity: GroupIdentity): CheckpointWriter;
  /** Ends the thread. @param clearHot the newest state is on the disk, so the hot tier may go */
  close(clearHot: boolean): Promise<void>;
};

/**
 * One thread that encodes, writes and syncs; it starts at once, so that it is ready before the first capture. Arrays go
 * to it and come back without being copied. A thread that ends by itself loses the reply it owed and nothing else: the
 * next request starts another. A look-up has a thread of its own that only reads, for the writing one may hang.
 */
export function openCheckpointThread(data: CheckpointThreadData): CheckpointThread {
  let worker: Worker | null = null;
  let encoded: ((capture: GroupCapture) => void) | null = null;
  let reply: ((reply: SaveReply) => void) | null = null;
  let closed: (() => void) | null = null;

  function end(reason: string): void {
    worker = null;
    const [owed, closing] = [reply, closed];
    encoded = null;
    reply = null;
    closed = null;
    owed?.({ kind: 'lost', message: `the checkpoint thread ended (${reason})` });
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
        break; // asked of a thread of its own
      case 'closed':
        closed?.();
        closed = null;
        break;
      default:
        answer satisfies never;
    }
  }

  function start(): Worker {
    const started = startWorker(data, 'checkpoint');
    started.on('message', hear);
    started.on('error', (error: Error) => {
      if (worker === started) end(error.message);
    });
    started.on('exit', (code) => {
      if (worker === started) end(`exit ${code}`);
    });
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
    });
    post({ type: 'close', clearHot });
    const closing = worker;
    await Promise.race([ended, closeLimit()]);
    worker = null;
    // a thread inside a system call ends only when that returns, which a stalled disk may never do
    await Promise.race([closing?.terminate(), closeLimit()]);
  }

  worker = start();
  return {
    writerFor: (identity) => ({
      save(job, onEncoded, onReply) {
        encoded = onEncoded;
        reply = onReply;
        post({ type: 'save', job, identity }, captureBuffers(job.capture));
      },
      lookUp: ({ kind, checkpointId }) => lookUpApart(data, { kind, checkpointId }),
      close,
    }),
    close,
  };
}

function closeLimit(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, CLOSE_LIMIT_MS).unref();
  });
}

/** Asks the store on a thread of its own, which ends with its answer. False when it ends without one. */
async function lookUpApart(data: CheckpointThreadData, job: Pick<SaveJob, 'kind' | 'checkpointId'>): Promise<boolean> {
  const reader = startWorker(data, 'checkpoint-look-up');
  const isCommitted = await new Promise<boolean>((resolve) => {
    reader.on('message', (answer: ThreadAnswer) => resolve(answer.type === 'looked-up' && answer.isCommitted));
    reader.on('error', () => resolve(false));
    reader.on('exit', () => resolve(false));
    reader.postMessage({ type: 'look-up', job } satisfies ThreadRequest);
  });
  await reader.terminate();
  return isCommitted;
}

function startWorker(data: CheckpointThreadData, name: string): Worker {
  const started = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: data, name });
  started.unref();
  return started;
}
