import type { ShownEvent } from './replica/snapshot.ts';
import type { SessionWorld } from './world.ts';

/** Gives an event its id and times and puts it where publication and the event log find it. */
export function recordEvent(world: SessionWorld, event: Omit<ShownEvent, 'id' | 'wallMs' | 'brainMs'>): void {
  const agent = world.agents[event.agentIndex ?? 0]!;
  world.outbox.events.push({
    ...event,
    id: world.outbox.nextEventId++,
    wallMs: world.clock.unixMs(),
    brainMs: Number(world.stores.AgentClock.ticks[agent]!),
  });
}
