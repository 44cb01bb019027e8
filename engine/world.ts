import { addComponent, addEntity, createRelation, createWorld, makeExclusive, Pair } from 'bitecs';
import type { EntityId, World as EcsWorld } from 'bitecs';
import * as kinds from '../components/entity-kinds.ts';
import { createStores } from '../components/stores.ts';
import type { Stores } from '../components/stores.ts';
import type { Interaction } from '../components/interaction.ts';
import type { Clock } from './clock.ts';
import type { Brain } from './contract/brain.ts';
import type { ControlBatch, Environment, Observation, PortControl } from './contract/environment.ts';
import type { Executor } from './contract/executor.ts';
import type { Decision, Readout } from './contract/readout.ts';
import type { DecisionContext, PaidReward, Progress, Task, TaskOutcome } from './contract/task.ts';
import { createAudioTimeline } from './audio-timeline.ts';
import type { AudioTimeline } from './audio-timeline.ts';
import { ConfigError } from './errors.ts';
import { createPhaseState } from './phase.ts';
import type { PhaseState } from './phase.ts';
import { createLifecycle } from './lifecycle.ts';
import type { Lifecycle } from './lifecycle.ts';
import { createHistogram } from './histogram.ts';
import type { Histogram } from './histogram.ts';
import { U64_MAX, rationalNs } from './rational.ts';
import type { RationalNs } from './rational.ts';
import type { AwaitPoint } from './schedule.ts';
import type { ShownEvent } from './replica/snapshot.ts';
import { createMemoryCaptures } from './group-capture.ts';
import type { Captures } from './group-capture.ts';
import { createCommandQueue } from './command-queue.ts';
import type { CommandQueue } from './command-queue.ts';

/** agent -> port: an agent has exactly one port and a port at most one agent. */
export const PlaysOn: ReturnType<typeof createRelation> = createRelation(makeExclusive);
/** port, view, audio stream, slot and task -> the environment they belong to. */
export const PartOf: ReturnType<typeof createRelation> = createRelation(makeExclusive);
/** brain and executor -> their agent. */
export const BelongsTo: ReturnType<typeof createRelation> = createRelation(makeExclusive);

/** One agent as a composition names it. */
export type AgentSpec = { readonly agentId: string; readonly portId: string };

export type WorldSpec = {
  readonly sessionId: string;
  readonly agents: readonly AgentSpec[];
  readonly environment: Environment;
  readonly environmentId: string;
  readonly task: Task;
  readonly slotIds: readonly string[];
  readonly clock: Clock;
};

/** Handles and values that are no numeric column. Arrays over agents run in agent order. */
export type SessionHandles = {
  readonly environment: Environment;
  readonly task: Task;
  readonly brains: Brain[];
  readonly readouts: Readout[];
  readonly executors: Executor[];
};

/** State of the transition that is running, and what the last one left behind. */
export type Transition = {
  /** Sugar and other pulses of this Prepare, per agent, whole milliseconds in admission order. */
  readonly preStepStimuliMs: number[][];
  readonly contexts: DecisionContext[];
  readonly decisions: Decision[];
  readonly intents: PortControl[];
  batch: ControlBatch | null;
  /** Controls of the transition before, for counting presses. */
  lastControls: readonly PortControl[] | null;
  before: Observation | null;
  after: Observation | null;
  outcome: TaskOutcome | null;
  /** Rewards of `outcome`, agent order. */
  paid: readonly PaidReward[];
  progress: Progress | null;
  /** A skip happened since the last publication (restore, rollback): media carry a mark. */
  discontinuity: boolean;
};

/** What the loop waits for at this moment. */
export type Waiting = {
  for: AwaitPoint | null;
  sinceMs: number;
  /** Agents whose brains have not answered at the kernel barrier: 1 each, agent order. */
  readonly agents: Uint8Array;
};

/** Whose failure fenced an epoch. */
export type Blamed = { readonly kind: 'agent' | 'environment'; readonly id: string };

/** What viewers may know, gathered until it is published. */
export type Outbox = {
  readonly events: ShownEvent[];
  nextEventId: number;
  /** Boundary that the newest event is of; null before the first. */
  lastSourceStep: bigint | null;
};

/**
 * One session: entities and their stores, the handles of its devices, and where it stands. Every ordered loop runs
 * over `agents` or `ports`, which are sorted once here; query order is never used (architecture 3).
 */
export type SessionWorld = {
  readonly ecs: EcsWorld;
  readonly sessionId: string;
  readonly session: EntityId;
  readonly environment: EntityId;
  readonly task: EntityId;
  /** Ascending by `StableId`. */
  readonly agents: readonly EntityId[];
  /** Environment descriptor order. */
  readonly ports: readonly EntityId[];
  /** For each agent, the index of its port in `ports`. */
  readonly portOfAgent: readonly number[];
  readonly stores: Stores;
  readonly handles: SessionHandles;
  readonly phase: PhaseState;
  readonly transition: Transition;
  /** Sample positions of the world's streams. */
  readonly audio: AudioTimeline;
  readonly waiting: Waiting;
  /** Whose failure ended the newest transition; null when it was nobody's or it did not fail. */
  blamed: Blamed | null;
  /** Transitions begun by this process, failed ones included. */
  transitionsBegun: number;
  /** Wall time at which a transition last began or committed. */
  progressedAtMs: number;
  readonly clock: Clock;
  readonly lifecycle: Lifecycle;
  readonly commands: CommandQueue;
  readonly interactions: Interaction[];
  nextInteraction: number;
  /** Facts about sugar a viewer may see. */
  readonly sugar: {
    lastBy: string | null;
    todayCount: number;
    /** Agent that got the newest pulse, and its brain time at which that pulse ends, ms. */
    agentIndex: number;
    endsAtMs: number;
  };
  /** A boundary was committed since the last restore; before that no pulse level is known. */
  committedInEpoch: boolean;
  readonly outbox: Outbox;
  /** In memory alone until a store takes over. */
  captures: Captures;
  readonly stepDuration: RationalNs;
  /** Wall time of a transition's work without the wait for its deadline, and of its two await points. */
  readonly stepMs: Histogram;
  readonly kernelMs: Histogram;
  readonly environmentMs: Histogram;
  /** Wall time of each brain's part of the kernel barrier, agent order. */
  readonly brainMs: readonly Histogram[];
  /** Wall time at which the running transition began. */
  stepStartedMs: number;
  /** Simulated ms per wall ms over the last second; 1 until a second has passed. */
  realTimeFactor: number;
  /** Wall time lost to late steps since the start. */
  lagMs: number;
  /** Boundary at which the rank last rose, in run steps. */
  rungSinceStep: bigint;
  /** Highest rank this run has seen. */
  bestRank: number;
  /** Slots the task uses; empty when it never rolls back. */
  readonly slotIds: readonly string[];
  /** Rank that was best when a slot was last saved; of a task without slots, its best. */
  slotRank: number;
  /** Slots that hold something. */
  readonly filledSlots: Set<string>;
  rollbacks: number;
  /** Timelines begun by this process; names the next one. */
  epochs: number;
  /** Simulated boundaries since the run began; continues over restores and episodes. */
  runSteps: bigint;
  /** World clock: boundaries since the episode began. */
  episodeSteps: bigint;
  episode: number;
  pauseRequested: boolean;
  stopRequested: string | null;
  /** Something asked for a capture at this boundary: its reason. */
  captureRequested: string | null;
};

const CAPACITY = 256;

/** @throws ConfigError COMPOSITION for a repeated agent, an unknown port, a port with two agents, shared slots; CADENCE */
export function createSessionWorld(spec: WorldSpec): SessionWorld {
  const { descriptor } = spec.environment;
  const sorted = [...spec.agents].sort((a, b) => (a.agentId < b.agentId ? -1 : 1));
  const portIds = descriptor.ports.map((port) => port.portId);
  refuseBadPorts(sorted, portIds);
  refuseSharedSlots(spec);
  const ecs = createWorld();
  const stores = createStores(CAPACITY);
  const spawn = (kind: object, stableId: string): EntityId => {
    const entity = addEntity(ecs);
    addComponent(ecs, entity, kind);
    stores.StableId[entity] = stableId;
    return entity;
  };
  const session = spawn(kinds.Session, spec.sessionId);
  const environment = spawn(kinds.Environment, spec.environmentId);
  const partOfEnvironment = (kind: object, id: string): EntityId => {
    const entity = spawn(kind, id);
    addComponent(ecs, entity, Pair(PartOf, environment));
    return entity;
  };
  const ports = portIds.map((portId) => partOfEnvironment(kinds.Port, portId));
  for (const view of descriptor.views) partOfEnvironment(kinds.View, view.viewId);
  for (const stream of descriptor.audio) partOfEnvironment(kinds.AudioStream, stream.streamId);
  for (const slotId of spec.slotIds) partOfEnvironment(kinds.Slot, slotId);
  const task = partOfEnvironment(kinds.Task, spec.task.taskId);
  const portOfAgent = sorted.map(({ portId }) => portIds.indexOf(portId));
  const agents = sorted.map(({ agentId }, index) => {
    const agent = spawn(kinds.Agent, agentId);
    addComponent(ecs, agent, Pair(PlaysOn, ports[portOfAgent[index]!]!));
    for (const [kind, name] of [
      [kinds.BrainEntity, 'brain'],
      [kinds.Executor, 'executor'],
    ] as const) {
      addComponent(ecs, spawn(kind, `${name}.${agentId}`), Pair(BelongsTo, agent));
    }
    setCadence(stores, agent, descriptor.stepDuration);
    return agent;
  });
  return {
    ecs,
    sessionId: spec.sessionId,
    session,
    environment,
    task,
    agents,
    ports,
    portOfAgent,
    stores,
    handles: { environment: spec.environment, task: spec.task, brains: [], readouts: [], executors: [] },
    phase: createPhaseState('e1'),
    transition: createTransition(agents.length),
    audio: createAudioTimeline(descriptor.audio),
    waiting: { for: null, sinceMs: 0, agents: new Uint8Array(agents.length) },
    blamed: null,
    transitionsBegun: 0,
    progressedAtMs: spec.clock.nowMs(),
    clock: spec.clock,
    lifecycle: createLifecycle(),
    commands: createCommandQueue(),
    interactions: [],
    nextInteraction: 1,
    sugar: { lastBy: null, todayCount: 0, agentIndex: 0, endsAtMs: 0 },
    committedInEpoch: false,
    outbox: { events: [], nextEventId: 1, lastSourceStep: null },
    captures: createMemoryCaptures(),
    stepDuration: descriptor.stepDuration,
    stepMs: createHistogram(),
    kernelMs: createHistogram(),
    environmentMs: createHistogram(),
    brainMs: agents.map(() => createHistogram()),
    stepStartedMs: 0,
    realTimeFactor: 1,
    lagMs: 0,
    rungSinceStep: 0n,
    bestRank: -1,
    slotIds: spec.slotIds,
    slotRank: -1,
    filledSlots: new Set(),
    rollbacks: 0,
    epochs: 1,
    runSteps: 0n,
    episodeSteps: 0n,
    episode: 1,
    pauseRequested: false,
    stopRequested: null,
    captureRequested: null,
  };
}

function createTransition(agentCount: number): Transition {
  return {
    preStepStimuliMs: Array.from({ length: agentCount }, () => []),
    contexts: [],
    decisions: [],
    intents: [],
    batch: null,
    lastControls: null,
    before: null,
    after: null,
    outcome: null,
    paid: [],
    progress: null,
    discontinuity: false,
  };
}

const NS_PER_TICK = 1_000_000n;

/** @throws ConfigError CADENCE for a step that is empty, not in lowest terms, or too fine to count in 64 bits */
function setCadence(stores: Stores, agent: EntityId, step: RationalNs): void {
  const shown = `a world step of ${step.numerator}/${step.denominator} ns`;
  if (step.numerator <= 0n) throw new ConfigError('CADENCE', `${shown} is no time; the environment declares it.`);
  if (rationalNs(step.numerator, step.denominator).denominator !== step.denominator) {
    throw new ConfigError('CADENCE', `${shown} is not in lowest terms; the environment declares it.`);
  }
  if (NS_PER_TICK * step.denominator + step.numerator > U64_MAX) {
    throw new ConfigError('CADENCE', `${shown} cannot be counted in 64 bits; declare a coarser one.`);
  }
  stores.Cadence.step[agent] = step.numerator;
  stores.Cadence.tick[agent] = NS_PER_TICK * step.denominator;
}

/** A world that several agents share is never set back (spec: session.md 14). */
function refuseSharedSlots({ agents, slotIds, task }: WorldSpec): void {
  if (agents.length < 2 || slotIds.length === 0) return;
  throw new ConfigError(
    'COMPOSITION',
    `task ${task.taskId} sets its world back to slot ${slotIds.join(', ')}, and ${agents.length} flies share that world; ` +
      'give the show one fly or a task without slots.',
  );
}

function refuseBadPorts(agents: readonly AgentSpec[], portIds: readonly string[]): void {
  const taken = new Map<string, string>();
  for (let i = 0; i < agents.length; i++) {
    const { agentId, portId } = agents[i]!;
    if (agents[i + 1]?.agentId === agentId) {
      throw new ConfigError('COMPOSITION', `agent ${agentId} is named twice; give each agent of the show its own id.`);
    }
    if (!portIds.includes(portId)) {
      throw new ConfigError(
        'COMPOSITION',
        `agent ${agentId} wants port ${portId}; this world has ${portIds.join(', ')}.`,
      );
    }
    const other = taken.get(portId);
    if (other !== undefined) {
      throw new ConfigError('COMPOSITION', `agents ${other} and ${agentId} both want port ${portId}.`);
    }
    taken.set(portId, agentId);
  }
}
