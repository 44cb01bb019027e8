import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { BehaviourRecord } from '../../engine/identity/behaviour-digest.ts';
import { sha256Hex } from '../../engine/identity/digest.ts';
import type { GroupCapture } from '../../engine/group-capture.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { enterPhase } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { storedCandidates } from '../../systems/checkpoint/candidates.ts';
import type { Candidate } from '../../systems/checkpoint/candidates.ts';
import { captureGroup } from '../../systems/checkpoint/capture-group.ts';
import { createCheckpointQueue } from '../../systems/checkpoint/checkpoint-queue.ts';
import { decodeContainer } from '../../systems/checkpoint/envelope-container.ts';
import { checkpointIdOf, highestGeneration, saveCheckpoint } from '../../systems/checkpoint/checkpoint-store.ts';
import { decodeGroup, encodeGroup } from '../../systems/checkpoint/envelope-group.ts';
import type { GroupIdentity } from '../../systems/checkpoint/envelope-group.ts';
import { decodeSessionEnvelope } from '../../systems/checkpoint/envelope-session.ts';
import { diskFileSystem } from '../../systems/checkpoint/file-system.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';
import type { StoreFolders } from '../../systems/checkpoint/store-folders.ts';
import { recordOf } from '../../systems/checkpoint/store-record.ts';
import { writeCheckpoint } from '../../systems/checkpoint/write-checkpoint.ts';
import { createSchedule } from '../../systems/schedule.ts';
import { resumeSession } from '../../systems/session/recover-session.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { identifyGroup } from '../fixture/identify-group.ts';
import { testDevices } from '../fixture/test-schedule.ts';
import { openTestSession } from '../fixture/test-session.ts';
import type { TestSession, TestSessionOptions } from '../fixture/test-session.ts';

let stores: StoreFolders[] = [];

afterEach(() => {
  for (const { root } of stores) rmSync(root, { recursive: true, force: true });
  stores = [];
});

const open = closedAfterEach(openTestSession); // after the stores' hook: hooks run last first

/** A store on the disk alone, so that nothing stays in memory. */
function newStore(): StoreFolders {
  const folders = storeFolders(mkdtempSync(join(tmpdir(), 'fly-restore-')), 'test', '/nowhere');
  stores.push(folders);
  return folders;
}

/** Writes captures of this session into the store, here and now. */
function saveInto(folders: StoreFolders, { world }: TestSession): void {
  const identity = identify(world);
  world.captures = createCheckpointQueue({
    writer: {
      save(job, giveBack, reply) {
        reply(writeCheckpoint(diskFileSystem, folders, identity, job, () => giveBack(job.capture)));
      },
      lookUp: () => Promise.resolve(false),
      close: () => Promise.resolve(),
    },
    clock: world.clock,
    lastGeneration: highestGeneration(diskFileSystem, folders),
    archivedRank: world.bestRank,
    onEvent: () => undefined,
    onTrouble: () => undefined,
  });
}

const identify = (world: SessionWorld): GroupIdentity => identifyGroup(world, 'null', 'counting');

async function captureNow({ world }: TestSession, reason: string): Promise<void> {
  world.captureRequested = reason;
  await captureGroup(world);
}

type ResumedSession = TestSession & { readonly lines: string[] };

async function resume(
  candidates: (world: SessionWorld) => readonly Candidate[],
  options: TestSessionOptions = {},
): Promise<ResumedSession> {
  const lines: string[] = [];
  const session = await open({
    ...options,
    begin: (world) => resumeSession(world, candidates(world), (line) => lines.push(line)),
  });
  return { ...session, lines };
}

const stored =
  (folders: StoreFolders) =>
  (world: SessionWorld): readonly Candidate[] =>
    storedCandidates(diskFileSystem, folders, identify(world));

/** One digest per transition from here on: what the behaviour digest of the session is fed, rebased by its step. */
function traceOf({ devices }: TestSession): string[] {
  const steps: string[] = [];
  const { trace } = devices as { trace: { update(record: BehaviourRecord): void } };
  const update = trace.update.bind(trace);
  trace.update = (record) => {
    const plain = { ...record, step: String(record.step), inspection: sha256Hex(record.inspection) };
    steps.push(
      JSON.stringify({
        ...plain,
        agents: record.agents.map((agent) => ({ ...agent, spikeBits: sha256Hex(agent.spikeBits) })),
      }),
    );
    update(record);
  };
  return steps;
}

function stateOf({ world }: TestSession): unknown {
  const [agent] = world.agents;
  return {
    steps: [world.runSteps, world.episodeSteps, world.phase.step, world.rungSinceStep, world.bestRank],
    brain: world.handles.brains[0]!.exportState(),
    readout: world.handles.readouts[0]!.exportState(),
    entropy: world.handles.readouts[0]!.entropy(),
    ledger: world.handles.task.capture(),
    clock: [world.stores.AgentClock.ticks[agent!], world.stores.AgentClock.owed[agent!]],
    tally: [
      world.stores.Tally.presses[agent!],
      world.stores.Tally.spikesTotal[agent!],
      world.stores.Tally.rewardTotal[agent!],
      world.stores.Tally.reinforcements[agent!],
    ],
    contexts: world.transition.contexts,
    memory: Buffer.from(world.transition.after!.inspection).toString('base64'),
    audio: world.audio.positions(),
  };
}

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
  expect(world.handles.brains[0]!.seed).toBe(77);
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

/** Replaces a stored state in every tier by a changed one whose digests all fit. */
function rewrite(
  folders: StoreFolders,
  checkpointId: string,
  change: (capture: GroupCapture) => GroupCapture,
  identity: GroupIdentity,
): void {
  const capture = decodeGroup(new Uint8Array(readFileSync(join(folders.hot, `${checkpointId}.flysess`))), identity);
  const bytes = encodeGroup(change(capture), checkpointId, identity);
  const row = recordOf(decodeSessionEnvelope(bytes).manifest, bytes);
  saveCheckpoint(diskFileSystem, folders, { kind: 'durable', archiveRank: 0, bytes, row });
}

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

test('PER-12 the archive of a rung holds the rank together with the slot saved at that boundary (session.md 17.4)', async () => {
  const folders = newStore();
  const session = await open({
    outcome: (_input, plain) => ({ ...plain, saveSlot: plain.agents[0]!.rewards.length > 0 ? 'best' : null }),
  });
  saveInto(folders, session);
  await session.run(130);
  const archived = stored(folders)(session.world).filter(({ name }) => name.startsWith('archive'));
  expect(archived.map((candidate) => candidate.load()).map(({ bestRank, step }) => [bestRank, step])).toEqual([
    [1, 128n],
    [0, 64n],
  ]);
  const { environment } = archived[0]!.load();
  const { slots } = JSON.parse(new TextDecoder().decode(environment)) as { slots: { best: { steps: number } } };
  expect(slots.best.steps).toBe(128);
});

test('PER-12 going back to the same archive twice gives the same run', async () => {
  const folders = newStore();
  const first = await open();
  saveInto(folders, first);
  await first.run(70);
  const onlyArchive = (world: SessionWorld): readonly Candidate[] =>
    stored(folders)(world).filter(({ name }) => name.startsWith('archive'));
  const states: unknown[] = [];
  for (let turn = 0; turn < 2; turn++) {
    const session = await resume(onlyArchive);
    await session.run(80);
    states.push(stateOf(session));
  }
  expect(states[1]).toEqual(states[0]);
});

test.each(['preparing', 'applying', 'observing', 'committing', 'rolling-back'] as const)(
  'PER-07 a capture while the session is %s is refused (session.md 17.1)',
  async (phase) => {
    const session = await open();
    await session.run(1);
    const { world } = session;
    for (const next of phase === 'rolling-back'
      ? [phase]
      : (['preparing', 'applying', 'observing', 'committing'] as const)) {
      enterPhase(world.phase, next);
      if (next === phase) break;
    }
    await expect(captureNow(session, 'asked')).rejects.toMatchObject({ code: 'INVALID_PHASE' });
    expect((await world.captures.latest())!.step).toBe(1n);
  },
);

test('PER-07 every capture follows the slot save of its boundary, the milestone and the rollback (session.md 7)', () => {
  const order = createSchedule(testDevices()).map(({ name }) => name);
  const at = (name: string): number => order.indexOf(name);
  for (const name of ['commitBoundary', 'saveSlots', 'captureMilestone', 'applyRollback']) {
    expect(at(name)).toBeLessThan(at('captureGroup'));
  }
  expect(at('captureGroup')).toBeLessThan(at('publish'));
});

test('PER-08 an installation that fails half way is overwritten as a whole by the next candidate (session.md 16)', async () => {
  const folders = newStore();
  const first = await open();
  saveInto(folders, first);
  await first.run(1);
  const good = stateOf(first);
  await first.run(63);
  // world, brain and readout of 64 are good and put back; its ledger is not and is refused after them
  const session = await resume((world) => {
    const restore = world.handles.task.restore.bind(world.handles.task);
    world.handles.task.restore = (ledger) => {
      if ((ledger as { rewards: number }).rewards > 0) throw new Error('ledger');
      restore(ledger);
    };
    return stored(folders)(world);
  });
  expect(session.world.phase).toMatchObject({ name: 'ready', step: 1n, epoch: 'e2' });
  expect(stateOf(session)).toEqual(good);
});

test('PER-08 in a running session a failed restore leaves it fenced: nothing steps, the run ends by name', async () => {
  const session = await open({ recovery: { stored: () => [] } });
  await session.run(10);
  session.world.handles.task.restore = () => {
    throw new Error('ledger');
  };
  session.environment.die('signal SIGSEGV');
  const steps = session.world.runSteps;
  await expect(session.run(10)).rejects.toMatchObject({ code: 'RESTORE_FAILED' });
  expect(session.world.phase.name).toBe('restoring');
  expect(session.world.runSteps).toBe(steps);
});

test('a recovery whose capture in memory fails goes on from the store', async () => {
  const folders = newStore();
  const session: TestSession = await open({ recovery: { stored: () => stored(folders)(session.world) } });
  saveInto(folders, session);
  await session.run(70);
  const { latest } = session.world.captures;
  session.world.captures = {
    ...session.world.captures,
    reserve: () => null,
    latest: async () => ({ ...(await latest())!, environment: Uint8Array.of(1, 2, 3) }),
  };
  session.environment.die('signal SIGSEGV');
  await session.run(5);
  const restored = session.lifecycle.find((event) => event.kind === 'restored');
  expect(restored).toMatchObject({ from: 'checkpoint', step: 64n });
  expect(session.reports.join('\n')).toMatch(/capture in memory: ENVIRONMENT_STATE/);
});

test('PER-09 nothing of the old epoch appears after a restore: no event, no sugar, no unmarked sound', async () => {
  const session = await open();
  await session.run(70);
  const { publisher } = session.devices;
  const before = publisher.latest!.sequence;
  const shown: Snapshot[] = [];
  const publish = publisher.publish.bind(publisher);
  publisher.publish = (snapshot, attachments) => {
    shown.push(structuredClone(snapshot));
    publish(snapshot, attachments);
  };
  const eventsBefore = session.world.outbox.nextEventId;
  const request = { by: 'moss', source: 'operator' as const, durationMs: 400, agentId: null };
  session.world.commands.push({ kind: 'sugar', request, answer: () => undefined });
  session.environment.die('signal SIGSEGV');
  await session.run(1); // dies with the sugar already in the brain, then repeats 65..71
  expect(shown.map(({ step, epoch, discontinuity }) => [step, epoch, discontinuity])).toEqual(
    [65, 66, 67, 68, 69, 70, 71].map((step) => [String(step), 'e2', step === 65]),
  );
  expect(shown[0]!.sequence).toBeGreaterThan(before);
  const events = shown.flatMap((snapshot) => snapshot.events);
  expect(events.map(({ kind }) => kind)).toEqual(['recovery']);
  expect(events[0]!.id).toBe(eventsBefore);
  const [agent] = shown.at(-1).agents;
  expect(agent!.stimulusRemainingMs).toBeLessThanOrEqual(80); // what is left of the reward pulse of boundary 64
});

test('PER-10 a rollback that fails falls back to the group: the last capture, in a new epoch (session.md 14)', async () => {
  const session = await open({
    outcome: (_input, plain) => {
      const step = Number(session.world.runSteps) + 1;
      if (step === 40) return { ...plain, saveSlot: 'best' };
      return step === 80 && session.world.epochs === 1
        ? { ...plain, rollback: { slotId: 'best', trigger: 'stall' } }
        : plain;
    },
  });
  await session.run(79);
  session.world.handles.environment.restoreSlot = () => Promise.reject(new Error('slot'));
  await session.run(3);
  expect(session.lifecycle.find((event) => event.kind === 'restored')).toMatchObject({ from: 'capture', step: 64n });
  expect(session.world.phase.epoch).toBe('e2');
  expect(session.world.phase.name).toBe('ready');
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
