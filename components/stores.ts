import { createAgentClock } from './agent-clock.ts';
import type { AgentClock } from './agent-clock.ts';
import { createCadence } from './cadence.ts';
import type { Cadence } from './cadence.ts';
import { createStepStamp } from './step-stamp.ts';
import type { StepStamp } from './step-stamp.ts';
import { createTally } from './tally.ts';
import type { Tally } from './tally.ts';
import { createTickPlan } from './tick-plan.ts';
import type { TickPlan } from './tick-plan.ts';

/** Every numeric store of one world, indexed by entity. Two worlds share nothing. */
export type Stores = {
  /** Identity of an entity: composition id, never a number the library hands out. */
  readonly StableId: string[];
  readonly AgentClock: AgentClock;
  readonly Cadence: Cadence;
  readonly TickPlan: TickPlan;
  readonly StepStamp: StepStamp;
  readonly Tally: Tally;
};

export function createStores(capacity: number): Stores {
  return {
    StableId: [],
    AgentClock: createAgentClock(capacity),
    Cadence: createCadence(capacity),
    TickPlan: createTickPlan(capacity),
    StepStamp: createStepStamp(capacity),
    Tally: createTally(capacity),
  };
}
