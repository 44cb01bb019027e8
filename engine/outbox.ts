import type { ShownEvent } from './replica/snapshot.ts';
import type { SessionWorld } from './world.ts';

/** Gives an event its id and times and puts it where publication and the event log find it. */
export function recordEvent(world: SessionWorld, event: Omit<ShownEvent, 'id' | 'wallMs' | 'brainMs'>): void {
  const { outbox, phase } = world;
  const agent = world.agents[event.agentIndex ?? 0]!;
  // what a task tells while it observes is of the boundary that is about to be committed (spec: session.md 11)
  outbox.lastSourceStep = phase.name === 'observing' ? phase.step + 1n : phase.step;
  outbox.events.push({
    ...event,
    id: outbox.nextEventId++,
    wallMs: world.clock.unixMs(),
    brainMs: Number(world.stores.AgentClock.ticks[agent]!),
  });
}
