import { enterPhase, stampStep } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Every agent has consumed the outcome of k -> k+1: the boundary moves (session.md 7, row 19). */
export function commitBoundary(world: SessionWorld): void {
  const { agents, phase, stores } = world;
  enterPhase(phase, 'ready');
  for (const agent of agents) stampStep(stores.StepStamp.committed, agent, world.runSteps, 'Commit');
  phase.step += 1n;
  world.runSteps += 1n;
  world.episodeSteps += 1n;
  world.committedInEpoch = true;
  world.progressedAtMs = world.clock.nowMs();
}
