import { parentPort, workerData } from 'node:worker_threads';
import type { BrainWorkerData } from './brain-thread.ts';
import { openKernelInstance } from './kernel-module.ts';

// The thread of one brain: a message is a number of ticks, the answer is the number of spikes. All state is in the
// shared memory, which the main thread reads and writes between two messages.
const { module, memory, pointer } = workerData as BrainWorkerData;
const { advance } = openKernelInstance(module, memory);

parentPort!.on('message', (ticks: number) => {
  parentPort!.postMessage(advance(pointer, ticks));
});
