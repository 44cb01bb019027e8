import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStores } from '../../../components/stores.ts';
import type { Stores } from '../../../components/stores.ts';
import type { SessionWorld } from '../../../engine/world.ts';
import { planTicks } from '../../../systems/kernel/plan-ticks.ts';

// Game Boy: a step is 8,572,265,625/512 ns, so the unit is 1/512 ns (spec: session.md 4).
const STEP = 8_572_265_625n;
const TICK = 512_000_000n;
const YEAR_STEPS = (365n * 86_400_000_000_000n * 512n) / STEP;
const MAX_TICKS = 2n ** 53n;

/** One agent that has lived `steps` Game Boy frames. */
function agentAfter(steps: bigint): { world: SessionWorld; stores: Stores } {
  const stores = createStores(1);
  stores.StableId.push('fly-a');
  stores.Cadence.step[0] = STEP;
  stores.Cadence.tick[0] = TICK;
  stores.AgentClock.ticks[0] = (steps * STEP) / TICK;
  stores.AgentClock.owed[0] = (steps * STEP) % TICK;
  // planTicks reads nothing else of a world
  return { world: { agents: [0], stores } as unknown as SessionWorld, stores };
}

test('at any age up to 500 years the ticks follow the closed form of session.md 4, none skipped and none doubled', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 500n * YEAR_STEPS }), fc.integer({ min: 1, max: 200 }), (steps, more) => {
      const { world, stores } = agentAfter(steps);
      for (let step = 1n; step <= BigInt(more); step++) {
        planTicks(world);
        const count = stores.TickPlan.count[0]!;
        expect(count === 16 || count === 17).toBe(true);
        stores.AgentClock.ticks[0] = stores.AgentClock.ticks[0]! + BigInt(count);
        expect(stores.AgentClock.ticks[0]).toBe(((steps + step) * STEP) / TICK);
        expect(stores.AgentClock.owed[0]).toBe(((steps + step) * STEP) % TICK);
      }
    }),
  );
});

test('a year of frames is a year of ticks: 31,536,000,000 less the part of a frame', () => {
  const { stores } = agentAfter(YEAR_STEPS);
  expect(31_536_000_000n - stores.AgentClock.ticks[0]!).toBeLessThan(18n);
  expect(YEAR_STEPS).toBeGreaterThan(2n ** 30n);
});

test('a brain that would pass 2^53 ticks is refused by name before it loses one', () => {
  const { world, stores } = agentAfter(0n);
  stores.AgentClock.ticks[0] = MAX_TICKS - 17n;
  planTicks(world);
  expect(stores.TickPlan.count[0]).toBe(16);
  stores.AgentClock.ticks[0] = MAX_TICKS - 16n;
  const owed = stores.AgentClock.owed[0];
  expect(() => planTicks(world)).toThrow(expect.objectContaining({ code: 'CLOCK' }));
  expect(() => planTicks(world)).toThrow('fly-a');
  expect(stores.AgentClock.owed[0]).toBe(owed);
});

test('a remainder of a whole tick is refused: time owed would be lost', () => {
  const { world, stores } = agentAfter(0n);
  stores.AgentClock.owed[0] = TICK;
  expect(() => planTicks(world)).toThrow(expect.objectContaining({ code: 'CLOCK' }));
});
