import type { Brain } from '../../engine/contract/brain.ts';
import { nextXorshift } from '../kernel/xorshift.ts';

/**
 * A control that never learns: eligibility and gains stay as they are from now on, whatever the session switches on or
 * rewards. The neurons behave as in the brain it wraps.
 */
export function freezeLearning(brain: Brain): Brain {
  brain.setLearning(false);
  return withOverrides(brain, {
    setLearning: () => brain.setLearning(false),
    importState(state) {
      brain.importState({ ...state, plasticity: { ...state.plasticity, enabled: false } });
    },
  });
}

/**
 * A control that is rewarded as often and as strongly, but with a coin-flip sign: what remains is not learnt from the
 * reward. The coin of a reward depends on the seed and the brain's clock alone, so a restored run flips the same way.
 */
export function shuffleRewardSigns(brain: Brain, shuffleSeed: number): Brain {
  return withOverrides(brain, {
    reinforce: (rewardSum) => brain.reinforce(rewardSum * rewardSign(shuffleSeed, brain.ticks())),
  });
}

function rewardSign(shuffleSeed: number, ticks: number): number {
  const mixed = nextXorshift(nextXorshift(Math.imul(ticks + 1, 0x9e37_79b1) ^ shuffleSeed) || 1);
  return (mixed >>> 16) & 1 ? 1 : -1;
}

function withOverrides(brain: Brain, overrides: Partial<Brain>): Brain {
  return { ...brain, ...overrides };
}
