import { expect, test } from 'vitest';
import { measureActivity } from '../../../../../systems/kernel/connectome/compare/measure-activity.ts';
import { createReferenceKernel } from '../../../../../systems/kernel/reference.ts';
import { syntheticConnectome, toyGConnectome } from '../../test-graphs.ts';

test('the toy saturates: each neuron spikes every third tick, 333.3 Hz (brain.md 15, S1)', async () => {
  const activity = await measureActivity(toyGConnectome(), { warmupTicks: 99, measuredTicks: 1_000 });
  expect(activity.measuredTicks).toBe(1_002);
  expect(activity.populationHz).toBeCloseTo(1_000 / 3, 10);
  expect(activity.activeShare).toBe(1);
  expect(activity.groups.map(({ name }) => name)).toEqual(['kenyon', 'mbon', 'motor', 'reward_pam']);
  for (const { hz } of activity.groups) expect(hz).toBeCloseTo(1_000 / 3, 10);
});

test('rates are spikes counted, population by population, as the reference kernel counts them', async () => {
  const connectome = syntheticConnectome();
  const activity = await measureActivity(connectome, { seed: 5, warmupTicks: 60, measuredTicks: 60 });
  const reference = createReferenceKernel({ seed: 5, connectome });
  reference.setLearning(false);
  reference.installFrame(new Uint8Array(160 * 144 * 4).fill(128), 160, 144);
  reference.step(60);
  const counts = new Uint32Array(connectome.neurons);
  for (let tick = 0; tick < 60; tick++) {
    reference.step(1);
    for (let i = 0; i < counts.length; i++) if ((reference.spikeBits[i >> 3]! >> (i & 7)) & 1) counts[i]!++;
  }
  for (const { name, neurons, hz } of activity.groups) {
    const members = connectome.roles.get(name)!;
    const spikes = members.reduce((sum, neuron) => sum + counts[neuron]!, 0);
    expect([name, neurons, hz]).toEqual([name, members.length, (spikes * 1_000) / 60 / members.length]);
  }
  expect(activity.populationHz).toBe((counts.reduce((sum, count) => sum + count) * 1_000) / 60 / counts.length);
});
