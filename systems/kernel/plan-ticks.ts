import { InvariantError } from '../../engine/errors.ts';
import type { SessionWorld } from '../../engine/world.ts';

/**
 * Turns one world step into whole neural ticks for every agent and carries the remainder.
 * A Game Boy frame lasts 8,572,265,625/512 ns, so a 1 ms brain gets 16 or 17 ticks (spec: session.md 4).
 * A slow machine makes the step take longer; it never gets fewer ticks.
 * @throws InvariantError CLOCK for a remainder of a tick or more, or a brain older than 2^53 ticks
 */
export function planTicks(world: SessionWorld): void {
  const { agents, stores } = world;
  const { AgentClock, Cadence, TickPlan } = stores;
  for (const agent of agents) refuseBadClock(world, agent);
  for (const agent of agents) {
    const owed = AgentClock.owed[agent]! + Cadence.step[agent]!;
    const ticks = owed / Cadence.tick[agent]!;
    AgentClock.owed[agent] = owed - ticks * Cadence.tick[agent]!;
    TickPlan.count[agent] = Number(ticks);
  }
}

/** All clocks are looked at before the first one moves. */
function refuseBadClock(world: SessionWorld, agent: number): void {
  const { AgentClock, Cadence } = world.stores;
  const owed = AgentClock.owed[agent]!;
  const tick = Cadence.tick[agent]!;
  const ticks = (owed + Cadence.step[agent]!) / tick;
  if (owed >= tick) throw refuse(world, agent, `owes ${owed} units, a tick has ${tick}`);
  if (AgentClock.ticks[agent]! + ticks >= MAX_TICKS) throw refuse(world, agent, 'would pass 2^53 ticks');
}

/** Brain time is read as a double in milliseconds; above this it would lose single ticks. */
const MAX_TICKS = 1n << 53n;

function refuse({ stores }: SessionWorld, agent: number, what: string): InvariantError {
  return new InvariantError('CLOCK', `${stores.StableId[agent]}: the brain's clock ${what}; restore a checkpoint.`);
}
