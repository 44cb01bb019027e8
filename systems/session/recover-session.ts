import type { Brain } from '../../engine/contract/brain.ts';
import type { Observation } from '../../engine/contract/environment.ts';
import { NEVER } from '../../components/step-stamp.ts';
import { positionsAt } from '../../engine/audio-timeline.ts';
import { DeviceError, describeError, isFlyError } from '../../engine/errors.ts';
import type { GroupCapture } from '../../engine/group-capture.ts';
import { recordEvent } from '../../engine/outbox.ts';
import { beginAgain, enterPhase } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { bootSession } from './boot-session.ts';

/** A group that fails this often without a minute of peace in between is given up by name. */
const MAX_RECOVERIES = 5;
const PEACE_MS = 60_000;

export type Recovery = {
  /** Replaces the brain of one agent by a fresh one over the same connectome and seed. */
  readonly reopenBrain: (agentIndex: number) => Promise<Brain>;
  readonly reanchor: () => void;
  readonly report: (line: string) => void;
};

/**
 * Makes the way back from a fenced epoch: the whole group continues from the last capture, or starts cleanly when there
 * is none. Never half of it (spec: session.md 16).
 */
export function createRecovery(recovery: Recovery): (world: SessionWorld, failure: unknown) => Promise<void> {
  let failures = 0;
  let lastFailureMs = -Infinity;
  return async (world, failure) => {
    const now = world.clock.nowMs();
    failures = now - lastFailureMs > PEACE_MS ? 1 : failures + 1;
    lastFailureMs = now;
    fence(world, failure);
    if (failures > MAX_RECOVERIES) {
      throw new DeviceError(
        'RECOVERY_GIVEN_UP',
        `the session failed ${failures} times within a minute of each other, last: ${describeError(failure)}`,
        { cause: failure },
      );
    }
    recovery.report(`failed at step ${world.phase.step}: ${describeError(failure)}`);
    await restoreGroup(world, recovery);
    recovery.reanchor();
  };
}

function fence(world: SessionWorld, failure: unknown): void {
  const { phase } = world;
  if (phase.name !== 'failed') enterPhase(phase, 'failed');
  world.interactions.length = 0;
  world.sugar.endsAtMs = 0;
  world.committedInEpoch = false;
  world.lifecycle.emit({
    kind: 'failed',
    code: isFlyError(failure) ? failure.code : 'INTERNAL',
    message: describeError(failure),
    step: phase.step,
  });
}

async function restoreGroup(world: SessionWorld, recovery: Recovery): Promise<void> {
  const { captures, handles, phase, runSteps } = world;
  const capture = captures.latest;
  const oldEpoch = phase.epoch;
  await handles.environment.restart();
  for (let i = 0; i < handles.brains.length; i++) {
    await handles.brains[i]!.close();
    handles.brains[i] = await recovery.reopenBrain(i);
  }
  forgetTransients(world);
  world.epochs += 1;
  const epoch = `e${world.epochs}`;
  if (capture === null) {
    beginAgain(phase, epoch);
    world.audio.begin();
    for (const agent of world.agents) world.stores.AgentClock.owed[agent] = 0n;
    await bootSession(world, () => undefined);
  } else {
    enterPhase(phase, 'restoring');
    phase.epoch = epoch;
    const observation = await handles.environment.restore(capture.environment);
    install(world, capture, observation);
    enterPhase(phase, 'paused');
    enterPhase(phase, 'ready');
  }
  const from = capture === null ? 'clean-restart' : 'capture';
  const line = capture === null ? 'started again from the beginning' : `continued from step ${capture.step}`;
  recovery.report(`${line} (epoch ${phase.epoch})`);
  recordEvent(world, {
    kind: 'recovery',
    tier: 'notable',
    label: line,
    value: null,
    agentIndex: null,
    dedupeKey: `recovery-${phase.epoch}`,
    dedupeMs: 0,
  });
  const abandonedSteps = runSteps - world.runSteps;
  world.lifecycle.emit({ kind: 'restored', from, oldEpoch, epoch: phase.epoch, step: phase.step, abandonedSteps });
}

function forgetTransients(world: SessionWorld): void {
  const { stores, transition } = world;
  for (const stamps of Object.values(stores.StepStamp)) stamps.fill(NEVER);
  for (const pulses of transition.preStepStimuliMs) pulses.length = 0;
  transition.batch = null;
  transition.outcome = null;
  transition.lastControls = null;
  transition.before = null;
  transition.discontinuity = true;
}

/** Every part was validated by its owner before this line; from here on nothing throws. */
function install(world: SessionWorld, capture: GroupCapture, observation: Observation): void {
  const { agents, handles, phase, stores, transition } = world;
  world.audio.restore(
    capture.audio ?? positionsAt(handles.environment.descriptor.audio, world.stepDuration, capture.episodeSteps),
  );
  handles.task.restore(structuredClone(capture.taskLedger));
  const view = handles.task.clearTransients(observation);
  for (let i = 0; i < agents.length; i++) {
    const agent = agents[i]!;
    const saved = capture.agents[i]!;
    handles.brains[i]!.importState(saved.brain);
    handles.readouts[i]!.importState(structuredClone(saved.readout));
    stores.AgentClock.ticks[agent] = saved.ticks;
    stores.AgentClock.owed[agent] = saved.owed;
    stores.AgentClock.warmupTicks[agent] = saved.warmupTicks;
    stores.Tally.spikesTotal[agent] = saved.tally.spikesTotal;
    stores.Tally.rewardTotal[agent] = saved.tally.rewardTotal;
    stores.Tally.rewards[agent] = saved.tally.rewards;
    stores.Tally.presses[agent] = saved.tally.presses;
    transition.contexts[i] = saved.context;
  }
  transition.after = observation;
  transition.progress = view.progress;
  phase.step = capture.step;
  world.runSteps = capture.runSteps;
  world.episodeSteps = capture.episodeSteps;
  world.episode = capture.episode;
  world.bestRank = capture.bestRank;
  world.rungSinceStep = capture.rungSinceStep;
  world.rollbacks = capture.rollbacks;
  world.filledSlots.clear();
  for (const slotId of capture.filledSlots) world.filledSlots.add(slotId);
}
