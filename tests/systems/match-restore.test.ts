import { expect, test } from 'vitest';
import { decoderPreset } from '../../systems/readout/presets.ts';
import { resumeSession } from '../../systems/session/recover-session.ts';
import { taskModule as arenaTask } from '../../systems/task/arena/task.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { plainSteps, stateOf } from '../fixture/match-state.ts';
import { matchStores, saveNow } from '../fixture/match-store.ts';
import type { MatchStore } from '../fixture/match-store.ts';
import { openTestMatch } from '../fixture/test-match.ts';
import type { TestMatch, TestMatchOptions } from '../fixture/test-match.ts';
import { openTestArena } from './environment/arena/arena-controls.ts';

const newStore = matchStores();
const open = closedAfterEach(openTestMatch);

type Place = () => TestMatchOptions;

const PLACES: readonly [string, Place][] = [
  ['two flies in the counter world', () => ({ flies: 2 })],
  ['four flies in the counter world', () => ({ flies: 4 })],
  ['two flies in the arena', () => arena(2)],
  ['three flies in the arena', () => arena(3)],
];

test.each(PLACES)(
  'PER-01 %s resumed from the store repeat the uninterrupted match (session.md 16)',
  async (_, place) => {
    const store = newStore();
    const whole = await open(place());
    await whole.run(300);

    const first = await open(place());
    store.take(first);
    await first.run(137);
    await saveNow(first, 'shutdown');
    await first.close();

    const second = await resume(store, place());
    expect(stateOf(second)).not.toEqual(stateOf(whole));
    await second.run(300 - 137);
    expect(plainSteps(second.steps)).toEqual(whole.steps.slice(137));
    expect(stateOf(second)).toEqual(stateOf(whole));
    expect(second.world.phase.epoch).toBe('e2');
  },
);

test.each(PLACES)('PER-01 %s recovered from a lost fly repeat the uninterrupted match', async (_, place) => {
  const whole = await open(place());
  await whole.run(180);
  const match = await open({ ...place(), recovery: {} });
  await match.run(60);
  await saveNow(match);
  await match.run(70);
  const last = match.world.handles.brains.length - 1;
  const lost = match.world.handles.brains[last]!;
  match.world.handles.brains[last] = { ...lost, reinforce: () => fail() };
  await match.run(50);
  expect(stateOf(match)).toEqual(stateOf(whole));
  const restored = match.lifecycle.filter((event) => event.kind === 'restored');
  expect(restored).toMatchObject([{ from: 'capture', step: 60n, abandonedSteps: 70n, epoch: 'e2' }]);
});

test('PER-01 flies of unequal seeds, gains and rewards come back to themselves, not to one another', async () => {
  const store = newStore();
  const match = await open({
    flies: 4,
    outcome: (_, plain) => ({
      ...plain,
      agents: plain.agents.map((_agent, i) => ({ rewards: [{ ruleId: 'own', value: i }], stimulationsMs: [10 * i] })),
    }),
  });
  store.take(match);
  await match.run(90);
  await saveNow(match);
  const resumed = await resume(store, { flies: 4 });
  const { brains } = resumed.world.handles;
  const seeds = brains.map((brain) => brain.seed);
  expect(new Set(seeds).size).toBe(4);
  expect(seeds).toEqual(match.world.handles.brains.map((brain) => brain.seed));
  const states = brains.map((brain) => brain.exportState());
  expect(states).toEqual(match.world.handles.brains.map((brain) => brain.exportState()));
  for (const field of ['membrane', 'rng', 'lastSpikeMs'] as const) {
    expect(new Set(states.map((state) => JSON.stringify(state[field]))).size, field).toBe(4);
  }
  const { Tally } = resumed.world.stores;
  expect(resumed.world.agents.map((agent) => Tally.rewardTotal[agent])).toEqual([0, 90, 180, 270]);
});

function arena(flies: number): TestMatchOptions {
  const environment = openTestArena(flies);
  const { contentDigest } = environment.descriptor;
  const task = arenaTask.create({ agentCount: flies, contentDigest });
  return { flies, place: { environment, task, decoder: decoderPreset(arenaTask.decoderPreset) } };
}

function resume(store: MatchStore, options: TestMatchOptions): Promise<TestMatch> {
  return open({
    ...options,
    begin: (world) => resumeSession(world, store.candidates(world), () => undefined),
  });
}

function fail(): never {
  throw new Error('the fault');
}
