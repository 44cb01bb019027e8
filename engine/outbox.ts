import type { ShownEvent } from './replica/snapshot.ts';
import type { SessionWorld } from './world.ts';

type NewEvent = Omit<ShownEvent, 'id' | 'wallMs' | 'brainMs'>;

/** Puts an event where publication and the event log find it. */
export function recordEvent(world: SessionWorld, event: NewEvent): void {
  world.outbox.events.push(stampEvent(world, event));
}

/** Gives an event its id and times. */
export function stampEvent(world: SessionWorld, event: NewEvent): ShownEvent {
  const { outbox, phase } = world;
  const agent = world.agents[event.agentIndex ?? 0]!;
  // what a task tells while it observes is of the boundary that is about to be committed (spec: session.md 11)
  outbox.lastSourceStep = phase.name === 'observing' ? phase.step + 1n : phase.step;
  return {
    ...event,
    id: outbox.nextEventId++,
    wallMs: world.clock.unixMs(),
    brainMs: Number(world.stores.AgentClock.ticks[agent]!),
  };
}
