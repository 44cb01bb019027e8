import type { EventLog } from '../../engine/event-log.ts';
import type { SessionWorld } from '../../engine/world.ts';

/**
 * Hands this boundary's events to the log before publication empties the outbox (session.md 7, row 28), and each reward
 * with its attribution: the log is where a reward is tied to its cause afterwards.
 */
export function logEvents(world: SessionWorld, log: EventLog): void {
  for (const event of world.outbox.events) {
    log.record(event, { session: world.sessionId, epoch: world.phase.epoch, step: String(world.phase.step) });
  }
  for (const { eventId, ruleId, agentIndex, value, epoch, sourceStep } of world.transition.paid) {
    const agentId = world.stores.StableId[world.agents[agentIndex]!]!;
    const reward = { eventId, ruleId, agentId, value, epoch, sourceStep: String(sourceStep) };
    log.append({ wallMs: world.clock.unixMs(), session: world.sessionId, reward });
  }
  log.flushIfDue();
}
