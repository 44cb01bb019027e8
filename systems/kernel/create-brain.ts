import type { Brain } from '../../engine/contract/brain.ts';
import { InvariantError } from '../../engine/errors.ts';
import type { Kernel } from './kernel.ts';

export type BrainParts = {
  readonly agentId: string;
  readonly seed: number;
  readonly kernel: Kernel;
  /** Steps the kernel, here or in another thread. */
  readonly advance: (ticks: number) => Promise<number>;
  readonly close: () => Promise<void>;
};

/**
 * The `Brain` contract over a kernel: one advance at a time, and nothing else while it runs.
 * @throws InvariantError BRAIN_BUSY, BRAIN_CLOSED, BRAIN_TICKS, STIMULUS_MS from the methods
 */
export function createBrain({ agentId, seed, kernel, advance, close }: BrainParts): Brain {
  let isBusy = false;
  let isClosed = false;

  function claim(): Kernel {
    if (isClosed) throw new InvariantError('BRAIN_CLOSED', `${agentId}: this brain is closed; open another one.`);
    if (isBusy) {
      throw new InvariantError('BRAIN_BUSY', `${agentId}: an advance is pending; await it before any other call.`);
    }
    return kernel;
  }

  return {
    agentId,
    seed,
    neuronCount: kernel.neuronCount,
    kernelVersion: kernel.kernelVersion,
    plasticityVersion: kernel.plasticityVersion,
    rateRoles: kernel.rateRoles,
    supportedStimuli: kernel.supportedStimuli,
    rates: kernel.rates,
    spikeBits: kernel.spikeBits,
    visualDrive: kernel.visualDrive,
    ticks: () => claim().ticks(),
    populationRateHz: () => claim().populationRateHz(),
    stimulusRemainingMs: () => claim().stimulusRemainingMs(),
    learning: () => claim().learning(),
    isLearning: () => claim().isLearning(),
    async advance(ticks) {
      claim();
      if (!Number.isInteger(ticks) || ticks < 0 || ticks > 2 ** 31 - 1) {
        throw new InvariantError('BRAIN_TICKS', `${agentId}: cannot advance ${ticks} ticks; pass a whole number.`);
      }
      isBusy = true;
      try {
        return await advance(ticks);
      } finally {
        isBusy = false;
      }
    },
    installFrame: (rgba, widthPx, heightPx) => claim().installFrame(rgba, widthPx, heightPx),
    stimulate(ms) {
      // a fraction would leave the counter below zero, a state the brain refuses to restore (spec: brain.md 4.7)
      if (!Number.isSafeInteger(ms) || ms < 0) {
        throw new InvariantError('STIMULUS_MS', `${agentId}: cannot stimulate ${ms} ms; pass whole milliseconds.`);
      }
      claim().stimulate(ms);
    },
    reinforce: (rewardSum) => claim().reinforce(rewardSum),
    setLearning: (enabled) => claim().setLearning(enabled),
    clearEligibility: () => claim().clearEligibility(),
    exportState: (spare) => claim().exportState(spare),
    importState: (state) => claim().importState(state),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await close();
    },
  };
}
