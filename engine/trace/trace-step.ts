import { createHash } from 'node:crypto';
import { buttonMask } from '../identity/behaviour-digest.ts';
import type { SessionWorld } from '../world.ts';

/**
 * What one transition did, field by field (spec: session.md 24). Wall time, chat, thread counts and capture times are no
 * part of it. Digests are the first 16 hex digits of a SHA-256.
 */
export type TraceStep = {
  /** Boundary reached, counted over the whole run. */
  readonly step: number;
  /** Agent order of the header. */
  readonly agents: readonly AgentTrace[];
  readonly world: WorldTrace;
};

export type AgentTrace = {
  /** Neural ticks of this transition, and since the brain was built. */
  readonly ticks: number;
  readonly brainTicks: number;
  /** World time owed but not ticked yet, in units of the step's denominator (`Cadence`). */
  readonly remainder: string;
  readonly spikes: string;
  readonly spikeCount: number;
  readonly rates: string;
  /** Channels held, joined by `+`. */
  readonly decision: string;
  readonly macro: string;
  /** Buttons down as a bit mask, then the axes. */
  readonly controls: string;
  /** `rule=value`, event order. */
  readonly rewards: string;
  /** Light on the retina for the next ticks. */
  readonly drive: string;
  readonly stimulusMs: number;
  /** Counters and spread of the plastic weights. */
  readonly learning: string;
  /** What the agent may know for its next decision. */
  readonly context: string;
};

export type WorldTrace = {
  readonly engineFrame: string;
  readonly memory: string;
  readonly pictures: string;
  readonly sound: string;
  readonly rank: number;
  /** Events of this boundary, `kind:label`. */
  readonly events: string;
  /** What happened at the boundary besides: slot saves, then a rollback or the end of an episode. */
  readonly actions: string;
};

/** Reads the world right after row 20 of the schedule: the boundary is committed, its tail has not run. */
export function traceStep(world: SessionWorld): TraceStep {
  return {
    step: Number(world.runSteps),
    agents: world.agents.map((_, i) => traceAgent(world, i)),
    world: traceWorld(world),
  };
}

function traceAgent({ agents, handles, portOfAgent, stores, transition }: SessionWorld, i: number): AgentTrace {
  const agent = agents[i]!;
  const brain = handles.brains[i]!;
  const { active, macro } = transition.decisions[i]!;
  const { buttons, axes } = transition.batch!.ports[portOfAgent[i]!]!;
  const { boot, bound, location } = transition.contexts[i]!;
  return {
    ticks: stores.TickPlan.count[agent]!,
    brainTicks: Number(stores.AgentClock.ticks[agent]!),
    remainder: String(stores.AgentClock.owed[agent]!),
    spikes: digestOf(brain.spikeBits),
    spikeCount: stores.Tally.spikes[agent]!,
    rates: digestOf(bytesOf(brain.rates)),
    decision: active.join('+'),
    macro: macro ?? '',
    controls: [buttonMask(buttons).toString(2).padStart(buttons.length, '0'), ...axes.map(String)].join(' '),
    rewards: transition.outcome!.agents[i]!.rewards.map(({ ruleId, value }) => `${ruleId}=${value}`).join(' '),
    drive: digestOf(bytesOf(brain.visualDrive)),
    stimulusMs: brain.stimulusRemainingMs(),
    learning: Object.values(brain.learning()).join(' '),
    context: `${boot ? 'boot' : 'play'} ${bound.join('+')} ${location === null ? '' : Object.values(location).join(',')}`,
  };
}

function traceWorld({ outbox, transition }: SessionWorld): WorldTrace {
  const { engineFrame, inspection, views, audio } = transition.after!;
  const { rollback, saveSlot, terminal = null, progress } = transition.outcome!;
  const actions = [
    ...(saveSlot === null ? [] : [`save ${saveSlot}`]),
    ...(rollback === null ? [] : [`rollback ${rollback.slotId} ${rollback.trigger}`]),
    ...(terminal === null ? [] : [`end ${terminal}`]),
  ];
  return {
    engineFrame,
    memory: digestOf(inspection),
    pictures: digestOf(...views),
    sound: digestOf(...audio.map(bytesOf)),
    rank: progress.rank,
    events: outbox.events.map(({ kind, label }) => `${kind}:${label}`).join('; '),
    actions: actions.join('; '),
  };
}

function bytesOf(array: Float32Array | Float64Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function digestOf(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 16);
}
