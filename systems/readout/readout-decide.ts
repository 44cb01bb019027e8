import type { SessionWorld } from '../../engine/world.ts';

/** Reads each brain's rates into held channels. Only the agent's own rates and context enter (session.md 7, row 7). */
export function readoutDecide(world: SessionWorld): void {
  const { agents, handles, stores, transition } = world;
  for (let i = 0; i < agents.length; i++) {
    const nowMs = Number(stores.AgentClock.ticks[agents[i]!]!);
    transition.decisions[i] = handles.readouts[i]!.decide(handles.brains[i]!.rates, nowMs, transition.contexts[i]!);
  }
}
