import { expect, test } from 'vitest';
import { composeSession } from '../../bin/live/compose-session.ts';
import { resolveHome } from '../../bin/home.ts';
import { loadConfig, loadShow } from '../../config/load-config.ts';
import { createFakeClock } from '../../engine/clock.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import type { TaskEvent, TaskOutcome } from '../../engine/contract/task.ts';
import { runLoop } from '../../engine/loop.ts';
import type { Channel } from '../../engine/replica/channel.ts';
import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { applyMessage, createReplica } from '../../engine/replica/replica.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { decodeMessage, encodeMessage } from '../../engine/replica/wire.ts';
import type { WireMessage } from '../../engine/replica/wire.ts';
import { publish } from '../../systems/media/publish.ts';
import { bootSession } from '../../systems/session/boot-session.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { describeMatch } from '../fixture/describe-match.ts';
import { openTestMatch } from '../fixture/test-match.ts';
import type { TestMatchOptions } from '../fixture/test-match.ts';
import { testDevices, testSchedule } from '../fixture/test-schedule.ts';
import { openTestSession } from '../fixture/test-session.ts';
import type { TestSession } from '../fixture/test-session.ts';
import { syntheticConnectome, testConnectome, uniformStream } from '../systems/kernel/test-graphs.ts';

const open = closedAfterEach(openTestMatch);
const openSession = closedAfterEach(openTestSession);

/** Further behind than any reader may be, bytes. */
const TOO_FAR = 9 * 1024 * 1024;

test('PRO-03 one feed carries brains of unequal size, shared and private views; each part comes out at its owner', async () => {
  const small = smallConnectome();
  const match = await open({ privateViews: true, connectome: (i) => (i === 1 ? small : null) });
  const replica = createReplica();
  match.devices.publisher.describe(describeMatch(match));
  match.devices.publisher.addReader(listen((message) => applyMessage(replica, message, 0)));
  for (let step = 0; step < 10; step++) {
    await match.run(1);
    const { brains } = match.world.handles;
    expect(replica.spikes.map((bits) => bits.length)).toEqual([4_096 / 8, 600 / 8]);
    brains.forEach((brain, i) => expect(replica.spikes[i]).toEqual(brain.spikeBits));
    const { views } = match.world.transition.after!;
    expect(replica.views).toEqual(views);
    expect(views.map(({ length }) => length)).toEqual([2 * 16 * 16 * 4, 16 * 16 * 4, 16 * 16 * 4]);
  }
  expect(replica.refusals.total).toBe(0);
});

test('PRO-03 a show composed of two flies of unequal size is decoded by its own descriptor, part by part', async () => {
  const home = resolveHome({ FLY_HOME: '/nowhere' });
  const show = await loadShow('two-fly', home.root);
  const connectomes = [syntheticConnectome(), smallConnectome()];
  const clock = createFakeClock();
  const session = await composeSession({
    show,
    config: await loadConfig({ home: home.root, environment: {}, overrides: {} }),
    home,
    clock,
    report: () => undefined,
    loadWirings: () => Promise.resolve(connectomes.map((connectome) => ({ connectome }))),
  });
  try {
    const { world } = session;
    const devices = testDevices(clock);
    const replica = createReplica();
    devices.publisher.describe(session.descriptor);
    devices.publisher.addReader(listen((message) => applyMessage(replica, message, 0)));
    await bootSession(world, () => undefined);
    const recover = (): Promise<void> => Promise.reject(new Error('the run failed'));
    await runLoop({ world, schedule: testSchedule(devices), recover, maxTransitions: 20n });
    expect(replica.refusals).toMatchObject({ total: 0, newest: '' });
    expect(replica.snapshot!.step).toBe('20');
    expect(replica.descriptor!.agents.map(({ agentId, connectome }) => [agentId, connectome.neurons])).toEqual([
      ['fly-a', 4_096],
      ['fly-b', 600],
    ]);
    world.handles.brains.forEach((brain, i) => {
      expect(replica.spikes[i]).toEqual(brain.spikeBits);
      expect(replica.snapshot!.agents[i]!.spikeCount).toBeGreaterThan(0);
      expect(replica.snapshot!.agents[i]!.ratesHz).toEqual(Array.from(brain.rates));
    });
    expect(replica.views).toEqual(world.transition.after!.views);
  } finally {
    await session.close();
  }
});

test('PRO-04 boundaries before their descriptor wait for it; one of another revision, repeated or of another brain is refused', async () => {
  const match = await open();
  const messages: WireMessage[] = [];
  match.devices.publisher.addReader(listen((message) => messages.push(message)));
  await match.run(4);
  const [first, second, third, fourth] = messages;
  const replica = createReplica();
  const describe = (descriptor: SessionDescriptor): void =>
    applyMessage(replica, { header: { type: 'descriptor', descriptor }, attachments: [] }, 0);
  applyMessage(replica, first!, 0);
  expect(replica.snapshot).toBeNull();
  describe(describeMatch(match));
  expect(replica.snapshot!.step).toBe('1');
  applyMessage(replica, third!, 0);
  applyMessage(replica, second!, 0);
  const [one, two] = fourth!.attachments.filter(({ kind }) => kind === 'spikes');
  const short = { ...two!, bytes: one!.bytes.subarray(1) };
  applyMessage(replica, { ...fourth!, attachments: [one!, short] }, 0);
  expect(replica.snapshot!.step).toBe('3');
  describe({ ...describeMatch(match), release: 'another' });
  expect(replica.descriptor!.release).toBe('test');
  describe(describeMatch(match, 2));
  applyMessage(replica, fourth!, 0);
  expect(replica.snapshot!.step).toBe('3');
  expect(replica.refusals.byReason).toEqual({ 'unknown-revision': 0, stale: 2, mismatch: 1, identity: 1 });
});

test('PRO-04 a reader that comes late is told what the session is before anything that depends on it', async () => {
  const match = await open();
  match.devices.publisher.describe(describeMatch(match));
  await match.run(2);
  const types: string[] = [];
  match.devices.publisher.addReader(listen(({ header }) => types.push(header.type)));
  await match.run(2);
  expect(types).toEqual(['descriptor', 'snapshot', 'snapshot']);
});

test('PRO-05 slow, failing, leaving and returning readers change no step, and what they lose is counted', async () => {
  const watched = await open();
  const alone = await open();
  const { publisher } = watched.devices;
  let got = 0;
  publisher.addReader(listen(() => undefined, TOO_FAR));
  const refuses = listen(() => {
    throw new Error('this socket is gone');
  });
  publisher.addReader(refuses);
  const leave = publisher.addReader(listen(() => (got += 1)));
  await watched.run(10);
  leave();
  await watched.run(10);
  publisher.addReader(listen(() => (got += 1)));
  await watched.run(10);
  await alone.run(30);
  expect(watched.steps).toEqual(alone.steps);
  expect(watched.world.runSteps).toBe(30n);
  expect(got).toBe(20);
  expect(publisher.losses()).toMatchObject({ snapshots: 30 + 1, readers: 1 }); // the failing one was let go at once
});

test('PRO-05 a slow reader loses pictures, but no event and no sound of the last steps', async () => {
  const match = await open({
    outcome: (_, plain) => ({
      ...plain,
      events: [systemEvent(`step ${match.world.runSteps}`)],
    }),
  });
  let behind = 0;
  const events: string[] = [];
  let samples = 0;
  match.devices.publisher.addReader({
    send({ header, attachments }) {
      events.push(...(header.events as { label: string }[]).map(({ label }) => label));
      for (const { kind, bytes } of attachments) if (kind === 'audio') samples += bytes.byteLength / 4;
    },
    pendingBytes: () => behind,
    close: () => undefined,
  });
  await match.run(2);
  behind = TOO_FAR;
  await match.run(5);
  behind = 0;
  await match.run(2);
  expect(events).toEqual(Array.from({ length: 9 }, (_, step) => `step ${step}`));
  expect(samples).toBe(9 * 800);
  expect(match.devices.publisher.losses()).toMatchObject({ snapshots: 5, events: 0, soundChunks: 0 });
});

test('PRO-05 eventful steps: a slow reader stays, gets the newest 64 events and the number before them (session.md 19)', async () => {
  const eventful: TestMatchOptions = {
    outcome: (input, plain) => ({
      ...plain,
      events: Array.from({ length: 40 }, (_, i) => systemEvent(`${input.after.engineFrame}.${i}`.padEnd(60, 'x'))),
    }),
  };
  const watched = await open(eventful);
  const alone = await open(eventful);
  let behind = 0;
  const got: Snapshot[] = [];
  watched.devices.publisher.addReader({
    send: (message) => void got.push(decodeMessage(encodeMessage(message)).header as unknown as Snapshot),
    pendingBytes: () => behind,
    close: () => undefined,
  });
  await watched.run(1);
  behind = TOO_FAR;
  await watched.run(100);
  behind = 0;
  await watched.run(2);
  await alone.run(103);
  expect(watched.steps).toEqual(alone.steps);
  expect(got.map(({ step, droppedBefore, events }) => [step, droppedBefore, events.length])).toEqual([
    ['1', 0, 40],
    ['102', 101 * 40 - 64, 64],
    ['103', 0, 40],
  ]);
  const ids = got[1]!.events.map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 64 }, (_, i) => 102 * 40 - 63 + i));
  expect(watched.devices.publisher.losses()).toMatchObject({ snapshots: 100, events: 101 * 40 - 64, readers: 0 });
});

test('PRO-06 over episodes decisions and controls are unknown exactly at boundary 0; nothing of the match before is shown', async () => {
  const match = await open({
    outcome: (input, plain) => ({ ...plain, terminal: input.after.engineFrame === '6' ? 'won' : null }),
  });
  const shown: Snapshot[] = [];
  match.devices.publisher.addReader(listen(({ header }) => shown.push(header as unknown as Snapshot)));
  await match.run(5);
  expect(match.world.phase).toMatchObject({ epoch: 'e2', step: 0n });
  publish(match.world, match.devices); // what a viewer who asks at the boundary 0 of a new match is shown
  await match.run(3);
  expect(shown.map(({ epoch, step }) => `${epoch} ${step}`)).toEqual([
    ...[1, 2, 3, 4, 5].map((step) => `e1 ${step}`),
    ...[0, 1, 2, 3].map((step) => `e2 ${step}`),
  ]);
  for (const { step, agents } of shown) {
    for (const { decision, appliedButtons, appliedAxes } of agents) {
      expect([decision === null, appliedButtons === null, appliedAxes === null]).toEqual(Array(3).fill(step === '0'));
    }
  }
});

/** A session whose every step is one event named after epoch and boundary, and what a slow reader of it gets. */
async function openSlowReader(outcome: (plain: TaskOutcome, step: bigint) => TaskOutcome): Promise<{
  readonly session: TestSession;
  readonly got: { readonly header: Snapshot; readonly soundFrames: number }[];
  behind: number;
}> {
  const session: TestSession = await openSession({
    outcome: (_, plain) => {
      const step = session.world.runSteps + 1n;
      const label = `${session.world.phase.epoch} ${step}`;
      return outcome({ ...plain, events: [systemEvent(label)] }, step);
    },
  });
  const slow = { session, got: [] as { header: Snapshot; soundFrames: number }[], behind: 0 };
  session.devices.publisher.addReader({
    send(message) {
      const { header, attachments } = decodeMessage(encodeMessage(message));
      if (header.type !== 'snapshot') return;
      const sounds = attachments.filter(({ kind }) => kind === 'audio');
      expect(sounds.length).toBeLessThanOrEqual(1);
      slow.got.push({ header: header as unknown as Snapshot, soundFrames: (sounds[0]?.bytes.byteLength ?? 0) / 8 });
    },
    pendingBytes: () => slow.behind,
    close: () => undefined,
  });
  return slow;
}

const framesOfStep = (step: number): number => framesUntil(step) - framesUntil(step - 1);
/** 48 kHz at a Game Boy's cadence (session.md 12.2: 1645875/2048 a step). */
const framesUntil = (step: number): number => Math.floor((step * 1_645_875) / 2_048);

test('PER-09 a reader that was too slow over a restore gets no sound and no event of the old epoch, and the mark', async () => {
  const slow = await openSlowReader((plain) => plain);
  const { session, got } = slow;
  await session.run(66); // captured at 64
  slow.behind = TOO_FAR;
  await session.run(4);
  session.environment.die('signal SIGSEGV');
  await session.run(1); // back to 64, then 65 to 71 in e2
  expect(session.world.phase).toMatchObject({ epoch: 'e2', step: 71n });
  slow.behind = 0;
  got.length = 0;
  await session.run(2);
  expect(got.map(({ header }) => [header.epoch, header.step, header.discontinuity])).toEqual([
    ['e2', '72', true],
    ['e2', '73', false],
  ]);
  expect(got[0]!.header.events.map(({ label }) => label)).toEqual([
    'continued from step 64',
    ...[65, 66, 67, 68, 69, 70, 71, 72].map((step) => `e2 ${step}`),
  ]);
  expect(got[0]!.header.droppedBefore).toBe(4);
  expect(got[0]!.soundFrames).toBe(framesUntil(72) - framesUntil(64));
  expect(got[1]!.soundFrames).toBe(framesOfStep(73));
  expect(session.devices.publisher.losses()).toMatchObject({ snapshots: 11, events: 4, soundChunks: 4 });
});

test('PER-09 a reader that was too slow over a rollback gets what came after it, and the mark', async () => {
  const slow = await openSlowReader((plain, step) => ({
    ...plain,
    saveSlot: step === 10n ? 'best' : null,
    rollback: step === 20n ? { slotId: 'best', trigger: 'stall' } : null,
  }));
  const { session, got } = slow;
  await session.run(15);
  slow.behind = TOO_FAR;
  await session.run(7);
  slow.behind = 0;
  got.length = 0;
  await session.run(2);
  expect(got.map(({ header }) => [header.epoch, header.step, header.discontinuity])).toEqual([
    ['e1.rb1', '23', true],
    ['e1.rb1', '24', false],
  ]);
  expect(got[0]!.header.events.map(({ label }) => label)).toEqual([
    'e1 20', // of the transition that fired the rollback; its boundary is published in the new epoch
    'set back to the best place, stall',
    ...[21, 22, 23].map((step) => `e1.rb1 ${step}`),
  ]);
  expect(got[0]!.header.droppedBefore).toBe(4);
  expect(got[0]!.soundFrames).toBe(framesUntil(23) - framesUntil(20));
});

function systemEvent(label: string): TaskEvent {
  return { kind: 'system', tier: 'quiet', label, value: null, agentIndex: null, dedupeKey: label, dedupeMs: 0 };
}

function listen(onMessage: (message: WireMessage) => void, pendingBytes = 0): Channel {
  return {
    send: (message) => onMessage(decodeMessage(encodeMessage(message))),
    pendingBytes: () => pendingBytes,
    close: () => undefined,
  };
}

/** Six hundred neurons with every population the readout needs. */
function smallConnectome(): Connectome {
  const uniform = uniformStream(7);
  const neurons = 600;
  const pick = (): number => Math.floor(uniform() * neurons);
  const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
  const roles: Record<string, number[]> = { kenyon: range(0, 100), mbon: range(100, 130), reward_pam: range(130, 150) };
  for (let k = 0; k < 8; k++) roles[`command_${k}`] = range(150 + 10 * k, 160 + 10 * k);
  return testConnectome({
    indptr: range(0, neurons + 1).map((i) => 10 * i),
    targets: Array.from({ length: 10 * neurons }, (_, edge) =>
      edge < 1_000 && edge % 10 < 4 ? 100 + (edge % 30) : pick(),
    ),
    weights: Array.from({ length: 10 * neurons }, () => 1 + Math.floor(uniform() * 40)),
    roles,
    columns: range(300, 400).map((neuron, c) => ({ neuron, hemisphere: c % 2, x: c % 10, y: Math.floor(c / 10) })),
  });
}
