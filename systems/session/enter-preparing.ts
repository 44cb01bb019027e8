import { enterPhase } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** From here to the commit barrier there is no boundary to save or show (row 4). */
export function enterPreparing(world: SessionWorld): void {
  enterPhase(world.phase, 'preparing');
  world.stepStartedMs = world.clock.nowMs();
}
