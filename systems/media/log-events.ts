import type { EventLog } from '../../engine/event-log.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Hands this boundary's events to the log before publication empties the outbox (session.md 7, row 28). */
export function logEvents(world: SessionWorld, log: EventLog): void {
  for (const event of world.outbox.events) {
    log.record(event, { session: world.sessionId, epoch: world.phase.epoch, step: String(world.phase.step) });
  }
  log.flushIfDue();
}
