/**
 * Length of one world step and of one neural tick in a common unit, so that dividing them is exact: with a step of
 * n/d nanoseconds the unit is 1/d ns, a step is n units and a 1 ms tick 1,000,000 * d units (spec: session.md 4).
 */
export type Cadence = { readonly step: BigUint64Array; readonly tick: BigUint64Array };

export function createCadence(capacity: number): Cadence {
  return { step: new BigUint64Array(capacity), tick: new BigUint64Array(capacity) };
}
