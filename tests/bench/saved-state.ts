import { join } from 'node:path';
import { DeviceError } from '../../engine/errors.ts';
import { listCheckpoints, readCheckpoint } from '../../systems/checkpoint/checkpoint-store.ts';
import { decodeSessionEnvelope } from '../../systems/checkpoint/envelope-session.ts';
import { diskFileSystem } from '../../systems/checkpoint/file-system.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';

export type SavedState = { readonly runSteps: number; readonly payloads: ReadonlyMap<string, Uint8Array> };

/** The best state a home has of a show. @throws DeviceError BENCH_STATE when there is none */
export function newestState(home: string, show: string): SavedState {
  const [newest] = listCheckpoints(diskFileSystem, storeFolders(join(home, 'checkpoints'), show));
  if (newest === undefined) throw new DeviceError('BENCH_STATE', `nothing was saved in ${home}.`);
  const { payloads } = decodeSessionEnvelope(readCheckpoint(diskFileSystem, newest));
  const { runSteps } = payloadJson(payloads, 'coordinator-admission') as { runSteps: string };
  return { runSteps: Number(runSteps), payloads };
}

export function payloadJson(payloads: SavedState['payloads'], name: string): unknown {
  return JSON.parse(Buffer.from(payloads.get(name) ?? []).toString());
}
