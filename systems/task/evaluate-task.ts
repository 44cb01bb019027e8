import { InvariantError } from '../../engine/errors.ts';
import { recordEvent } from '../../engine/outbox.ts';
import { enterPhase, stampStep } from '../../engine/phase.ts';
import { eventId } from '../../engine/identity/event-ids.ts';
import type { PaidReward, TaskOutcome } from '../../engine/contract/task.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Lets the task judge the world before and after this step, exactly once (session.md 7, row 13). */
export function evaluateTask(world: SessionWorld): void {
  const { agents, handles, phase, portOfAgent, stores, task, transition } = world;
  stampStep(stores.StepStamp.evaluated, task, world.runSteps, 'Evaluate');
  const outcome = handles.task.evaluate({
    before: transition.before!,
    after: transition.after!,
    applied: portOfAgent.map((port) => transition.batch!.ports[port]!),
    brainMs: agents.map((agent) => Number(stores.AgentClock.ticks[agent]!)),
  });
  verifyOutcome(outcome, agents.length, handles.task.taskId);
  transition.outcome = outcome;
  transition.paid = attribute(outcome, phase.epoch, phase.step + 1n);
  transition.progress = outcome.progress;
  for (const event of outcome.events) recordEvent(world, event);
  enterPhase(phase, 'committing');
}

const NOTHING_PAID: readonly PaidReward[] = [];

/** Names every reward by where it came from; several of one rule in a step are told apart by their order. */
function attribute({ agents }: TaskOutcome, epoch: string, sourceStep: bigint): readonly PaidReward[] {
  if (agents.every(({ rewards }) => rewards.length === 0)) return NOTHING_PAID;
  const ordinals = new Map<string, number>();
  return agents.flatMap(({ rewards }, agentIndex) =>
    rewards.map(({ ruleId, value }) => {
      const ordinal = ordinals.get(ruleId) ?? 0;
      ordinals.set(ruleId, ordinal + 1);
      return { eventId: eventId(epoch, sourceStep, ruleId, ordinal), ruleId, agentIndex, value, epoch, sourceStep };
    }),
  );
}

/** Rewards are finite and positive only; every agent has an explicit outcome (spec: session.md 1, 8). */
function verifyOutcome(outcome: TaskOutcome, agentCount: number, taskId: string): void {
  if (outcome.agents.length !== agentCount || outcome.contexts.length !== agentCount) {
    throw new InvariantError('TASK_OUTCOME', `${taskId} judged ${outcome.agents.length} of ${agentCount} agents.`);
  }
  for (const { rewards, stimulationsMs } of outcome.agents) {
    for (const { ruleId, value } of rewards) {
      if (!Number.isFinite(value) || value < 0) {
        throw new InvariantError('TASK_OUTCOME', `${taskId} rule ${ruleId} gave ${value}; rewards are never negative.`);
      }
    }
    for (const ms of stimulationsMs) {
      if (!Number.isInteger(ms) || ms < 0) {
        throw new InvariantError('TASK_OUTCOME', `${taskId} asked a pulse of ${ms} ms; whole milliseconds only.`);
      }
    }
  }
}
