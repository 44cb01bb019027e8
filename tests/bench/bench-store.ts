import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ComposedSession } from '../../bin/live/compose-session.ts';
import { systemClock } from '../../engine/clock.ts';
import { createCheckpointQueue } from '../../systems/checkpoint/checkpoint-queue.ts';
import type { CheckpointQueue } from '../../systems/checkpoint/checkpoint-queue.ts';
import { openCheckpointThread } from '../../systems/checkpoint/checkpoint-thread.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';

/** The product's queue and thread over a store that is thrown away. */
export type BenchStore = { readonly queue: CheckpointQueue; close(): Promise<void> };

export function openBenchStore({ identity }: Pick<ComposedSession, 'identity'>): BenchStore {
  const root = mkdtempSync(join(tmpdir(), 'fly-bench-store-'));
  const folders = storeFolders(root, 'bench');
  const queue = createCheckpointQueue({
    writer: openCheckpointThread({ folders }).writerFor(identity),
    clock: systemClock,
    lastGeneration: 0,
    archivedRank: -1,
    onEvent: () => undefined,
    onTrouble: () => undefined,
  });
  return {
    queue,
    async close() {
      await queue.settle(10_000);
      const alive = setInterval(() => undefined, 1_000); // the thread alone keeps no process alive
      await queue.close(true);
      clearInterval(alive);
      for (const folder of [folders.hot, root]) rmSync(folder, { recursive: true, force: true });
    },
  };
}
