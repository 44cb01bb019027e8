import { join } from 'node:path';
import { DeviceError } from '../../engine/errors.ts';
import { listCheckpoints, readCheckpoint } from '../../systems/checkpoint/checkpoint-store.ts';
import { decodeSessionEnvelope } from '../../systems/checkpoint/envelope-session.ts';
import type { StoredCheckpoint } from '../../systems/checkpoint/checkpoint-store.ts';
import { diskFileSystem } from '../../systems/checkpoint/file-system.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';

export type SavedState = { readonly runSteps: number; readonly payloads: ReadonlyMap<string, Uint8Array> };

/** The best sound state a home has of a show. @throws DeviceError BENCH_STATE when there is none */
export function newestState(home: string, show: string): SavedState {
  const stored = listCheckpoints(diskFileSystem, storeFolders(join(home, 'checkpoints'), show));
  const bytes = stored.map(readSound).find((found) => found !== null);
  if (bytes === undefined) throw new DeviceError('BENCH_STATE', `no sound state was saved in ${home}.`);
  const { payloads } = decodeSessionEnvelope(bytes);
  const { runSteps } = payloadJson(payloads, 'coordinator-admission') as { runSteps: string };
  return { runSteps: Number(runSteps), payloads };
}

function readSound(stored: StoredCheckpoint): Uint8Array | null {
  try {
    return readCheckpoint(diskFileSystem, stored);
  } catch {
    return null; // damaged, or rotated away meanwhile: the next one
  }
}

export function payloadJson(payloads: SavedState['payloads'], name: string): unknown {
  return JSON.parse(Buffer.from(payloads.get(name) ?? []).toString());
}
