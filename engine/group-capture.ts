import type { AudioPosition } from './audio-timeline.ts';
import type { BrainState } from './contract/brain.ts';
import type { PortControl } from './contract/environment.ts';
import type { DecisionContext } from './contract/task.ts';

/**
 * Everything a group needs to continue from one committed boundary: all of it or none of it is installed. Arrays are
 * copies nobody else writes, until it is a spare.
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
  /** Boundary that the newest event is of; null before the first. */
  readonly lastSourceStep: bigint | null;
  readonly bestRank: number;
  /** Rank that was best when a slot was last saved. */
  readonly slotRank: number;
  readonly rungSinceStep: bigint;
  readonly rollbacks: number;
  readonly filledSlots: readonly string[];
  /** Timelines begun so far; names the next one. */
  readonly epochs: number;
  readonly nextInteraction: number;
  /** What was held in the newest step, descriptor order: a button held on is no new press. */
  readonly lastControls: readonly PortControl[] | null;
  readonly audio: readonly AudioPosition[];
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
  readonly reinforcements: number;
  readonly presses: number;
};

/** Regular saves are replaced by newer ones while they wait; durable ones end committed or failed. */
export type CaptureKind = 'hot' | 'durable';

/** Where captures go, and what they are taken back from after a fault. */
export type Captures = {
  /** Run steps at which the newest capture, and the newest durable one, were handed in; null before the first. */
  readonly newestStep: bigint | null;
  readonly newestDurableStep: bigint | null;
  /** Highest rung this process has archived. */
  readonly archivedRank: number;
  /** Asked before anything is copied. Null: too much is waiting already (BUSY); nothing has changed. */
  reserve(kind: CaptureKind): CaptureSlot | null;
  /** The newest capture that can be put back; its arrays are read only. */
  latest(): Promise<GroupCapture | null>;
};

export type CaptureSlot = {
  /** Hands out an older capture that nothing reads any more, so that its arrays may be written again; once each. */
  takeSpare(): GroupCapture | null;
  /**
   * Hands a capture over, arrays included. False: it is larger than what may wait; it was let go.
   * @param archiveRank rung whose archive this is, null for none
   */
  submit(capture: GroupCapture, archiveRank: number | null): boolean;
  /** Gives the place back unused. */
  release(): void;
};

/** Keeps the newest capture in memory and nothing else: for sessions without a store. */
export function createMemoryCaptures(): Captures {
  let latest: GroupCapture | null = null;
  let newestDurableStep: bigint | null = null;
  let archivedRank = -1;
  return {
    get newestStep() {
      return latest?.runSteps ?? null;
    },
    get newestDurableStep() {
      return newestDurableStep;
    },
    get archivedRank() {
      return archivedRank;
    },
    reserve: (kind) => ({
      takeSpare: () => null,
      submit(capture, archiveRank) {
        latest = capture;
        if (kind === 'durable') newestDurableStep = capture.runSteps;
        archivedRank = Math.max(archivedRank, archiveRank ?? -1);
        return true;
      },
      release: () => undefined,
    }),
    latest: () => Promise.resolve(latest),
  };
}
