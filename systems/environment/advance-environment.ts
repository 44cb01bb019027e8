import { fromEnvironment } from '../../engine/blame.ts';
import { enterPhase, stampStep } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Exactly one world step per complete batch (session.md 7, row 11). */
export async function advanceEnvironment(world: SessionWorld): Promise<void> {
  const { environment, handles, phase, stores, transition } = world;
  stampStep(stores.StepStamp.advanced, environment, world.runSteps, 'Advance');
  transition.before = transition.after;
  const startedMs = world.clock.nowMs();
  transition.after = await fromEnvironment(world, handles.environment.advance(transition.batch!));
  world.environmentMs.record(world.clock.nowMs() - startedMs);
  enterPhase(phase, 'observing');
}
