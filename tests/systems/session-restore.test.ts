import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { storedCandidates } from '../../systems/checkpoint/candidates.ts';
import { captureGroup } from '../../systems/checkpoint/capture-group.ts';
import { checkpointIdOf, highestGeneration } from '../../systems/checkpoint/checkpoint-store.ts';
import { decodeContainer } from '../../systems/checkpoint/envelope-container.ts';
import type { GroupIdentity } from '../../systems/checkpoint/envelope-group.ts';
import { decodeSessionEnvelope } from '../../systems/checkpoint/envelope-session.ts';
import { diskFileSystem } from '../../systems/checkpoint/file-system.ts';
import type { TestSession, TestSessionOptions } from '../fixture/test-session.ts';
import {
  BERRY,
  captureNow,
  identify,
  publishedBy,
  rewrite,
  saveInto,
  stateOf,
  stepOf,
  stored,
  storedSessions,
  traceOf,
} from './checkpoint/stored-session.ts';

const { open, newStore, resume } = storedSessions();

test('PER-01 a run resumed from the store repeats the uninterrupted one step by step (session.md 16)', async () => {
  const folders = newStore();
  const whole = await open();
  const wholeTrace = traceOf(whole);
  await whole.run(900);

  const first = await open();
  saveInto(folders, first);
  await first.run(537);
  await captureNow(first, 'shutdown');
  await first.close();

  const second = await resume(stored(folders));
  const trace = traceOf(second);
  await second.run(900 - 537);
  expect(trace).toEqual(wholeTrace.slice(537));
  expect(stateOf(second)).toEqual(stateOf(whole));
  expect(second.world.phase.epoch).toBe('e2');
});

// before the slot is saved, and between that and the rollback to it
test.each([120, 150])(
  'PER-01 events, sugar, slot save and rollback after a restore at %i are the whole run',
  async (at) => {
    const options: TestSessionOptions = {
      slotIds: ['best'],
      outcome({ after }, plain) {
        const step = stepOf(after);
        return {
          ...plain,
          events: step % 50 === 0 ? [BERRY] : [],
          saveSlot: step === 130 ? 'best' : null,
          rollback: step === 170 ? { slotId: 'best', trigger: 'stall' } : null,
        };
      },
    };
    /** Runs up to a boundary; a viewer gives sugar in front of step 141. */
    const runTo = async (session: TestSession, boundary: number): Promise<void> => {
      const { world } = session;
      if (boundary > 140 && world.runSteps < 140n) {
        await session.run(140 - Number(world.runSteps));
        const request = { by: 'moss', source: 'operator' as const, durationMs: 400, agentId: null };
        world.commands.push({ kind: 'sugar', request, answer: ({ kind }) => expect(kind).toBe('accepted') });
      }
      await session.run(boundary - Number(world.runSteps));
    };
    const folders = newStore();
    const whole = await open(options);
    const wholeTrace = traceOf(whole);
    const wholeShown = publishedBy(whole);
    await runTo(whole, 260);

    const first = await open(options);
    saveInto(folders, first);
    await runTo(first, at);
    await captureNow(first, 'shutdown');
    const session = await resume(stored(folders), options);
    const trace = traceOf(session);
    const shown = publishedBy(session);
    await runTo(session, 260);
    expect(trace).toEqual(wholeTrace.slice(at));
    expect(stateOf(session)).toEqual(stateOf(whole));
    /** What viewers are told, without the numbers that a resumed run counts on from its own announcement. */
    const told = (snapshots: readonly Snapshot[]): [step: string, kind: string, label: string][] =>
      snapshots.flatMap(({ step, events }) =>
        events.map(({ kind, label }): [string, string, string] => [step, kind, label]),
      );
    expect(told(shown).slice(1)).toEqual(told(wholeShown).filter(([step]) => Number(step) > at));
    expect(told(wholeShown).map(([step, kind]) => [step, kind])).toEqual([
      ['50', 'reward'],
      ['100', 'reward'],
      ['141', 'sugar'],
      ['150', 'reward'],
      ['170', 'recovery'],
      ['200', 'reward'],
      ['250', 'reward'],
    ]);
    expect(session.world.phase.epoch).toBe('e2.rb1');
    expect(whole.world.phase.epoch).toBe('e1.rb1');
    expect([...session.world.filledSlots]).toEqual(['best']);
  },
);

test('PER-01 resuming again and again at odd boundaries changes nothing', async () => {
  const folders = newStore();
  const whole = await open();
  await whole.run(400);
  let session = await open();
  for (const steps of [1, 63, 1, 100, 235]) {
    saveInto(folders, session);
    await session.run(steps);
    await captureNow(session, 'shutdown');
    session = await resume(stored(folders));
  }
  expect(stateOf(session)).toEqual(stateOf(whole));
  expect(session.world.phase.epoch).toBe('e6');
});

test('the operator reads in one line where a run came from and how old that is', async () => {
  const folders = newStore();
  const first = await open();
  saveInto(folders, first);
  await first.run(64);
  const { lines, lifecycle } = await resume(stored(folders));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^resumed from hot checkpoint ckpt-2: boundary 64, \d+ \w+ old, epoch e2$/);
  expect(lifecycle).toContainEqual(expect.objectContaining({ kind: 'restored', from: 'checkpoint', step: 64n }));
});

test('PER-14 seed, remainder and brain ticks are restored exactly', async () => {
  const folders = newStore();
  const first = await open({ seed: 77 });
  saveInto(folders, first);
  await first.run(10);
  await captureNow(first, 'shutdown');
  const { world } = await resume(stored(folders), { seed: 77 });
  const [agent] = world.agents;
  // spec: session.md 4, remainder after frame 10 of a Game Boy, in units of 1/512 ns
  expect(world.stores.AgentClock.owed[agent!]).toBe(218_656_250n);
  expect(world.stores.AgentClock.ticks[agent!]).toBe(2_667n);
  expect(world.stores.AgentClock.warmupTicks[agent!]).toBe(2_500n);
  expect(world.handles.brains[0]!.ticks()).toBe(2_667);
  const { rng } = first.world.handles.brains[0]!.exportState();
  expect(world.handles.brains[0]!.exportState().rng).toBe(rng);
  const { manifest } = decodeSessionEnvelope(new Uint8Array(readFileSync(join(folders.durable, 'ckpt-2.flysess'))));
  expect(manifest.agents[0]).toMatchObject({
    seed: 77,
    brainTicks: '2667',
    remainder: { numerator: '109328125', denominator: '256' }, // session.md 4, frame 10
  });
});

test('PER-14 the event watermark is the number and the boundary of the newest event (session.md 17.2)', async () => {
  const folders = newStore();
  const session = await open({
    outcome: ({ after }, plain) => ({ ...plain, events: stepOf(after) === 5 ? [BERRY] : [] }),
  });
  saveInto(folders, session);
  await session.run(10); // 1 durable
  await captureNow(session, 'shutdown');
  const watermarks = ['ckpt-1', 'ckpt-2'].map((id) => {
    const bytes = new Uint8Array(readFileSync(join(folders.durable, `${id}.flysess`)));
    return decodeSessionEnvelope(bytes).manifest.coordinator.eventWatermarks;
  });
  expect(watermarks).toEqual([
    { lastSourceStep: null, issued: '0' },
    { lastSourceStep: '5', issued: '1' },
  ]);
  const { world } = await resume(stored(folders));
  expect(world.outbox.events.map(({ id, kind }) => [id, kind])).toEqual([[2, 'recovery']]); // numbers go on
});

test.each([
  ['agent-fly-a', 40],
  ['world', 3],
  ['task-ledger', 2],
  ['coordinator-admission', 5],
])('PER-02 one changed byte in payload %s refuses the whole state; the one before it is taken', async (name, at) => {
  const folders = newStore();
  const first = await open();
  saveInto(folders, first);
  await first.run(64); // captured at 1 and 64
  const path = join(folders.hot, 'ckpt-2.flysess');
  const bytes = new Uint8Array(readFileSync(path));
  const payload = decodeContainer(bytes).payloads.get(name)!;
  bytes[payload.byteOffset - bytes.byteOffset + at]! ^= 0x20;
  writeFileSync(path, bytes);
  writeFileSync(join(folders.durable, 'ckpt-2.flysess'), bytes);
  writeFileSync(join(folders.archive, 'milestone-0.ckpt-2.flysess'), bytes);
  const session = await resume(stored(folders));
  expect(session.lines[0]).toMatch(/^refused hot checkpoint ckpt-2: STORE_FILE/);
  expect(session.world.phase.step).toBe(1n);
});

test('PER-02 a damage that every digest was made to fit is refused by its owner, and nothing of it stays', async () => {
  const folders = newStore();
  const first = await open();
  saveInto(folders, first);
  await first.run(1);
  const good = stateOf(first);
  await first.run(63);
  rewrite(
    folders,
    'ckpt-2',
    (capture) => ({
      ...capture,
      agents: capture.agents.map((agent) => ({
        ...agent,
        brain: { ...agent.brain, membrane: agent.brain.membrane.map((value, i) => (i === 9 ? NaN : value)) },
      })),
    }),
    identify(first.world),
  );
  const session = await resume(stored(folders));
  expect(session.lines[0]).toMatch(/hot checkpoint ckpt-2.*BRAIN_STATE/);
  expect(stateOf(session)).toEqual(good);
});

test.each<[what: string, change: (identity: GroupIdentity) => GroupIdentity, named: RegExp]>([
  ['session', (here) => ({ ...here, sessionId: 'other' }), /the session is test in the checkpoint, other here/],
  ['task', (here) => ({ ...here, taskId: 'other' }), /its ledger is task counting's/],
  ['environment', (here) => ({ ...here, environmentId: 'gameboy' }), /the environment is null/],
  ['port map', (here) => ({ ...here, portMap: [{ portId: 'p9', agentId: 'fly-a' }] }), /the port map is fly-a on p1/],
  ...(
    ['stateFormatId', 'backendDigest', 'contentDigest', 'patchDigest', 'controllerDigest', 'parserDigest'] as const
  ).map((field): [string, (here: GroupIdentity) => GroupIdentity, RegExp] => [
    field,
    (here) => ({ ...here, compatibility: { ...here.compatibility, [field]: 'f'.repeat(64) } }),
    new RegExp(`the world's ${field} is .* here`),
  ]),
  ...(['profileDigest', 'datasetDigest', 'indexDigest', 'modelVersion', 'plasticityVersion', 'seed'] as const).map(
    (field): [string, (here: GroupIdentity) => GroupIdentity, RegExp] => [
      field,
      (here) => ({ ...here, agents: [{ ...here.agents[0]!, [field]: field === 'seed' ? 5 : 'e'.repeat(64) }] }),
      new RegExp(`fly-a's ${field} is`),
    ],
  ),
])(
  'PER-02 a state of another %s is refused by name before anything is installed (session.md 16)',
  async (_what, change, named) => {
    const folders = newStore();
    const first = await open();
    saveInto(folders, first);
    await first.run(1);
    const session = await open();
    const before = stateOf(session);
    const candidates = storedCandidates(diskFileSystem, folders, change(identify(session.world)));
    expect(candidates.length).toBeGreaterThan(0);
    for (const candidate of candidates) expect(() => candidate.load()).toThrow(named);
    expect(stateOf(session)).toEqual(before);
  },
);

test('PER-11 candidates exist and all fail: the run ends by naming each, never by a silent fresh start', async () => {
  const folders = newStore();
  const first = await open({ seed: 3 });
  saveInto(folders, first);
  await first.run(64);
  const failing = resume(stored(folders), { seed: 4 });
  await expect(failing).rejects.toMatchObject({ code: 'RESTORE_FAILED' });
  await expect(failing).rejects.toThrow(
    /none of 5 saved .*hot checkpoint ckpt-2, hot checkpoint ckpt-1, durable checkpoint ckpt-2.*seed is 3.*--fresh/,
  );
});

test('PER-11 the order of taking is hot, durable, archive: each is reached when all before it are gone', async () => {
  const folders = newStore();
  const first = await open();
  saveInto(folders, first);
  await first.run(70); // 1 durable, 64 rung
  await captureNow(first, 'asked');
  for (const [tier, expected] of [
    ['hot', 70n],
    ['durable', 70n],
    ['archive', 64n],
  ] as const) {
    const { lines, world } = await resume(stored(folders));
    expect(lines.at(-1)).toContain(`resumed from ${tier} checkpoint`);
    expect(world.phase.step).toBe(expected);
    rmSync(folders[tier], { recursive: true });
  }
  expect(stored(folders)(first.world)).toEqual([]);
});

test('PER-12 a run that goes back to an archive converges with the run that never did', async () => {
  const folders = newStore();
  const options: TestSessionOptions = {
    slotIds: ['best'],
    outcome: ({ after }, plain) => ({ ...plain, saveSlot: stepOf(after) === 67 ? 'best' : null }),
  };
  const whole = await open(options);
  const wholeTrace = traceOf(whole);
  await whole.run(200);

  const first = await open(options);
  saveInto(folders, first);
  await first.run(150);
  const session = await resume(
    (world) => stored(folders)(world).filter(({ name }) => name.startsWith('archive')),
    options,
  );
  expect(session.world.phase.step).toBe(67n);
  const trace = traceOf(session);
  await session.run(200 - 67);
  expect(trace).toEqual(wholeTrace.slice(67));
  expect(stateOf(session)).toEqual(stateOf(whole));
});

test('a pause is saved durably from the paused boundary, and so is what an operator asks meanwhile', async () => {
  const folders = newStore();
  const session = await open();
  saveInto(folders, session);
  await session.run(10);
  session.world.commands.push({ kind: 'pause', by: 'operator' });
  const running = session.run(3);
  const durable = (): string[] =>
    stored(folders)(session.world)
      .filter(({ name }) => name.startsWith('durable'))
      .map((candidate) => candidate.load().reason);
  await until(() => durable()[0] === 'pause', session);
  expect(session.world.phase.name).toBe('paused');
  session.world.commands.push({ kind: 'capture', by: 'operator' });
  await until(() => durable()[0] === 'asked by operator', session);
  session.world.commands.push({ kind: 'resume', by: 'operator' });
  await until(() => session.world.phase.name !== 'paused', session);
  await running;
});

test('captures come every 5 s of session time and durable ones every 300 s (session.md 17.4)', async () => {
  const kinds: [string, bigint][] = [];
  const session = await open({ outcome: (_input, plain) => ({ ...plain, progress: { ...plain.progress, rank: -1 } }) });
  const { world } = session;
  const slots = world.captures;
  world.captures = {
    get newestStep() {
      return slots.newestStep;
    },
    get newestDurableStep() {
      return slots.newestDurableStep;
    },
    archivedRank: -1,
    latest: () => slots.latest(),
    reserve: (kind) => {
      kinds.push([kind, world.runSteps]);
      return slots.reserve(kind);
    },
  };
  await session.run(650);
  expect(kinds).toEqual([
    ['durable', 1n],
    ['hot', 300n],
    ['hot', 599n],
  ]);
  // 300 s are 17,919 steps of 8572265625/512 ns
  world.runSteps += 17_919n - 649n;
  await captureGroup(world);
  expect(kinds.at(-1)).toEqual(['durable', 17_920n]);
});

test('a store that takes nothing stops nothing: what was asked for is asked again at every boundary', async () => {
  const session = await open();
  let asked = 0;
  session.world.captures = {
    newestStep: 1n,
    newestDurableStep: 1n,
    archivedRank: -1,
    latest: () => Promise.resolve(null),
    reserve: () => {
      asked += 1;
      return null;
    },
  };
  session.world.captureRequested = 'asked by operator';
  await session.run(20);
  expect([session.world.runSteps, asked, session.world.captureRequested]).toEqual([20n, 20, 'asked by operator']);
});

test('a state whose world is looked at and shows another context than was saved is refused (session.md 16)', async () => {
  const folders = newStore();
  const first = await open();
  saveInto(folders, first);
  await first.run(1);
  rewrite(
    folders,
    'ckpt-1',
    (capture) => ({
      ...capture,
      agents: capture.agents.map((agent) => ({ ...agent, context: { boot: true, bound: [], location: null } })),
    }),
    identify(first.world),
  );
  await expect(resume(stored(folders))).rejects.toThrow(/RESTORE_CONTEXT/);
});

test('checkpoint ids count up over the life of a store', async () => {
  const folders = newStore();
  const first = await open();
  saveInto(folders, first);
  await first.run(65);
  const second = await resume(stored(folders));
  saveInto(folders, second);
  await captureNow(second, 'start');
  expect(highestGeneration(diskFileSystem, folders)).toBe(3);
  expect(stored(folders)(second.world)[0]!.name).toBe(`hot checkpoint ${checkpointIdOf(3)}`);
});

async function until(condition: () => boolean, { clock }: TestSession): Promise<void> {
  for (let i = 0; i < 10_000 && !condition(); i++) {
    clock.advanceMs(50);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(condition()).toBe(true);
}
