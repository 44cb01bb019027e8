/**
 * The last step in which each entity passed a point of the transaction. A second pass in the same step is a conflict,
 * never a repeated tick, input or reward (spec: session.md 5).
 */
export type StepStamp = {
  readonly prepared: BigInt64Array;
  readonly advanced: BigInt64Array;
  readonly evaluated: BigInt64Array;
  readonly committed: BigInt64Array;
};

/** No step yet. */
export const NEVER = -1n;

export function createStepStamp(capacity: number): StepStamp {
  const stamps = {
    prepared: new BigInt64Array(capacity),
    advanced: new BigInt64Array(capacity),
    evaluated: new BigInt64Array(capacity),
    committed: new BigInt64Array(capacity),
  };
  for (const stamp of Object.values(stamps)) stamp.fill(NEVER);
  return stamps;
}
