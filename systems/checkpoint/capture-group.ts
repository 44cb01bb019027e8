import type { GroupCapture } from '../../engine/group-capture.ts';
import { enterPhase } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';

/**
 * Steps between two captures, counted in world steps so that a run does the same however fast it goes: about five
 * seconds of a Game Boy (spec: session.md 17.4, hot tier).
 */
const CAPTURE_EVERY_STEPS = 299n;

/** Copies the whole group at this boundary: on request (a rung, a rollback, an operator) and regularly (rows 25, 27). */
export async function captureGroup(world: SessionWorld): Promise<void> {
  const due = world.runSteps % CAPTURE_EVERY_STEPS === 1n;
  if (!due && world.captureRequested === null) return;
  const reason = world.captureRequested ?? 'interval';
  world.captureRequested = null;
  enterPhase(world.phase, 'capturing');
  world.captures.latest = await copyGroup(world, reason);
  enterPhase(world.phase, world.phase.captureOrigin);
}

async function copyGroup(world: SessionWorld, reason: string): Promise<GroupCapture> {
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
    audio: world.audio.positions(),
    agents: agents.map((agent, i) => ({
      agentId: stores.StableId[agent]!,
      brain: handles.brains[i]!.exportState(),
      readout: structuredClone(handles.readouts[i]!.exportState()),
      ticks: stores.AgentClock.ticks[agent]!,
      owed: stores.AgentClock.owed[agent]!,
      warmupTicks: stores.AgentClock.warmupTicks[agent]!,
      context: transition.contexts[i]!,
      tally: {
        spikesTotal: stores.Tally.spikesTotal[agent]!,
        rewardTotal: stores.Tally.rewardTotal[agent]!,
        rewards: stores.Tally.rewards[agent]!,
        presses: stores.Tally.presses[agent]!,
      },
    })),
  };
}
