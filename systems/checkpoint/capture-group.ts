import { forEachAgent, fromEnvironment } from '../../engine/blame.ts';
import type { BrainState } from '../../engine/contract/brain.ts';
import type { AgentCapture, CaptureKind, GroupCapture } from '../../engine/group-capture.ts';
import { enterPhase } from '../../engine/phase.ts';
import type { RationalNs } from '../../engine/rational.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Spec: session.md 17.4. Counted in world steps, so that a run does the same however fast it goes. */
const HOT_SECONDS = 5n;
const DURABLE_SECONDS = 300n;

/**
 * Copies the whole group at this boundary when it is due, or when something asked for it: a rollback, a pause, an
 * operator (row 27). A store that cannot take more is asked again at the next boundary; what was asked for stays asked
 * for.
 */
export async function captureGroup(world: SessionWorld): Promise<void> {
  const kind = dueKind(world);
  if (kind === null) return;
  const reason = world.captureRequested ?? (kind === 'durable' ? 'durable interval' : 'interval');
  await captureAs(world, kind, reason, null);
}

/** Keeps the world that was set back durably, before anything else of this boundary is saved or shown (row 25). */
export async function saveAfterRollback(world: SessionWorld): Promise<void> {
  if (world.transition.outcome!.rollback !== null) await captureGroup(world);
}

/**
 * Copies the whole group and hands it to the store, which answers whatever asked for a capture at this boundary. A
 * store that is busy is left alone, and so is the session.
 * @param archiveRank rung whose archive this is, null for none
 * @throws InvariantError INVALID_PHASE where no boundary is committed; what a participant throws. The place in the
 *   store is free again then
 */
export async function captureAs(
  world: SessionWorld,
  kind: CaptureKind,
  reason: string,
  archiveRank: number | null,
): Promise<void> {
  const { captures, phase } = world;
  const slot = captures.reserve(kind);
  if (slot === null) return;
  let capture: GroupCapture;
  try {
    enterPhase(phase, 'capturing');
    capture = await copyGroup(world, reason, slot.takeSpare());
  } catch (error) {
    slot.release();
    throw error;
  }
  if (slot.submit(capture, archiveRank)) world.captureRequested = null;
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
  const { handles, outbox, phase, transition } = world;
  const environment = await fromEnvironment(world, handles.environment.capture());
  const agents: AgentCapture[] = [];
  forEachAgent(world, (_, index) => agents.push(copyAgent(world, index, spare?.agents[index]?.brain)));
  return {
    reason,
    epoch: phase.epoch,
    step: phase.step,
    runSteps: world.runSteps,
    episodeSteps: world.episodeSteps,
    episode: world.episode,
    environment,
    taskLedger: handles.task.capture(),
    nextEventId: outbox.nextEventId,
    lastSourceStep: outbox.lastSourceStep,
    bestRank: world.bestRank,
    slotRank: world.slotRank,
    rungSinceStep: world.rungSinceStep,
    rollbacks: world.rollbacks,
    filledSlots: [...world.filledSlots],
    epochs: world.epochs,
    nextInteraction: world.nextInteraction,
    lastControls: structuredClone(transition.lastControls),
    audio: world.audio.positions(),
    agents,
  };
}

function copyAgent(
  { agents, handles, stores: { AgentClock, StableId, Tally }, transition }: SessionWorld,
  index: number,
  spare: BrainState | undefined,
): AgentCapture {
  const agent = agents[index]!;
  return {
    agentId: StableId[agent]!,
    brain: handles.brains[index]!.exportState(spare),
    readout: handles.readouts[index]!.exportState(),
    ticks: AgentClock.ticks[agent]!,
    owed: AgentClock.owed[agent]!,
    warmupTicks: AgentClock.warmupTicks[agent]!,
    context: structuredClone(transition.contexts[index]!),
    tally: {
      spikesTotal: Tally.spikesTotal[agent]!,
      rewardTotal: Tally.rewardTotal[agent]!,
      rewards: Tally.rewards[agent]!,
      reinforcements: Tally.reinforcements[agent]!,
      presses: Tally.presses[agent]!,
    },
  };
}
