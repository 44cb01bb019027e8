import type { AgentTrace, TraceStep, WorldTrace } from './trace-step.ts';

/** The first thing in causal order that two runs did otherwise in one step. */
export type TraceDifference = {
  readonly step: number;
  /** The system of the schedule that wrote the field. */
  readonly system: string;
  /** Null for the world. */
  readonly agentId: string | null;
  readonly field: string;
  readonly a: string;
  readonly b: string;
  /** Every field that differs in this step, `fly-a.rates` or `world.memory`, causal order. */
  readonly all: readonly string[];
};

type FieldOf =
  | { readonly system: string; readonly scope: 'agent'; readonly field: keyof AgentTrace }
  | { readonly system: string; readonly scope: 'world'; readonly field: keyof WorldTrace };

/** Order in which a transition writes what a trace holds: the first differing entry is where runs parted. */
const CAUSAL_ORDER: readonly FieldOf[] = [
  { system: 'planTicks', scope: 'agent', field: 'ticks' },
  { system: 'planTicks', scope: 'agent', field: 'remainder' },
  { system: 'advanceBrains', scope: 'agent', field: 'brainTicks' },
  { system: 'advanceBrains', scope: 'agent', field: 'spikes' },
  { system: 'advanceBrains', scope: 'agent', field: 'spikeCount' },
  { system: 'advanceBrains', scope: 'agent', field: 'rates' },
  { system: 'readoutDecide', scope: 'agent', field: 'decision' },
  { system: 'readoutDecide', scope: 'agent', field: 'macro' },
  { system: 'assembleBatch', scope: 'agent', field: 'controls' },
  { system: 'advanceEnvironment', scope: 'world', field: 'engineFrame' },
  { system: 'advanceEnvironment', scope: 'world', field: 'memory' },
  { system: 'advanceEnvironment', scope: 'world', field: 'pictures' },
  { system: 'advanceEnvironment', scope: 'world', field: 'sound' },
  { system: 'evaluateTask', scope: 'agent', field: 'rewards' },
  { system: 'evaluateTask', scope: 'world', field: 'rank' },
  { system: 'evaluateTask', scope: 'world', field: 'actions' },
  { system: 'installSensory', scope: 'agent', field: 'drive' },
  { system: 'applyOutcomeStimuli', scope: 'agent', field: 'stimulusMs' },
  { system: 'reinforce', scope: 'agent', field: 'learning' },
  { system: 'retainContext', scope: 'agent', field: 'context' },
  { system: 'settleAdmissions', scope: 'world', field: 'events' },
];

/** @param agentIds names of the agents, trace order */
export function firstDifference(a: TraceStep, b: TraceStep, agentIds: readonly string[]): TraceDifference | null {
  let first: Omit<TraceDifference, 'all'> | null = null;
  const all: string[] = [];
  const compare = (system: string, agentId: string | null, field: string, left: unknown, right: unknown): void => {
    if (left === right) return;
    all.push(`${agentId ?? 'world'}.${field}`);
    first ??= { step: a.step, system, agentId, field, a: String(left), b: String(right) };
  };
  compare('commitBoundary', null, 'step', a.step, b.step);
  for (const entry of CAUSAL_ORDER) {
    const { system, field } = entry;
    if (entry.scope === 'world') compare(system, null, field, a.world[entry.field], b.world[entry.field]);
    else {
      const of = entry.field;
      agentIds.forEach((id, i) => compare(system, id, field, a.agents[i]?.[of], b.agents[i]?.[of]));
    }
  }
  return first === null ? null : { ...(first as Omit<TraceDifference, 'all'>), all };
}
