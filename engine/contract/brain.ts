/**
 * One fly's brain as the session sees it. Its state lives in memory shared with one worker thread; while `advance` is
 * pending nothing else may be called. Every other call is synchronous and happens at a committed boundary.
 * Order within a transition (spec: session.md 7): stimulate, advance, [decode elsewhere], installFrame, stimulate,
 * reinforce.
 */
export type Brain = {
  readonly agentId: string;
  readonly seed: number;
  readonly neuronCount: number;
  /** Spec brain.md 4.9, e.g. `lif-1ms-f64-v2:9b0f15e3`. */
  readonly kernelVersion: string;
  readonly plasticityVersion: string;
  /** Names of tracked rates, in telemetry order, at most 64 (spec: brain.md 4.5). */
  readonly rateRoles: readonly string[];
  /** What `stimulate` can reach; empty when the connectome names no reward neuron. */
  readonly supportedStimuli: readonly StimulusKind[];
  /** Spikes per second per tracked role, `rateRoles` order. A live view; valid between advances. */
  readonly rates: Float64Array;
  /** Bit i (byte i >> 3, mask 1 << (i & 7)) = neuron i spiked during the last `advance`. A live view. */
  readonly spikeBits: Uint8Array;
  /** Light drive per retina column, per tick, column order. A live view, written by `installFrame`. */
  readonly visualDrive: Float32Array;
  /** Neural ticks executed since the brain was built, warm-up included. One tick is 1 ms. */
  ticks(): number;
  populationRateHz(): number;
  /** Milliseconds left of the running stimulation pulse, 0 when none. */
  stimulusRemainingMs(): number;
  /** Looks at every gain; for telemetry, not for the tick. */
  learning(): LearningStatistics;
  /** The switch alone; costs nothing. */
  isLearning(): boolean;

  /**
   * Runs exactly `ticks` neural ticks and returns how many spikes there were.
   * @throws InvariantError BRAIN_BUSY when one is pending; DeviceError BRAIN_DEAD when the worker ended
   */
  advance(ticks: number): Promise<number>;
  /** Projects one RGBA picture on the retina columns; seen from the next tick on (spec: brain.md 4.6). */
  installFrame(rgba: Uint8Array, widthPx: number, heightPx: number): void;
  /** Drives the reward population for `ms` whole milliseconds; overlapping pulses take the longer (brain.md 4.7). */
  stimulate(ms: number): void;
  /** One dopamine-gated weight update with the summed reward of a transition (brain.md 6.5). */
  reinforce(rewardSum: number): void;
  /** Learning on or off. Off is a declared state: observe and reinforce then change nothing. */
  setLearning(enabled: boolean): void;
  /** Drops all eligibility after a discontinuity; gains stay (brain.md 6.6). */
  clearEligibility(): void;
  /**
   * Copies everything brain.md 4.8 exports, plasticity included.
   * @param spare an exported state nobody reads any more: its arrays are written again where they fit
   */
  exportState(spare?: BrainState): BrainState;
  /** Validates all, then writes all. @throws DataError BRAIN_STATE; nothing has changed then */
  importState(state: BrainState): void;
  close(): Promise<void>;
};

/** A pulse on the reward population: sugar, and a task's rewards. The only kind there is (spec: session.md 3.1). */
export type StimulusKind = 'reward-pulse';

/** Of the brain itself (spec: brain.md 6.6); what is published is `LearningTelemetry`. */
export type LearningStatistics = {
  readonly enabled: boolean;
  readonly synapses: number;
  /** Reinforcements that moved at least one gain. */
  readonly updates: number;
  /** Gains that are off 1 now. */
  readonly changed: number;
  readonly meanChange: number;
  readonly maxChange: number;
  readonly signal: number;
};

/** brain.md 4.8 and 10.1, field for field. Arrays are copies the receiver owns. */
export type BrainState = {
  readonly membrane: Float32Array;
  readonly refractory: Uint8Array;
  readonly lastSpikeMs: Float64Array;
  readonly visualDrive: Float32Array;
  readonly rng: number;
  readonly rewardRemaining: number;
  readonly ms: number;
  readonly populationRate: number;
  readonly rates: Readonly<Record<string, number>>;
  readonly plasticity: PlasticityState;
};

export type PlasticityState = {
  readonly version: string;
  readonly topology: number;
  readonly enabled: boolean;
  readonly updates: number;
  readonly signal: number;
  readonly gains: Float32Array;
  readonly traces: Float32Array;
  readonly touched: Float64Array;
};
