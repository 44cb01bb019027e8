import { Worker } from 'node:worker_threads';
import { DeviceError } from '../../engine/errors.ts';

/** What a brain worker is started with. The memory holds everything else. */
export type BrainWorkerData = {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly pointer: number;
};

/** A thread that advances one fly on request. */
export type BrainThread = {
  readonly worker: Worker;
  /** @throws DeviceError BRAIN_DEAD naming the agent, when the thread has ended or ends before it answers */
  advance(ticks: number): Promise<number>;
  close(): Promise<void>;
};

type Pending = { resolve(spikes: number): void; reject(error: Error): void };

export function openBrainThread(agentId: string, data: BrainWorkerData): BrainThread {
  const worker = new Worker(new URL('./brain-worker.ts', import.meta.url), {
    workerData: data,
    name: `brain-${agentId}`,
  });
  let pending: Pending | null = null;
  let death: DeviceError | null = null;

  function die(reason: string, cause?: unknown): void {
    death ??= new DeviceError(
      'BRAIN_DEAD',
      `${agentId}: the brain thread ended (${reason}); open the brain again and restore its last checkpoint.`,
      { cause },
    );
    const waiting = pending;
    pending = null;
    waiting?.reject(death);
  }

  worker.on('message', (spikes: number) => {
    const waiting = pending;
    pending = null;
    waiting?.resolve(spikes);
  });
  worker.on('error', (error: Error) => die(error.message, error));
  worker.on('exit', (code) => die(`exit ${code}`));
  // an idle brain keeps no process alive; a pending advance does
  worker.unref();

  return {
    worker,
    advance(ticks) {
      if (death) return Promise.reject(death);
      worker.ref();
      return new Promise<number>((resolve, reject) => {
        pending = { resolve, reject };
        worker.postMessage(ticks);
      }).finally(() => worker.unref());
    },
    async close() {
      await worker.terminate();
    },
  };
}
