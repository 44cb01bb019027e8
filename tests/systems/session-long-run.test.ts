import { afterEach, expect, test } from 'vitest';
import type { BrainState } from '../../engine/contract/brain.ts';
import type { AgentSnapshot, Snapshot } from '../../engine/replica/snapshot.ts';
import { bootSession } from '../../systems/session/boot-session.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { openTestSession } from '../fixture/test-session.ts';
import type { TestSession } from '../fixture/test-session.ts';

// 32,768 Game Boy frames are exactly 548,625 ms (spec: session.md 4); this many of them are a year and some minutes, so
// the owed part of a tick is the young session's.
const BLOCKS = 57_483;
const YEAR_STEPS = BigInt(BLOCKS) * 32_768n;
const YEAR_TICKS = BLOCKS * 548_625;
/** More than a year brings: beyond 32 bits, so that a narrow counter would wrap. */
const MANY = 2 ** 33;

const opened: TestSession[] = [];

afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

test('a session a year old decides, presses and rewards exactly as a young one, and its counters go on', async () => {
  const young = await open((world) => bootSession(world, () => undefined));
  const old = await open(async (world) => {
    await bootSession(world, () => undefined);
    ageByAYear(world);
  });
  expect(YEAR_TICKS).toBeGreaterThan(365 * 86_400_000);
  for (let step = 1n; step <= 130n; step++) {
    if (step === 20n) for (const session of [young, old]) giveSugar(session);
    await young.run(1);
    await old.run(1);
    const [left, right] = [latest(young), latest(old)];
    const [fly, aged] = [left.agents[0]!, right.agents[0]!];
    expect(behaviour(aged)).toEqual(behaviour(fly));
    expect(aged.brainMs).toBe(fly.brainMs + YEAR_TICKS);
    expect(aged.rewardTotal).toBe(fly.rewardTotal + MANY);
    expect(aged.learning.updates).toBe(fly.learning.updates + MANY);
    expect(aged.learning.changed).toBe(fly.learning.changed + MANY);
    expect(right.sugar.remainingMs).toBe(left.sugar.remainingMs);
    expect(right.events.map(({ id }) => id)).toEqual(left.events.map(({ id }) => id + MANY));
    expect(right.runSeconds).toBeCloseTo(left.runSeconds + YEAR_TICKS / 1_000, 5);
    expect(right.worldMs).toBeCloseTo(left.worldMs + YEAR_TICKS, 3);
    expect(old.world.runSteps).toBe(YEAR_STEPS + step);
  }
  const tally = (session: TestSession): number[] => {
    const { agents, stores } = session.world;
    return [stores.Tally.spikesTotal, stores.Tally.rewards, stores.Tally.presses].map((counts) => counts[agents[0]!]!);
  };
  expect(tally(old)).toEqual(tally(young).map((count) => count + MANY));
  expect(latest(young).agents[0]!.learning.changed).toBeGreaterThan(0);
  expect(tally(young).every((count) => count > 0)).toBe(true);
});

async function open(begin: (world: SessionWorld) => Promise<unknown>): Promise<TestSession> {
  const session = await openTestSession({ seed: 5, begin });
  opened.push(session);
  return session;
}

/** Every clock and counter of a booted session as it stands after a year. */
function ageByAYear(world: SessionWorld): void {
  const { agents, handles, outbox, stores } = world;
  const agent = agents[0]!;
  stores.AgentClock.ticks[agent] = stores.AgentClock.ticks[agent]! + BigInt(YEAR_TICKS);
  for (const counts of [
    stores.Tally.spikesTotal,
    stores.Tally.rewardTotal,
    stores.Tally.rewards,
    stores.Tally.reinforcements,
    stores.Tally.presses,
  ]) {
    counts[agent] = MANY;
  }
  world.runSteps += YEAR_STEPS;
  world.episodeSteps += YEAR_STEPS;
  world.rungSinceStep += YEAR_STEPS;
  outbox.nextEventId += MANY;
  handles.brains[0]!.importState(older(handles.brains[0]!.exportState()));
}

function older(state: BrainState): BrainState {
  const { plasticity } = state;
  return {
    ...state,
    ms: state.ms + YEAR_TICKS,
    lastSpikeMs: state.lastSpikeMs.map((stamp) => stamp + YEAR_TICKS),
    plasticity: {
      ...plasticity,
      updates: plasticity.updates + MANY,
      touched: plasticity.touched.map((stamp) => stamp + YEAR_TICKS),
    },
  };
}

function giveSugar({ world }: TestSession): void {
  const request = { by: 'a', source: 'operator' as const, durationMs: 300, agentId: null };
  world.commands.push({ kind: 'sugar', request, answer: () => undefined });
}

/** What a viewer sees of a fly that does not count from the beginning. */
function behaviour({ brainMs: _, rewardTotal: __, learning, ...rest }: AgentSnapshot): unknown {
  return { ...rest, gains: [learning.synapsesMoved, learning.signal] };
}

function latest({ devices }: TestSession): Snapshot {
  return devices.publisher.latest!;
}
