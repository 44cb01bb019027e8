import { NEVER } from '../../components/step-stamp.ts';
import type { DecisionContext } from '../../engine/contract/task.ts';
import { DataError, describeError } from '../../engine/errors.ts';
import type { GroupCapture } from '../../engine/group-capture.ts';
import { canonicalJson } from '../../engine/identity/canonical-json.ts';
import type { SessionWorld } from '../../engine/world.ts';
import type { Candidate } from './candidates.ts';

export type Installed = { readonly candidate: Candidate; readonly capture: GroupCapture };

/**
 * Puts the first candidate back that is whole and fits, and tells why the ones before it were refused. The session is
 * fenced and stays so until one is completely installed: a candidate refused half way is overwritten as a whole by the
 * next one, and when none is left nothing resumes (spec: session.md 16). Runs no tick and gives no reward.
 * @throws DataError RESTORE_FAILED naming every refusal
 */
export async function installFirst(
  world: SessionWorld,
  candidates: readonly Candidate[],
  onRefused: (line: string) => void,
): Promise<Installed> {
  /** Names by reason: one cartridge too many refuses them all alike. */
  const refusals = new Map<string, string[]>();
  for (const candidate of candidates) {
    try {
      const capture = candidate.load();
      await installGroup(world, capture);
      for (const line of describeRefusals(refusals)) onRefused(line);
      return { candidate, capture };
    } catch (error) {
      const reason = whatOf(error);
      refusals.set(reason, [...(refusals.get(reason) ?? []), candidate.name]);
    }
  }
  throw new DataError(
    'RESTORE_FAILED',
    `none of ${candidates.length} saved states can be continued here: ${describeRefusals(refusals).join('; ')}. ` +
      'Start with --fresh to begin anew; the newest state is kept.',
  );
}

function describeRefusals(refusals: ReadonlyMap<string, readonly string[]>): string[] {
  return [...refusals].map(([reason, names]) => `${names.join(', ')}: ${reason}`);
}

/** The first sentence of an error without the name of the checkpoint: the advice is the same for all of them. */
function whatOf(error: unknown): string {
  return describeError(error)
    .split('. ', 1)[0]!
    .replace(/checkpoint ckpt-\d+: /, '');
}

/** World first, then agents ascending, then the task, then what cannot fail. */
async function installGroup(world: SessionWorld, capture: GroupCapture): Promise<void> {
  const { agents, handles, phase, stores, transition } = world;
  forgetTransients(world);
  const observation = await handles.environment.restore(capture.environment);
  for (let i = 0; i < agents.length; i++) {
    handles.brains[i]!.importState(capture.agents[i]!.brain);
    handles.readouts[i]!.importState(structuredClone(capture.agents[i]!.readout));
  }
  handles.task.restore(structuredClone(capture.taskLedger));
  const view = handles.task.clearTransients(observation);
  refuseOtherContexts(view.contexts, capture);
  world.audio.restore(capture.audio);
  for (let i = 0; i < agents.length; i++) {
    const agent = agents[i]!;
    const saved = capture.agents[i]!;
    stores.AgentClock.ticks[agent] = saved.ticks;
    stores.AgentClock.owed[agent] = saved.owed;
    stores.AgentClock.warmupTicks[agent] = saved.warmupTicks;
    stores.Tally.spikesTotal[agent] = saved.tally.spikesTotal;
    stores.Tally.rewardTotal[agent] = saved.tally.rewardTotal;
    stores.Tally.rewards[agent] = saved.tally.rewards;
    stores.Tally.reinforcements[agent] = saved.tally.reinforcements;
    stores.Tally.presses[agent] = saved.tally.presses;
    transition.contexts[i] = saved.context;
  }
  transition.after = observation;
  transition.progress = view.progress;
  transition.lastControls = capture.lastControls;
  phase.step = capture.step;
  world.runSteps = capture.runSteps;
  world.episodeSteps = capture.episodeSteps;
  world.episode = capture.episode;
  world.bestRank = capture.bestRank;
  world.slotRank = capture.slotRank;
  world.rungSinceStep = capture.rungSinceStep;
  world.rollbacks = capture.rollbacks;
  world.filledSlots.clear();
  for (const slotId of capture.filledSlots) world.filledSlots.add(slotId);
  // what viewers were told stays told: numbers only grow, and no epoch's name is used twice
  world.outbox.nextEventId = Math.max(world.outbox.nextEventId, capture.nextEventId);
  world.outbox.lastSourceStep = capture.lastSourceStep;
  world.nextInteraction = Math.max(world.nextInteraction, capture.nextInteraction);
  world.epochs = Math.max(world.epochs, capture.epochs) + 1;
  phase.epoch = `e${world.epochs}`;
}

/** Nothing of the timeline before may reach the new one. */
export function forgetTransients(world: SessionWorld): void {
  const { stores, transition } = world;
  for (const stamps of Object.values(stores.StepStamp)) stamps.fill(NEVER);
  for (const pulses of transition.preStepStimuliMs) pulses.length = 0;
  transition.batch = null;
  transition.outcome = null;
  transition.lastControls = null;
  transition.before = null;
  transition.discontinuity = true;
  world.interactions.length = 0;
  world.outbox.events.length = 0;
  world.committedInEpoch = false;
}

/** The task looks at the restored world again; what it lets the flies know has to be what they knew. */
function refuseOtherContexts(found: readonly DecisionContext[], { agents, step }: GroupCapture): void {
  const differing = agents.find(({ context }, i) => canonicalJson(context) !== canonicalJson(found[i]));
  if (differing === undefined) return;
  throw new DataError(
    'RESTORE_CONTEXT',
    `${differing.agentId}: the restored world at boundary ${step} gives another context than was saved; ` +
      'use another checkpoint.',
  );
}
