import { forEachAgent } from '../../engine/blame.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Reads each brain's rates into held channels. Only the agent's own rates and context enter (session.md 7, row 7). */
export function readoutDecide(world: SessionWorld): void {
  forEachAgent(world, decide);
}

function decide({ agents, handles, stores, transition }: SessionWorld, i: number): void {
  const nowMs = Number(stores.AgentClock.ticks[agents[i]!]!);
  transition.decisions[i] = handles.readouts[i]!.decide(handles.brains[i]!.rates, nowMs, transition.contexts[i]!);
}
