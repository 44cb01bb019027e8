import type { Brain } from '../../engine/contract/brain.ts';
import type { PortControl } from '../../engine/contract/environment.ts';
import type { AgentSnapshot, LearningTelemetry, Snapshot } from '../../engine/replica/snapshot.ts';
import type { Attachment } from '../../engine/replica/wire.ts';
import type { Publisher } from '../../engine/replica/publisher.ts';
import { spansToMs } from '../../engine/rational.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { neutral } from '../executor/assemble-batch.ts';
import type { SugarLimiter } from '../admission/sugar-limiter.ts';

export type PublishDevices = {
  readonly publisher: Publisher;
  readonly limiter: SugarLimiter;
  readonly revision: number;
};

/** Shows the committed boundary to every observer (session.md 7, row 26). Views into live buffers are copied on send. */
export function publish(world: SessionWorld, devices: PublishDevices): void {
  const { publisher } = devices;
  const snapshot = createSnapshot(world, devices);
  publisher.publish(snapshot, publisher.hasReaders ? collectAttachments(world) : []);
  world.outbox.events.length = 0;
  world.transition.discontinuity = false;
}

function createSnapshot(world: SessionWorld, { publisher, limiter, revision }: PublishDevices): Snapshot {
  const { agents, phase, stepDuration, sugar, transition } = world;
  // Only sugar: a reward drives the same population, but nobody gave it.
  const sugarAgentMs = Number(world.stores.AgentClock.ticks[agents[sugar.agentIndex]!]!);
  const sugarRemainingMs = Math.max(0, sugar.endsAtMs - sugarAgentMs);
  return {
    type: 'snapshot',
    revision,
    sessionId: world.sessionId,
    epoch: phase.epoch,
    step: String(phase.step),
    sequence: publisher.published + 1,
    status: 'running',
    statusReason: '',
    wallMs: world.clock.unixMs(),
    worldMs: spansToMs(stepDuration, world.episodeSteps),
    runSeconds: spansToMs(stepDuration, world.runSteps) / 1_000,
    realTimeFactor: world.realTimeFactor,
    lagMs: world.lagMs,
    agents: agents.map((_, index) => createAgentSnapshot(world, index)),
    progress: transition.progress!,
    rungSeconds: spansToMs(stepDuration, world.runSteps - world.rungSinceStep) / 1_000,
    sugar: {
      active: sugarRemainingMs > 0,
      remainingMs: sugarRemainingMs,
      cooldownMs: limiter.cooldownMs(),
      windowMs: limiter.windowMs,
      lastBy: sugar.lastBy,
      todayCount: sugar.todayCount,
    },
    chat: [],
    events: [...world.outbox.events],
    droppedBefore: 0,
    discontinuity: transition.discontinuity,
  };
}

function createAgentSnapshot(world: SessionWorld, index: number): AgentSnapshot {
  const { agents, handles, phase, stores, transition } = world;
  const agent = agents[index]!;
  const brain = handles.brains[index]!;
  const readout = handles.readouts[index]!;
  const scores = readout.scores();
  const { entropyBits, frozen } = readout.entropy();
  const hasDecided = phase.step !== 0n; // boundary 0 is no transition's end (spec: session.md 19)
  const controls = hasDecided ? controlsOf(world, index) : null;
  return {
    brainMs: Number(stores.AgentClock.ticks[agent]!),
    populationRateHz: brain.populationRateHz(),
    ratesHz: Array.from(brain.rates),
    scores: scores === null ? null : Array.from(scores),
    choices: { entropyBits, frozen },
    spikeCount: countBits(brain.spikeBits),
    learning: learningOf(brain, stores.Tally.reinforcements[agent]!),
    stimulusRemainingMs: brain.stimulusRemainingMs(),
    decision: hasDecided ? transition.decisions[index]!.active : null,
    appliedButtons: controls?.buttons ?? null,
    appliedAxes: controls?.axes ?? null,
    rewardTotal: stores.Tally.rewardTotal[agent]!,
  };
}

function learningOf(brain: Brain, reinforcements: number): LearningTelemetry {
  const { enabled, synapses, updates, changed, signal } = brain.learning();
  return { enabled, updates: reinforcements, changed: updates, signal, synapses, synapsesMoved: changed };
}

/** What the world got from this agent in the transition that ended here; released when it was set back since. */
function controlsOf({ handles, portOfAgent, transition }: SessionWorld, index: number): PortControl {
  const port = portOfAgent[index]!;
  return transition.batch?.ports[port] ?? neutral(handles.environment.descriptor.ports[port]!);
}

function collectAttachments(world: SessionWorld): Attachment[] {
  const { handles, transition } = world;
  const after = transition.after!;
  const bytesOf = (array: Float32Array): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return [
    ...after.views.map((bytes, index): Attachment => ({ kind: 'view', index, bytes })),
    ...after.audio.map((samples, index): Attachment => ({ kind: 'audio', index, bytes: bytesOf(samples) })),
    ...handles.brains.map((brain, index): Attachment => ({ kind: 'spikes', index, bytes: brain.spikeBits })),
  ];
}

/** Neurons that spiked at least once in the transition (spec: feed-control.md 18). */
function countBits(bits: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) count += BITS_OF_BYTE[bits[i]!]!;
  return count;
}

const BITS_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => {
  let bits = 0;
  for (let rest = byte; rest !== 0; rest >>= 1) bits += rest & 1;
  return bits;
});
