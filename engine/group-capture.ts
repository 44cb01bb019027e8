import type { AudioPosition } from './audio-timeline.ts';
import type { BrainState } from './contract/brain.ts';
import type { DecisionContext } from './contract/task.ts';

/**
 * Everything a group needs to continue from one committed boundary: all of it or none of it is installed. Arrays are
 * copies nobody else writes.
 */
export type GroupCapture = {
  readonly reason: string;
  readonly epoch: string;
  readonly step: bigint;
  readonly runSteps: bigint;
  readonly episodeSteps: bigint;
  readonly episode: number;
  readonly environment: Uint8Array;
  readonly taskLedger: unknown;
  readonly agents: readonly AgentCapture[];
  readonly nextEventId: number;
  readonly bestRank: number;
  readonly rungSinceStep: bigint;
  readonly rollbacks: number;
  readonly filledSlots: readonly string[];
  /** Absent only in saves older than saved positions; they are then computed from the step. */
  readonly audio?: readonly AudioPosition[];
};

export type AgentCapture = {
  readonly agentId: string;
  readonly brain: BrainState;
  readonly readout: unknown;
  readonly ticks: bigint;
  readonly owed: bigint;
  readonly warmupTicks: bigint;
  readonly context: DecisionContext;
  readonly tally: AgentTally;
};

export type AgentTally = {
  readonly spikesTotal: number;
  readonly rewardTotal: number;
  readonly rewards: number;
  readonly presses: number;
};
