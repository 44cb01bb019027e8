import { parentPort, workerData } from 'node:worker_threads';
import { captureBuffers } from './capture-buffers.ts';
import { clearHot } from './checkpoint-store.ts';
import type { CheckpointThreadData, ThreadAnswer, ThreadRequest } from './checkpoint-thread.ts';
import { diskFileSystem } from './file-system.ts';
import { isCommitted, writeCheckpoint } from './write-checkpoint.ts';

// The thread that owns the store of one session. One request at a time; a stalled disk stalls nothing but this.
const { folders } = workerData as CheckpointThreadData;
const answer = (message: ThreadAnswer, transfer: ArrayBuffer[] = []): void =>
  parentPort!.postMessage(message, transfer);

parentPort!.on('message', (request: ThreadRequest) => {
  switch (request.type) {
    case 'save': {
      const { job, identity } = request;
      const giveBack = (): void => answer({ type: 'encoded', capture: job.capture }, captureBuffers(job.capture));
      answer({ type: 'reply', outcome: writeCheckpoint(diskFileSystem, folders, identity, job, giveBack) });
      break;
    }
    case 'look-up':
      answer({ type: 'looked-up', isCommitted: isCommitted(diskFileSystem, folders, request.job) });
      break;
    case 'close':
      if (request.clearHot) clearHot(diskFileSystem, folders);
      answer({ type: 'closed' });
      break;
    default:
      request satisfies never;
  }
});
