import type { Progress, TaskEvent } from '../contract/task.ts';

export type SessionStatus = 'booting' | 'running' | 'paused' | 'recovering' | 'error';

/** One committed boundary (spec: feed-control.md 6.3). Binary parts travel as attachments, see `wire.ts`. */
export type Snapshot = {
  readonly type: 'snapshot';
  readonly revision: number;
  readonly sessionId: string;
  readonly epoch: string;
  /** Boundary k, decimal. */
  readonly step: string;
  /** Grows by one per publication of this process. */
  readonly sequence: number;
  readonly status: SessionStatus;
  /** One plain sentence when the status is not `running`, else empty. */
  readonly statusReason: string;
  readonly wallMs: number;
  /** World time since the episode began, ms. The media clock: pictures and sound are placed by it. */
  readonly worldMs: number;
  /** Simulated time of the whole run, continuous over restores, seconds. */
  readonly runSeconds: number;
  /** Simulated ms per wall ms over the last second. */
  readonly realTimeFactor: number;
  readonly lagMs: number;
  readonly agents: readonly AgentSnapshot[];
  readonly progress: Progress;
  /** Simulated seconds since the rank last rose. */
  readonly rungSeconds: number;
  readonly sugar: SugarState;
  readonly chat: readonly ChatLine[];
  /** Events since the previous snapshot, oldest first, at most 64. */
  readonly events: readonly ShownEvent[];
  /** Events this reader never gets: so many were before the first of `events` and after what it got before. */
  readonly droppedBefore: number;
  /**
   * The picture or the sound of this boundary does not continue what came before (restore, rollback, episode, sound this
   * reader lost): what is buffered is of before the jump, and everything attached is behind it.
   */
  readonly discontinuity: boolean;
};

/** Names the timeline of a boundary: nothing buffered of another one goes together with it. */
export function timelineOf({ epoch, revision }: Pick<Snapshot, 'epoch' | 'revision'>): string {
  return `${revision} ${epoch}`;
}

export type AgentSnapshot = {
  readonly brainMs: number;
  readonly populationRateHz: number;
  /** `rateRoles` order. */
  readonly ratesHz: readonly number[];
  /** Decoder score per channel, descriptor order; null before calibration. */
  readonly scores: readonly number[] | null;
  /** The newest decisions: evenness of the winners in bits; `frozen` once the scores keep one order (brain.md 14.8). */
  readonly choices: { readonly entropyBits: number; readonly frozen: boolean };
  readonly spikeCount: number;
  readonly learning: LearningTelemetry;
  readonly stimulusRemainingMs: number;
  /** Channels that were held in the transition that ended here; null exactly at boundary 0. */
  readonly decision: readonly string[] | null;
  /**
   * Buttons that were down in the transition that ended here, port order, as applied to the world; all released when the
   * world was set back at this boundary; null exactly at boundary 0.
   */
  readonly appliedButtons: readonly boolean[] | null;
  readonly appliedAxes: readonly number[] | null;
  readonly rewardTotal: number;
};

/** Spec: session.md 9.5, feed-control.md 6.3. Counts are of the whole run. */
export type LearningTelemetry = {
  readonly enabled: boolean;
  /** Reinforcement calls while learning was on, zero sums included: one per step. */
  readonly updates: number;
  /** Those of them that moved at least one synapse; never more than `updates`. */
  readonly changed: number;
  /** tanh of the newest reward sum that was not 0. */
  readonly signal: number;
  /** Synapses that can learn. */
  readonly synapses: number;
  /** Of them, those that stand off their first strength now. */
  readonly synapsesMoved: number;
};

export type SugarState = {
  readonly active: boolean;
  readonly remainingMs: number;
  /** Wait until another pulse is admitted, ms; 0 while the budget lasts. */
  readonly cooldownMs: number;
  /** Length of the sliding window the cooldown belongs to, ms. */
  readonly windowMs: number;
  readonly lastBy: string | null;
  readonly todayCount: number;
};

export type ChatLine = { readonly id: number; readonly by: string; readonly text: string; readonly bot: boolean };

export type ShownEvent = Omit<TaskEvent, 'kind'> & {
  /** Grows over the whole run. */
  readonly id: number;
  readonly wallMs: number;
  readonly brainMs: number;
  readonly kind: TaskEvent['kind'] | 'sugar' | 'operator' | 'checkpoint';
};

/** What is happening while no world commits. Replaces the picture with the starting scene. */
export type Starting = {
  readonly type: 'starting';
  readonly showWordmark: string;
  readonly release: string;
  /** e.g. `GROWING A BRAIN`; at most 24 characters. */
  readonly headline: string;
  /** Real counts; `total` 0 hides the bar. */
  readonly done: number;
  readonly total: number;
  /** How much of the brain exists, 0 to 1: drawn in colour, the rest as a grey ghost. */
  readonly grownShare: number;
  /** One line under the bar, e.g. `neurons placed, 1.7 M of 2.7 M connections drawn, seed 1`. */
  readonly line: string;
  /** e.g. `grown twin, not a measured wiring`. */
  readonly originLine: string;
  readonly steps: readonly {
    readonly label: string;
    readonly state: 'done' | 'running' | 'waiting' | 'failed';
    readonly detail: string;
  }[];
  /** The run that was sealed before this start: its wordmark, its last boundary (decimal) and its checkpoint's name. */
  readonly sealed?: { readonly showWordmark: string; readonly step: string; readonly checkpoint: string } | null;
  /** What comes, as a viewer may know it. */
  readonly next?: { readonly name: string } | null;
};
