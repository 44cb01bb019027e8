import type { SessionWorld } from '../../engine/world.ts';

/** Keeps what the task says each agent may know for its next decision (session.md 7, row 18). */
export function retainContext(world: SessionWorld): void {
  const { agents, handles, stores, transition } = world;
  const outcome = transition.outcome!;
  for (let i = 0; i < agents.length; i++) {
    const context = outcome.contexts[i]!;
    transition.contexts[i] = context;
    handles.readouts[i]!.retain(context, Number(stores.AgentClock.ticks[agents[i]!]!));
  }
}
