import type { CaptureKind, GroupCapture } from '../../engine/group-capture.ts';
import { enterPhase } from '../../engine/phase.ts';
import type { RationalNs } from '../../engine/rational.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Spec: session.md 17.4. Counted in world steps, so that a run does the same however fast it goes. */
const HOT_SECONDS = 5n;
const DURABLE_SECONDS = 300n;

/**
 * Copies the whole group at this boundary when it is due, or when something asked for it: a rung, a rollback, a pause,
 * an operator (rows 23, 25, 27). A store that cannot take more is asked again at the next boundary; what was asked for
 * stays asked for.
 */
export async function captureGroup(world: SessionWorld): Promise<void> {
  const { captures, phase } = world;
  const kind = dueKind(world);
  if (kind === null) return;
  const slot = captures.reserve(kind);
  if (slot === null) return;
  const reason = world.captureRequested ?? (kind === 'durable' ? 'durable interval' : 'interval');
  enterPhase(phase, 'capturing');
  let capture: GroupCapture;
  try {
    capture = await copyGroup(world, reason, slot.takeSpare());
  } catch (error) {
    slot.release();
    throw error;
  }
  const isNewRung = kind === 'durable' && world.bestRank > captures.archivedRank;
  if (slot.submit(capture, isNewRung ? world.bestRank : null)) world.captureRequested = null;
  enterPhase(phase, phase.captureOrigin);
}

function dueKind({ captures, captureRequested, runSteps, stepDuration }: SessionWorld): CaptureKind | null {
  const isDue = (last: bigint | null, seconds: bigint): boolean =>
    last === null || runSteps - last >= stepsIn(seconds, stepDuration);
  if (captureRequested !== null || isDue(captures.newestDurableStep, DURABLE_SECONDS)) return 'durable';
  return isDue(captures.newestStep, HOT_SECONDS) ? 'hot' : null;
}

/** World steps that last at least `seconds`: 299 are five seconds of a Game Boy. */
function stepsIn(seconds: bigint, { numerator, denominator }: RationalNs): bigint {
  const ns = seconds * 1_000_000_000n * denominator;
  return (ns + numerator - 1n) / numerator;
}

async function copyGroup(world: SessionWorld, reason: string, spare: GroupCapture | null): Promise<GroupCapture> {
  const { agents, handles, outbox, phase, stores, transition } = world;
  return {
    reason,
    epoch: phase.epoch,
    step: phase.step,
    runSteps: world.runSteps,
    episodeSteps: world.episodeSteps,
    episode: world.episode,
    environment: await handles.environment.capture(),
    taskLedger: structuredClone(handles.task.capture()),
    nextEventId: outbox.nextEventId,
    bestRank: world.bestRank,
    rungSinceStep: world.rungSinceStep,
    rollbacks: world.rollbacks,
    filledSlots: [...world.filledSlots],
    epochs: world.epochs,
    nextInteraction: world.nextInteraction,
    lastControls: structuredClone(transition.lastControls),
    audio: world.audio.positions(),
    agents: agents.map((agent, i) => ({
      agentId: stores.StableId[agent]!,
      brain: handles.brains[i]!.exportState(spare?.agents[i]?.brain),
      readout: structuredClone(handles.readouts[i]!.exportState()),
      ticks: stores.AgentClock.ticks[agent]!,
      owed: stores.AgentClock.owed[agent]!,
      warmupTicks: stores.AgentClock.warmupTicks[agent]!,
      context: structuredClone(transition.contexts[i]!),
      tally: {
        spikesTotal: stores.Tally.spikesTotal[agent]!,
        rewardTotal: stores.Tally.rewardTotal[agent]!,
        rewards: stores.Tally.rewards[agent]!,
        reinforcements: stores.Tally.reinforcements[agent]!,
        presses: stores.Tally.presses[agent]!,
      },
    })),
  };
}
