import { enterPhase, stampStep } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Exactly one world step per complete batch (session.md 7, row 11). */
export async function advanceEnvironment(world: SessionWorld): Promise<void> {
  const { environment, handles, phase, stores, transition } = world;
  stampStep(stores.StepStamp.advanced, environment, world.runSteps, 'Advance');
  transition.before = transition.after;
  const startedMs = world.clock.nowMs();
  try {
    transition.after = await handles.environment.advance(transition.batch!);
  } catch (error) {
    world.blamed = { kind: 'environment', id: stores.StableId[environment]! };
    throw error;
  }
  world.environmentMs.record(world.clock.nowMs() - startedMs);
  enterPhase(phase, 'observing');
}
