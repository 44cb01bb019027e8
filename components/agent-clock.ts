/** How far each agent's brain has run. One entry per entity; saved in every checkpoint. */
export type AgentClock = {
  /** Neural ticks executed since the brain was built, warm-up included. One tick is 1 ms. */
  readonly ticks: BigUint64Array;
  /** World time owed but not yet ticked, in `Cadence` units. Always less than one tick. */
  readonly owed: BigUint64Array;
  /** Ticks of the warm-up, a constant lead of the brain over the world. */
  readonly warmupTicks: BigUint64Array;
};

export function createAgentClock(capacity: number): AgentClock {
  return {
    ticks: new BigUint64Array(capacity),
    owed: new BigUint64Array(capacity),
    warmupTicks: new BigUint64Array(capacity),
  };
}
