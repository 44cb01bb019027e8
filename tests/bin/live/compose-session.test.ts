import { afterEach, expect, test } from 'vitest';
import { composeSession } from '../../../bin/live/compose-session.ts';
import type { ComposedSession } from '../../../bin/live/compose-session.ts';
import { declareComposition } from '../../../bin/live/declare-composition.ts';
import { identifySession } from '../../../bin/live/session-identity.ts';
import { resolveHome } from '../../../bin/home.ts';
import { release } from '../../../bin/release.ts';
import { loadConfig, loadShow } from '../../../config/load-config.ts';
import type { Show } from '../../../config/schema.ts';
import { createFakeClock } from '../../../engine/clock.ts';
import { canonicalDigest, sha256Hex } from '../../../engine/identity/digest.ts';
import { agentsMismatch, worldMismatch } from '../../../systems/checkpoint/envelope-session.ts';
import { decoderPreset } from '../../../systems/readout/presets.ts';
import { MISFIT_KIND } from '../../fixture/misfit/environment.ts';
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

test('PRO-02 the composition digest covers the declaration, as its last line (session.md 2.4)', async () => {
  const { descriptor, identity, world } = await compose(await twoFlies({}));
  const environment = world.handles.environment.descriptor;
  const declaration = declareComposition({
    compositionId: 'two-fly',
    task: { id: 'two-player-rounds-v1', slotIds: [], episodePolicy: 'round-reset-keep-gains-v1' },
    executorId: 'identity-v1',
    decoder: decoderPreset('gameboy'),
    environment,
  });
  const lines = [
    'fly-session/composition-v1',
    'session=two-fly',
    'epoch=e1',
    `contract=${canonicalDigest({ scheduler: 'lockstep-v1', release })}`,
    ...identity.agents.map(
      ({ agentId, profileDigest: profile }, i) => `agent=${agentId} port=player-${i + 1} profile=${profile}`,
    ),
    `declaration=${canonicalDigest(declaration)}`,
  ];
  expect(descriptor.compositionDigest).toBe(sha256Hex(lines.map((line) => `${line}\n`).join('')));
});

test('PER-02 a state saved with other decoder numbers or another executor is refused by the name of the fly', async () => {
  const { descriptor, identity, world } = await compose(await twoFlies({}));
  const raw = decoderPreset('gameboy');
  const here = {
    world,
    descriptor,
    connectomes: [syntheticConnectome(), syntheticConnectome()],
    learning: 'on',
  } as const;
  const saved = identifySession({ ...here, decoder: raw, executorId: 'identity-v1' });
  expect(saved).toEqual(identity);
  for (const other of [
    { decoder: { ...raw, pulses: [{ ...raw.pulses[0]!, cooldownMs: 481 }, ...raw.pulses.slice(1)] } },
    { decoder: { ...raw, exclusive: { ...raw.exclusive!, holdMs: 799 } } },
    { executorId: 'macros-v1' },
  ]) {
    const changed = identifySession({ ...here, decoder: raw, executorId: 'identity-v1', ...other });
    const rows = changed.agents.map((agent) => ({
      ...agent,
      brainTicks: '2500',
      remainder: { numerator: '0', denominator: '1' },
      payload: `agent-${agent.agentId}`,
    }));
    expect(agentsMismatch({ agents: rows }, identity.agents)).toMatch(
      /^fly-a's profileDigest is [0-9a-f]{12} in the check/,
    );
  }
});

test('PER-02 a pad whose buttons stand in another order belongs to another state (session.md 17.2)', async () => {
  const { descriptor, identity, world } = await compose(await twoFlies({}));
  const { environment } = world.handles;
  const ports = environment.descriptor.ports.map((port) => ({ ...port, buttons: [...port.buttons].reverse() }));
  const turned = { ...environment, descriptor: { ...environment.descriptor, ports } };
  const { compatibility } = identifySession({
    world: { ...world, handles: { ...world.handles, environment: turned } },
    descriptor,
    connectomes: [syntheticConnectome(), syntheticConnectome()],
    decoder: decoderPreset('gameboy'),
    executorId: 'identity-v1',
    learning: 'on',
  });
  expect(worldMismatch({ compatibility }, identity.compatibility)).toMatch(/^the world's controllerDigest is /);
});

test('viewers are told whether the world can be saved and repeated, and what a fly can be given (session.md 13, arena.md F12)', async () => {
  const { descriptor } = await compose(await twoFlies({}));
  expect(descriptor.environment).toMatchObject({ recovery: 'exact-checkpoint', determinism: 'fixed-build' });
  expect(descriptor.agents.map(({ supportedStimuli }) => supportedStimuli)).toEqual([
    ['reward-pulse'],
    ['reward-pulse'],
  ]);
});

test('M1 a show whose readout does not fit the pad is refused before a brain is grown', async () => {
  const show = await loadShow('windfall', home.root);
  let wired = 0;
  const misfit = compose(
    { ...show, task: { name: MISFIT_KIND }, environment: { id: 'misfit', kind: MISFIT_KIND } },
    () => (wired += 1),
  );
  await expect(misfit).rejects.toMatchObject({
    code: 'COMPOSITION',
    message: expect.stringMatching(/fly-a presses start, select, which port p1/) as unknown,
  });
  expect(wired).toBe(0);
});

async function twoFlies(seeds: Readonly<Record<string, number>>): Promise<Show> {
  const show = await loadShow('two-fly', home.root);
  return { ...show, agents: show.agents.map((agent) => ({ ...agent, seed: seeds[agent.id] })) };
}

/** The show as `fly live` composes it, on the small brains of brain.md 15. */
async function compose(show: Show, onWiring: () => void = () => undefined): Promise<ComposedSession> {
  const connectome = syntheticConnectome();
  const session = await composeSession({
    show,
    config: await loadConfig({ home: home.root, environment: {}, overrides: { seed: '42' } }),
    home,
    clock: createFakeClock(),
    loadWirings() {
      onWiring();
      return Promise.resolve(show.agents.map(() => ({ connectome })));
    },
    report: () => undefined,
  });
  opened.push(session);
  return session;
}
