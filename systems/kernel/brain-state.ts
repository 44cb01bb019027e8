import type { BrainState, PlasticityState } from '../../engine/contract/brain.ts';
import { DataError } from '../../engine/errors.ts';

export type BrainShape = {
  readonly neurons: number;
  readonly columns: number;
  /** Why the plasticity part would be refused, or null. */
  readonly plasticityFault: (state: PlasticityState) => string | null;
};

/** What a brain takes back. Without a plastic part the brain is untrained (spec: brain.md 6.6). */
export type RestorableState = Omit<BrainState, 'plasticity'> & { readonly plasticity?: PlasticityState | undefined };

/**
 * Checks everything a state must satisfy before the first byte of it is written (spec: brain.md 4.8, 6.6).
 * @throws DataError BRAIN_STATE naming the first field that does not fit
 */
export function checkBrainState(state: RestorableState, shape: BrainShape): void {
  const fault = stateFault(state, shape);
  if (fault !== null) {
    throw new DataError(
      'BRAIN_STATE',
      `the brain state has ${fault}; nothing was restored. Use a state of this brain.`,
    );
  }
}

function stateFault(state: RestorableState, { neurons, columns, plasticityFault }: BrainShape): string | null {
  for (const name of ['membrane', 'refractory', 'lastSpikeMs'] as const) {
    if (state[name].length !== neurons)
      return `${state[name].length} ${name} entries, this brain has ${neurons} neurons`;
  }
  if (state.visualDrive.length !== columns) {
    return `${state.visualDrive.length} visualDrive entries, this brain has ${columns} columns`;
  }
  if (!Number.isSafeInteger(state.ms) || state.ms < 0) return `ms ${state.ms}`;
  if (!Number.isInteger(state.rng)) return `rng ${state.rng}`;
  if (!Number.isFinite(state.populationRate)) return `populationRate ${state.populationRate}`;
  if (!Number.isFinite(state.rewardRemaining) || state.rewardRemaining < 0) {
    return `rewardRemaining ${state.rewardRemaining}`;
  }
  for (const [role, rate] of Object.entries(state.rates)) if (!Number.isFinite(rate)) return `rate ${rate} of ${role}`;
  for (const name of ['membrane', 'lastSpikeMs', 'visualDrive'] as const) {
    const bad = firstNonFinite(state[name]);
    if (bad >= 0) return `${name} ${state[name][bad]} at ${bad}`;
  }
  return state.plasticity === undefined ? null : plasticityFault(state.plasticity);
}

function firstNonFinite(values: Float32Array | Float64Array): number {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return i;
  return -1;
}
