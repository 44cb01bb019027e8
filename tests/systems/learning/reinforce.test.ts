import { expect, test } from 'vitest';
import type { LearningTelemetry } from '../../../engine/replica/snapshot.ts';
import { reinforce } from '../../../systems/learning/reinforce.ts';
import { closedAfterEach } from '../../fixture/closed-after-each.ts';
import { openTestMatch } from '../../fixture/test-match.ts';
import type { TestMatch, TestMatchOptions } from '../../fixture/test-match.ts';

const open = closedAfterEach((options?: TestMatchOptions) => openTestMatch({ flies: 1, ...options }));

test('SCH-14 ten calls with a sum of zero and ten with a reward are twenty updates, at most ten of which moved a gain (session.md 9.5)', async () => {
  let value = 0;
  const match = await open({ outcome: rewarding(() => value) });
  await match.run(10);
  expect(published(match)).toMatchObject({ enabled: true, updates: 10, changed: 0, synapsesMoved: 0 });
  value = 1;
  await match.run(10);
  // brain.md 6.5: every rewarded call of these flies finds a trace to turn into a gain
  expect(published(match)).toMatchObject({ enabled: true, updates: 20, changed: 10 });
  expect(published(match).synapsesMoved).toBeGreaterThan(10);
  expect(published(match).synapsesMoved).toBeLessThanOrEqual(published(match).synapses);
});

test('SCH-14 with learning off nothing counts, and what was counted stays (session.md 9.5)', async () => {
  const match = await open({ outcome: rewarding(() => 1) });
  await match.run(5);
  match.world.handles.brains[0]!.setLearning(false);
  await match.run(7);
  expect(published(match)).toMatchObject({ enabled: false, updates: 5, changed: 5 });
  match.world.handles.brains[0]!.setLearning(true);
  await match.run(1);
  expect(published(match)).toMatchObject({ enabled: true, updates: 6, changed: 6 });
});

test('each fly counts its own calls: one that does not learn leaves the other alone', async () => {
  const match = await open({ flies: 2, outcome: rewarding(() => 1) });
  match.world.handles.brains[0]!.setLearning(false);
  await match.run(4);
  expect(match.devices.publisher.latest!.agents.map(({ learning }) => [learning.updates, learning.changed])).toEqual([
    [0, 0],
    [4, 4],
  ]);
});

test('counting looks at no gain: the tick asks for the switch alone', async () => {
  const match = await open({});
  await match.run(3);
  const { agents, handles, stores } = match.world;
  handles.brains[0] = {
    ...handles.brains[0]!,
    learning: () => {
      throw new Error('every gain was looked at');
    },
  };
  reinforce(match.world);
  expect(stores.Tally.reinforcements[agents[0]!]).toBe(4);
});

/** The same single reward for everybody in every step. */
function rewarding(value: () => number): NonNullable<TestMatchOptions['outcome']> {
  return (_, plain) => ({
    ...plain,
    agents: plain.agents.map(() => ({ rewards: [{ ruleId: 'rule', value: value() }], stimulationsMs: [] })),
  });
}

function published({ devices }: TestMatch): LearningTelemetry {
  return devices.publisher.latest!.agents[0]!.learning;
}
