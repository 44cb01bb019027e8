import { createBodyIndex } from './body-index.ts';
import { openFeather } from './feather.ts';
import type { Inventory } from './read-inventory.ts';

/**
 * Counts the segments of the release and the chosen bodies that are not among them (spec: brain.md 3.1: segments are
 * not neurons). Only the id column is used.
 * @param onBatch batches read so far, of how many; what it throws ends the import
 * @throws DataError FEATHER_*
 */
export async function readBodyStats(
  path: string,
  { neurons, low, high }: Inventory,
  onBatch: (done: number, total: number) => void,
): Promise<{ segments: number; missing: number }> {
  const index = createBodyIndex(low, high);
  const seen = new Uint8Array(neurons);
  let lows = new Uint32Array(0);
  let highs = new Uint32Array(0);
  let segments = 0;
  const file = await openFeather(path, ['body']);
  try {
    let done = 0;
    for await (const batch of file.batches()) {
      onBatch(done++, file.batchCount);
      if (batch.rows > lows.length) [lows, highs] = [new Uint32Array(batch.rows), new Uint32Array(batch.rows)];
      batch.ids('body', lows, highs);
      for (let row = 0; row < batch.rows; row++) {
        const i = index.find(lows[row]!, highs[row]!);
        if (i >= 0) seen[i] = 1;
      }
      segments += batch.rows;
    }
  } finally {
    await file.close();
  }
  return { segments, missing: seen.reduce((sum, found) => sum + 1 - found, 0) };
}
