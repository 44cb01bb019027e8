import { expect, onTestFinished, test } from 'vitest';
import type { Brain } from '../../../engine/contract/brain.ts';
import { createBrainHost } from '../../../systems/kernel/brain-host.ts';
import type { BrainHost } from '../../../systems/kernel/brain-host.ts';
import { createReferenceBrain } from '../../../systems/kernel/reference.ts';
import { noiseFrames, syntheticConnectome, toyGConnectome } from './test-graphs.ts';
import { expectSameState } from './test-kernels.ts';

const CONNECTOME = syntheticConnectome();
const FRAMES = noiseFrames(4_242, 4);

function openHost(flies: number, connectome = CONNECTOME): BrainHost {
  const host = createBrainHost(connectome, { flies });
  onTestFinished(() => host.close());
  return host;
}

/** Warm-up, then transitions in the session's order (spec: brain.md 9.2, session.md 7). */
async function play(brain: Brain, transitions: number): Promise<number> {
  brain.setLearning(false);
  let spikes = await brain.advance(100);
  brain.setLearning(true);
  for (let frame = 0; frame < transitions; frame++) {
    if (frame % 7 === 3) brain.stimulate(40);
    spikes += await brain.advance(16 + (frame & 1));
    brain.installFrame(FRAMES[frame % 4]!, 160, 144);
    if (frame % 5 === 0) brain.reinforce(frame % 10 === 0 ? 1 : -0.25);
  }
  return spikes;
}

test.each([1, 2, 3, 4])('%i flies on one memory, each in its thread, play like the reference', async (flies) => {
  const host = openHost(flies);
  const seeds = [22_222, -184946063, 535504990, -1247653395].slice(0, flies);
  const results = await Promise.all(
    seeds.map(async (seed, index) => {
      const brain = await host.openBrain({ agentId: `fly-${index}`, seed });
      const spikes = await play(brain, 30);
      return { brain, spikes };
    }),
  );
  for (const [index, seed] of seeds.entries()) {
    const reference = createReferenceBrain({ agentId: 'oracle', seed, connectome: CONNECTOME });
    const { brain, spikes } = results[index]!;
    expect(spikes).toBe(await play(reference, 30));
    expectSameState(brain.exportState(), reference.exportState());
    expect(brain.spikeBits).toStrictEqual(reference.spikeBits);
    expect(brain.rates).toStrictEqual(reference.rates);
    expect(brain.kernelVersion).toBe(reference.kernelVersion);
  }
});

test('a brain stepped in its thread equals one stepped inline, through a restore in the middle', async () => {
  const host = openHost(2);
  const threaded = await host.openBrain({ agentId: 'threaded', seed: 7, thread: 'worker' });
  const inline = await host.openBrain({ agentId: 'inline', seed: 7, thread: 'inline' });
  await play(threaded, 9);
  inline.importState(threaded.exportState());
  expect(await play(threaded, 9)).toBe(await play(inline, 9));
  expectSameState(threaded.exportState(), inline.exportState());
});

test('flies with different constants and populations share one host', async () => {
  const host = openHost(1);
  const parameters = { refractoryMs: 4, rateRoles: ['mbon'], plasticity: { budget: 100 } };
  const plain = await host.openBrain({ agentId: 'plain', seed: 3, thread: 'inline' });
  const other = await host.openBrain({ agentId: 'other', seed: 3, parameters, thread: 'inline' });
  const reference = createReferenceBrain({ agentId: 'oracle', seed: 3, connectome: CONNECTOME, parameters });
  await Promise.all([play(plain, 5), play(other, 5), play(reference, 5)]);
  expectSameState(other.exportState(), reference.exportState());
  expect(plain.learning().synapses).toBe(4_414);
  expect(other.learning().synapses).toBe(100);
});

test('spike bits are the union over the ticks of the last advance', async () => {
  const brain = await openHost(1, toyGConnectome()).openBrain({ agentId: 'fly-a', seed: 22_222, thread: 'inline' });
  await brain.advance(300);
  expect([...brain.spikeBits]).toEqual([0b1111]);
  await brain.advance(0);
  expect([...brain.spikeBits]).toEqual([0]);
});

test('while an advance is pending every other call is refused', async () => {
  const brain = await openHost(1).openBrain({ agentId: 'fly-a', seed: 1 });
  const pending = brain.advance(50);
  for (const call of [
    () => brain.stimulate(1),
    () => brain.reinforce(1),
    () => brain.exportState(),
    () => brain.installFrame(FRAMES[0]!, 160, 144),
    () => brain.setLearning(false),
    () => brain.clearEligibility(),
    () => brain.ticks(),
  ]) {
    expect(call).toThrow(expect.objectContaining({ code: 'BRAIN_BUSY' }));
  }
  await expect(brain.advance(1)).rejects.toThrow(expect.objectContaining({ code: 'BRAIN_BUSY' }));
  await pending;
  expect(brain.ticks()).toBe(50);
});

test('a brain closed while it advances rejects with its name, and later calls are refused', async () => {
  const brain = await openHost(1).openBrain({ agentId: 'fly-a', seed: 1 });
  const pending = brain.advance(1_000_000);
  const rejection = expect(pending).rejects.toThrow(/^fly-a: the brain thread ended/);
  await brain.close();
  await rejection;
  expect(() => brain.ticks()).toThrow(expect.objectContaining({ code: 'BRAIN_CLOSED' }));
});

test('fractions of a millisecond and of a tick are refused (spec: brain.md 4.7)', async () => {
  const brain = await openHost(1).openBrain({ agentId: 'fly-a', seed: 1, thread: 'inline' });
  for (const ms of [2.5, -1, NaN]) {
    expect(() => brain.stimulate(ms)).toThrow(expect.objectContaining({ code: 'STIMULUS_MS' }));
  }
  await expect(brain.advance(1.5)).rejects.toMatchObject({ code: 'BRAIN_TICKS' });
});

test('an export writes the arrays of a spare again, and allocates where one was given away', async () => {
  const brain = await openHost(1).openBrain({ agentId: 'fly-a', seed: 1, thread: 'inline' });
  await play(brain, 5);
  const spare = brain.exportState();
  await play(brain, 5);
  structuredClone(spare.membrane, { transfer: [spare.membrane.buffer as ArrayBuffer] });
  const again = brain.exportState(spare);
  expect(again.lastSpikeMs).toBe(spare.lastSpikeMs);
  expect(again.membrane).not.toBe(spare.membrane);
  expectSameState(again, brain.exportState());
});

test('a closed brain leaves its memory to the next one, which starts fresh', async () => {
  const host = openHost(1);
  const first = await host.openBrain({ agentId: 'first', seed: 5, thread: 'inline' });
  const usedBytes = host.usedBytes();
  await play(first, 5);
  await first.close();
  const second = await host.openBrain({ agentId: 'second', seed: 5, thread: 'inline' });
  const reference = createReferenceBrain({ agentId: 'oracle', seed: 5, connectome: CONNECTOME });
  expect(host.usedBytes()).toBe(usedBytes);
  expectSameState(second.exportState(), reference.exportState());
  expect(await play(second, 5)).toBe(await play(reference, 5));
  expectSameState(second.exportState(), reference.exportState());
});
