import { forEachAgent } from '../../engine/blame.ts';
import type { Observation } from '../../engine/contract/environment.ts';
import type { TaskView } from '../../engine/contract/task.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { installSensory } from '../kernel/install-sensory.ts';

/**
 * Goes on from a world that jumped (spec: session.md 14, 15): clocks, membranes and gains stay; holds, winners, fatigue
 * and eligibility are cleared, and every control is released.
 */
export function continueFrom(world: SessionWorld, observation: Observation, view: TaskView): void {
  const { handles, stores, transition } = world;
  transition.after = observation;
  installSensory(world);
  forEachAgent(world, ({ agents }, i) => {
    const context = view.contexts[i]!;
    handles.readouts[i]!.clear(context, Number(stores.AgentClock.ticks[agents[i]!]!));
    handles.brains[i]!.clearEligibility();
    transition.contexts[i] = context;
  });
  transition.progress = view.progress;
  transition.batch = null;
  transition.lastControls = null;
  transition.discontinuity = true;
}
