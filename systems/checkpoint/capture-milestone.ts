import type { SessionWorld } from '../../engine/world.ts';

/** A rank never reached before is kept, together with the slot saved at the same boundary (row 23). */
export function captureMilestone(world: SessionWorld): void {
  const rank = world.transition.outcome!.progress.rank;
  if (rank <= world.bestRank) return;
  world.bestRank = rank;
  world.rungSinceStep = world.runSteps;
  world.captureRequested = `rung ${rank}`;
}
