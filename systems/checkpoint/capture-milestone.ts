import type { SessionWorld } from '../../engine/world.ts';
import { captureAs } from './capture-group.ts';

/**
 * Archives a rung as soon as the slot that belongs to it is saved, so that best = r stands beside slot r; a task
 * without slots is archived where it climbs (row 23, spec: session.md 7, 17.4). A store that cannot take it is asked
 * again at the next boundary, unless the next rung came first. Matches keep no archives (spec: session.md 15).
 */
export async function captureMilestone(world: SessionWorld): Promise<void> {
  const { progress, saveSlot } = world.transition.outcome!;
  if (progress.schema !== 'ladder.progress.v1') return;
  const { rank } = progress;
  if (rank > world.bestRank) {
    world.bestRank = rank;
    world.rungSinceStep = world.runSteps;
  }
  if (saveSlot !== null || world.slotIds.length === 0) world.slotRank = rank;
  if (world.slotRank !== world.bestRank || world.bestRank <= world.captures.archivedRank) return;
  await captureAs(world, 'durable', `rung ${world.bestRank}`, world.bestRank);
}
