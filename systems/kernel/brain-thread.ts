import { Worker } from 'node:worker_threads';
import type { Clock } from '../../engine/clock.ts';
import { DeviceError } from '../../engine/errors.ts';
import { createSilence } from '../../engine/silence.ts';

/** What a brain worker is started with. The memory holds everything else. */
export type BrainWorkerData = {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly pointer: number;
};

/** A thread that advances one fly on request. */
export type BrainThread = {
  readonly worker: Worker;
  /** Waits until the thread is up. @throws DeviceError BRAIN_DEAD */
  start(): Promise<void>;
  /**
   * @throws DeviceError BRAIN_DEAD naming the agent, when the thread has ended, ends before it answers, or neither
   *   answers nor moves for ten seconds; it has ended then
   */
  advance(ticks: number): Promise<number>;
  close(): Promise<void>;
};

export type BrainThreadOptions = {
  readonly data: BrainWorkerData;
  /** A number that moves with every tick the thread runs: a slow brain is not a silent one. */
  readonly progress: () => number;
  readonly clock: Clock;
  /** What the thread runs; a test gives another. */
  readonly program?: URL;
};

/** No answer and not one tick for this long: the brain is lost (spec: session.md 20). */
const SILENT_LIMIT_MS = 10_000;
/** A thread that starts loads code and compiles nothing; a machine that swaps may still take its time. */
const START_LIMIT_MS = 60_000;
const BRAIN_PROGRAM = new URL('./brain-worker.ts', import.meta.url);

type Pending = { resolve(spikes: number): void; reject(error: Error): void };

export function openBrainThread(agentId: string, options: BrainThreadOptions): BrainThread {
  const { clock, data, progress, program = BRAIN_PROGRAM } = options;
  const worker = new Worker(program, { workerData: data, name: `brain-${agentId}` });
  const ended = new AbortController();
  let pending: Pending | null = null;
  let death: DeviceError | null = null;
  let killReason: string | null = null;
  let isWatched = false;
  let silence = createSilence(START_LIMIT_MS);

  function die(reason: string, cause?: unknown): void {
    death ??= new DeviceError(
      'BRAIN_DEAD',
      `${agentId}: the brain thread ended (${reason}); open the brain again and restore its last checkpoint.`,
      { cause },
    );
    ended.abort();
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
  worker.on('exit', (code) => die(killReason ?? `exit ${code}`));
  // an idle brain keeps no process alive; a pending advance does
  worker.unref();

  /** Read through a call: the compiler does not know that an await changes it. */
  const pendingNow = (): Pending | null => pending;

  /** Looks whether what is pending still is, and stands still; one sleep serves many short steps. */
  async function watch(): Promise<void> {
    isWatched = true;
    let lastProgress = progress();
    while (pending !== null) {
      await clock.sleep(silence.lookMs, ended.signal);
      const now = progress();
      if (now !== lastProgress) silence.heard();
      lastProgress = now;
      if (pendingNow() !== null && silence.look()) {
        // the epoch fails once the thread is gone: until then it could still write into the fly's memory
        killReason = 'it gave no answer and ran no tick for too long and was ended';
        await worker.terminate();
      }
    }
    isWatched = false;
  }

  function advance(ticks: number): Promise<number> {
    if (death) return Promise.reject(death);
    worker.ref();
    return new Promise<number>((resolve, reject) => {
      pending = { resolve, reject };
      silence.heard();
      worker.postMessage(ticks);
      if (!isWatched) void watch();
    }).finally(() => worker.unref());
  }

  return {
    worker,
    async start() {
      // nothing to compute: the answer shows that the thread is up
      await advance(0);
      silence = createSilence(SILENT_LIMIT_MS);
    },
    advance,
    async close() {
      await worker.terminate();
    },
  };
}
