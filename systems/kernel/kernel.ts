import type { BrainState, LearningStatistics, StimulusKind } from '../../engine/contract/brain.ts';
import type { RestorableState } from './brain-state.ts';

/**
 * One brain's arithmetic without threads: the synchronous core behind the `Brain` contract. The reference and the
 * compiled kernel both have this shape and stay equal bit for bit.
 */
export type Kernel = {
  readonly neuronCount: number;
  readonly kernelVersion: string;
  readonly plasticityVersion: string;
  readonly rateRoles: readonly string[];
  readonly supportedStimuli: readonly StimulusKind[];
  /** Live, spikes per second, `rateRoles` order. */
  readonly rates: Float64Array;
  /** Live, bit i = neuron i spiked during the last `step`. */
  readonly spikeBits: Uint8Array;
  /** Live, one per retina column. */
  readonly visualDrive: Float32Array;
  ticks(): number;
  populationRateHz(): number;
  stimulusRemainingMs(): number;
  learning(): LearningStatistics;
  isLearning(): boolean;
  /** Runs `ticks` neural ticks; returns the spikes of all of them. */
  step(ticks: number): number;
  installFrame(rgba: Uint8Array, widthPx: number, heightPx: number): void;
  stimulate(ms: number): void;
  reinforce(reward: number): void;
  setLearning(enabled: boolean): void;
  clearEligibility(): void;
  exportState(spare?: BrainState): BrainState;
  /** @throws DataError BRAIN_STATE; nothing has changed then */
  importState(state: RestorableState): void;
};
