/** Counters an agent gathers over a run. Saved; shown and summed up, never read by a decision. */
export type Tally = {
  /** Spikes of the newest transition. */
  readonly spikes: Uint32Array;
  /** Spikes since the run began; exact up to 2^53. */
  readonly spikesTotal: Float64Array;
  /** Sum of rewards since the run began. */
  readonly rewardTotal: Float64Array;
  readonly rewards: Float64Array;
  /** Reinforcement calls while learning was on, zero sums included (spec: session.md 9.5). */
  readonly reinforcements: Float64Array;
  /** Presses: a button going down. */
  readonly presses: Float64Array;
};

export function createTally(capacity: number): Tally {
  return {
    spikes: new Uint32Array(capacity),
    spikesTotal: new Float64Array(capacity),
    rewardTotal: new Float64Array(capacity),
    rewards: new Float64Array(capacity),
    reinforcements: new Float64Array(capacity),
    presses: new Float64Array(capacity),
  };
}
