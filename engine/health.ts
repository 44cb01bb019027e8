import type { PhaseName } from './phase.ts';
import type { AwaitPoint } from './schedule.ts';
import type { Blamed, SessionWorld } from './world.ts';

/** How a session stands (spec: session.md 20). Paused, slow and waiting at the barrier are healthy. */
export const HEALTH_STATES = [
  'booting',
  'running',
  'slow',
  'paused',
  'waiting-at-barrier',
  'recovering',
  'failed',
  'backend-disconnected',
  'dead-agent',
  'stopping',
] as const;

export type HealthState = (typeof HEALTH_STATES)[number];

export type Health = {
  readonly state: HealthState;
  /** The session does what it was asked to do, or is allowed to stand still. */
  readonly alive: boolean;
  /** Agents or the environment the state is about; empty when it is about nobody. */
  readonly participants: readonly string[];
  /** One plain sentence; empty when running. */
  readonly reason: string;
};

/** Facts of one world at one moment; nothing here moves because somebody asked. */
export type HealthFacts = {
  readonly phase: PhaseName;
  readonly step: bigint;
  /** A transition was begun by this process; until then the session boots or resumes. */
  readonly hasBegun: boolean;
  /** Wall time since a transition last began or committed, ms. */
  readonly stillMs: number;
  readonly waitingFor: AwaitPoint | null;
  /** How long the present wait has lasted, ms; 0 without one. */
  readonly waitingMs: number;
  /** Agents that have not answered at the kernel barrier. */
  readonly lateAgents: readonly string[];
  readonly environmentId: string;
  readonly blamed: Blamed | null;
  readonly realTimeFactor: number;
  readonly lagMs: number;
  readonly stopRequested: string | null;
};

/** The loop is fresh while a boundary was committed within this; participants are asked about after it. */
const FRESH_MS = 2_000;
/** A participant without progress for this long is lost. */
const LOST_MS = 10_000;
/** Below this every 20th second is lost and a viewer sees it. */
const SLOW_FACTOR = 0.95;

export function readHealthFacts(world: SessionWorld): HealthFacts {
  const { agents, clock, phase, stores, waiting } = world;
  const nowMs = clock.nowMs();
  return {
    phase: phase.name === 'capturing' ? phase.captureOrigin : phase.name, // a save changes nothing about how it stands
    step: phase.step,
    hasBegun: world.transitionsBegun > 0,
    stillMs: nowMs - world.progressedAtMs,
    waitingFor: waiting.for,
    waitingMs: waiting.for === null ? 0 : nowMs - waiting.sinceMs,
    lateAgents: agents.filter((_, i) => waiting.agents[i] === 1).map((agent) => stores.StableId[agent]!),
    environmentId: stores.StableId[world.environment]!,
    blamed: world.blamed,
    realTimeFactor: world.realTimeFactor,
    lagMs: world.lagMs,
    stopRequested: world.stopRequested,
  };
}

export const BOOTING: Health = health('booting', true, [], 'The session is starting.');

export function judgeWorld(facts: HealthFacts): Health {
  const { hasBegun, phase, stopRequested } = facts;
  if (phase === 'failed') return judgeFailure(facts);
  if (stopRequested !== null) return health('stopping', true, [], `Stopping: ${stopRequested}.`);
  if (phase === 'starting' || !hasBegun) return BOOTING;
  if (phase === 'restoring') {
    const about = facts.blamed === null ? [] : [facts.blamed.id];
    return health(
      'recovering',
      false,
      about,
      `Restoring the group${about.length > 0 ? `; ${about[0]!} had failed` : ''}.`,
    );
  }
  if (phase === 'paused') return health('paused', true, [], `Paused at boundary ${facts.step}.`);
  return judgeProgress(facts);
}

function judgeFailure({ blamed, step }: HealthFacts): Health {
  if (blamed === null) return health('failed', false, [], `The transition from boundary ${step} failed.`);
  if (blamed.kind === 'agent') return health('dead-agent', false, [blamed.id], `${blamed.id}'s brain is gone.`);
  return health('backend-disconnected', false, [blamed.id], `The world ${blamed.id} is gone.`);
}

function judgeProgress(facts: HealthFacts): Health {
  const { environmentId, lateAgents, stillMs, waitingFor, waitingMs } = facts;
  if (waitingMs > FRESH_MS && (waitingFor === 'kernel' || waitingFor === 'environment')) {
    const isKernel = waitingFor === 'kernel';
    const late = isKernel ? lateAgents : [environmentId];
    const reason = `${late.join(', ')} has not answered for ${seconds(waitingMs)}.`;
    if (waitingMs <= LOST_MS) return health('waiting-at-barrier', true, late, reason);
    return health(isKernel ? 'dead-agent' : 'backend-disconnected', false, late, reason);
  }
  if (stillMs > FRESH_MS) {
    return health('failed', false, [], `No boundary for ${seconds(stillMs)}; the last one is ${facts.step}.`);
  }
  if (facts.realTimeFactor < SLOW_FACTOR) {
    const factor = `${facts.realTimeFactor.toFixed(2)}x real time`;
    return health('slow', true, [], `Runs at ${factor}, ${seconds(facts.lagMs)} lost.`);
  }
  return health('running', true, [], '');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function health(state: HealthState, alive: boolean, participants: readonly string[], reason: string): Health {
  return { state, alive, participants, reason };
}
