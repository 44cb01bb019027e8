import { afterEach, expect, test } from 'vitest';
import { composeSession } from '../../../bin/live/compose-session.ts';
import type { ComposedSession } from '../../../bin/live/compose-session.ts';
import { resolveHome } from '../../../bin/home.ts';
import { loadConfig, loadShow } from '../../../config/load-config.ts';
import type { Show } from '../../../config/schema.ts';
import { createFakeClock } from '../../../engine/clock.ts';
import { syntheticConnectome } from '../../systems/kernel/test-graphs.ts';

const home = resolveHome({ FLY_HOME: '/nowhere' });
const opened: ComposedSession[] = [];

afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

// fly-a's seed under master seed 42 is -184946063, fly-b's 535504990 (spec: session.md 28)
test('SCH-15 a show whose second fly has the derived seed of the first does not start, unless it says so', async () => {
  const show = await twoFlies({ 'fly-b': -184946063 });
  await expect(compose(show)).rejects.toMatchObject({
    name: 'ConfigError',
    code: 'SEED_EQUAL',
    message: expect.stringMatching(/fly-a and fly-b both have seed -184946063.*equal_seeds = true/) as unknown,
  });
  expect((await compose({ ...show, equal_seeds: true })).seeds).toEqual([-184946063, -184946063]);
});

test('SCH-15 without seeds of their own two flies get the published ones of their ids', async () => {
  const { seeds, descriptor } = await compose(await twoFlies({}));
  expect(seeds).toEqual([-184946063, 535504990]);
  expect(descriptor.agents.map(({ agentId, seed }) => `${agentId} ${seed}`)).toEqual([
    'fly-a -184946063',
    'fly-b 535504990',
  ]);
});

async function twoFlies(seeds: Readonly<Record<string, number>>): Promise<Show> {
  const show = await loadShow('two-fly', home.root);
  return { ...show, agents: show.agents.map((agent) => ({ ...agent, seed: seeds[agent.id] })) };
}

/** The show as `fly live` composes it, on the small brains of brain.md 15. */
async function compose(show: Show): Promise<ComposedSession> {
  const connectome = syntheticConnectome();
  const session = await composeSession({
    show,
    config: await loadConfig({ home: home.root, environment: {}, overrides: { seed: '42' } }),
    home,
    clock: createFakeClock(),
    loadWirings: () => Promise.resolve(show.agents.map(() => ({ connectome }))),
    report: () => undefined,
  });
  opened.push(session);
  return session;
}
