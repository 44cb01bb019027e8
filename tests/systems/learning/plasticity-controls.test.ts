import { expect, test } from 'vitest';
import type { Brain } from '../../../engine/contract/brain.ts';
import { createReferenceBrain } from '../../../systems/kernel/reference.ts';
import { freezeLearning, shuffleRewardSigns } from '../../../systems/learning/plasticity-controls.ts';
import { syntheticConnectome } from '../kernel/test-graphs.ts';
import { expectSameState } from '../kernel/test-kernels.ts';

const CONNECTOME = syntheticConnectome();

function open(): Brain {
  return createReferenceBrain({ agentId: 'fly-a', seed: 22_222, connectome: CONNECTOME });
}

test('a frozen brain spikes like one whose learning is off and never moves a gain', async () => {
  const frozen = freezeLearning(open());
  const off = open();
  off.setLearning(false);
  for (const brain of [frozen, off]) {
    await brain.advance(200);
    if (brain === frozen) brain.setLearning(true);
    brain.reinforce(1);
    await brain.advance(100);
  }
  expect(frozen.learning()).toMatchObject({ enabled: false, updates: 0, changed: 0 });
  expectSameState(frozen.exportState(), off.exportState());
});

test('a frozen brain stays frozen after a restore of a learning one', () => {
  const frozen = freezeLearning(open());
  frozen.importState(open().exportState());
  expect(frozen.learning().enabled).toBe(false);
});

test('shuffled rewards keep their size, flip about half of the signs and do so again after a restore', () => {
  const rewards: number[] = [];
  const inner: Brain = { ...open(), reinforce: (reward) => rewards.push(reward) };
  const shuffled = shuffleRewardSigns(inner, 7);
  const start = inner.exportState();
  for (let ms = 0; ms < 4_000; ms++) {
    inner.importState({ ...start, ms });
    shuffled.reinforce(0.75);
  }
  const flipped = rewards.filter((reward) => reward < 0).length;
  expect(rewards.every((reward) => Math.abs(reward) === 0.75)).toBe(true);
  // 4,000 fair coins leave 1,800..2,200 once in 3e9 runs
  expect(flipped).toBeGreaterThan(1_800);
  expect(flipped).toBeLessThan(2_200);

  const again = rewards.splice(0);
  for (let ms = 0; ms < 4_000; ms++) {
    inner.importState({ ...start, ms });
    shuffled.reinforce(0.75);
  }
  expect(rewards).toEqual(again);
});
