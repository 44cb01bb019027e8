import { fromEnvironment } from '../../engine/blame.ts';
import { InvariantError } from '../../engine/errors.ts';
import { rollbackEpoch } from '../../engine/identity/event-ids.ts';
import { recordEvent } from '../../engine/outbox.ts';
import { enterPhase } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { continueFrom } from './continue-from.ts';

/**
 * Sets the world back to a slot while the brain goes on: clock, membrane, gains and reward history stay; holds,
 * winners, fatigue and eligibility are cleared (spec: session.md 14). Runs no tick and gives no reward.
 * @throws InvariantError ROLLBACK for an empty slot, and in a world of several flies: nothing has moved then
 */
export async function applyRollback(world: SessionWorld): Promise<void> {
  const { handles, phase, transition } = world;
  const request = transition.outcome!.rollback;
  if (request === null) return;
  if (world.agents.length > 1) {
    throw new InvariantError(
      'ROLLBACK',
      `${handles.task.taskId} asked to set back a world of ${world.agents.length} flies; history of a shared world never ` +
        'rewinds for one of them. Give the task rounds or episodes instead.',
    );
  }
  if (!world.filledSlots.has(request.slotId)) {
    throw new InvariantError('ROLLBACK', `${handles.task.taskId} asked for slot ${request.slotId}, which is empty.`);
  }
  enterPhase(phase, 'rolling-back');
  world.rollbacks += 1;
  const observation = await fromEnvironment(world, handles.environment.restoreSlot(request.slotId));
  const view = handles.task.clearTransients(observation);
  continueFrom(world, observation, view);
  world.audio.jump();
  phase.epoch = rollbackEpoch(phase.epoch.split('.rb', 1)[0]!, world.rollbacks);
  enterPhase(phase, 'ready');
  world.captureRequested = 'rollback';
  recordEvent(world, {
    kind: 'recovery',
    tier: 'notable',
    label: `set back to the best place, ${request.trigger}`,
    value: null,
    agentIndex: null,
    dedupeKey: `rollback-${world.rollbacks}`,
    dedupeMs: 0,
  });
  world.lifecycle.emit({ kind: 'rolled-back', epoch: phase.epoch, step: phase.step, trigger: request.trigger });
}
