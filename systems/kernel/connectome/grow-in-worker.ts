import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DeviceError } from '../../../engine/errors.ts';
import { TWIN_GENERATOR } from './grow/grow-twin.ts';
import type { GrowProgress } from './grow/grow-twin.ts';
import { connectomesFolder } from './list-bundles.ts';
import { verifyBundle } from './verify-bundle.ts';

export type GrowInWorkerOptions = {
  readonly seed: number;
  /** The bundle's own folder; replaced as a whole when it exists. */
  readonly folder: string;
  readonly onProgress?: (progress: GrowProgress) => void;
};

/**
 * Grows the twin of `seed` and writes it into `folder`, off the calling thread.
 * @throws DeviceError GROWTH when the worker dies or cannot write; `folder` is as it was then
 */
export async function growInWorker({ seed, folder, onProgress = () => {} }: GrowInWorkerOptions): Promise<void> {
  const worker = new Worker(new URL('./grow/grow-worker.ts', import.meta.url), { workerData: { seed, folder } });
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: unknown): void => {
      const why = cause instanceof Error ? cause.message : String(cause);
      reject(
        new DeviceError(
          'GROWTH',
          `growing twin ${seed} into ${folder} failed: ${why}. Free disk space or choose another home.`,
          { cause },
        ),
      );
    };
    worker.on('message', (progress: GrowProgress) => {
      onProgress(progress);
      if (progress.phase === 'done') resolve();
    });
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`the worker ended with code ${code}`)));
  });
}

export type EnsureTwinOptions = {
  /** `$FLY_HOME`. */
  readonly home: string;
  readonly seed: number;
  readonly onProgress?: (progress: GrowProgress) => void;
};

/** Folder of the twin of `seed`, grown first when it is absent, damaged or of another generator. */
export async function ensureTwin({ home, seed, onProgress }: EnsureTwinOptions): Promise<string> {
  const folder = join(connectomesFolder(home), `twin-seed${seed}`);
  if (await isCurrent(folder, seed)) return folder;
  await growInWorker({ seed, folder, ...(onProgress === undefined ? {} : { onProgress }) });
  return folder;
}

async function isCurrent(folder: string, seed: number): Promise<boolean> {
  const report = await verifyBundle(folder);
  return report.kind === 'sound' && report.origin.generator === TWIN_GENERATOR && report.origin.seed === seed;
}
