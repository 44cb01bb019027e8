import { forEachAgent } from '../../engine/blame.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Keeps what the task says each agent may know for its next decision (session.md 7, row 18). */
export function retainContext(world: SessionWorld): void {
  forEachAgent(world, retain);
}

function retain({ agents, handles, stores, transition }: SessionWorld, i: number): void {
  const context = transition.outcome!.contexts[i]!;
  transition.contexts[i] = context;
  handles.readouts[i]!.retain(context, Number(stores.AgentClock.ticks[agents[i]!]!));
}
