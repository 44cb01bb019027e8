import type { Pacer } from '../../engine/pacer.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Waits for the wall deadline of the next boundary; a late one is added to the lag and shown (row 32). */
export async function pace(world: SessionWorld, pacer: Pacer): Promise<void> {
  await pacer.pace();
  world.lagMs = pacer.lagMs;
}
