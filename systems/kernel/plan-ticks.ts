import type { SessionWorld } from '../../engine/world.ts';

/**
 * Turns one world step into whole neural ticks for every agent and carries the remainder.
 * A Game Boy frame lasts 8,572,265,625/512 ns, so a 1 ms brain gets 16 or 17 ticks (spec: session.md 4).
 * A slow machine makes the step take longer; it never gets fewer ticks.
 */
export function planTicks(world: SessionWorld): void {
  const { agents, stores } = world;
  const { AgentClock, Cadence, TickPlan } = stores;
  for (let i = 0; i < agents.length; i++) {
    const agent = agents[i]!;
    const owed = AgentClock.owed[agent]! + Cadence.step[agent]!;
    const ticks = owed / Cadence.tick[agent]!;
    AgentClock.owed[agent] = owed - ticks * Cadence.tick[agent]!;
    TickPlan.count[agent] = Number(ticks);
  }
}
