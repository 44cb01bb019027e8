import { expect, test } from 'vitest';
import type { Connectome } from '../../engine/contract/connectome.ts';
import type { Channel } from '../../engine/replica/channel.ts';
import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { applyMessage, createReplica } from '../../engine/replica/replica.ts';
import { decodeMessage, encodeMessage } from '../../engine/replica/wire.ts';
import type { WireMessage } from '../../engine/replica/wire.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { openTestMatch } from '../fixture/test-match.ts';
import { testConnectome, uniformStream } from '../systems/kernel/test-graphs.ts';

const open = closedAfterEach(openTestMatch);

test('PRO-03 one feed carries brains of unequal size, shared and private views; each part comes out at its owner', async () => {
  const small = smallConnectome();
  const match = await open({ privateViews: true, connectome: (i) => (i === 1 ? small : null) });
  const replica = createReplica();
  match.devices.publisher.describe(descriptor(1));
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
});

test('PRO-04 a snapshot before its descriptor, of another revision, or older than the one shown is not shown', async () => {
  const match = await open();
  const messages: WireMessage[] = [];
  match.devices.publisher.addReader(listen((message) => messages.push(message)));
  await match.run(3);
  const [first, second, third] = messages;
  const replica = createReplica();
  applyMessage(replica, first!, 0);
  expect(replica.snapshot).toBeNull();
  applyMessage(replica, { header: { type: 'descriptor', descriptor: descriptor(2) }, attachments: [] }, 0);
  applyMessage(replica, first!, 0);
  expect(replica.snapshot).toBeNull();
  applyMessage(replica, { header: { type: 'descriptor', descriptor: descriptor(1) }, attachments: [] }, 0);
  applyMessage(replica, third!, 0);
  applyMessage(replica, second!, 0);
  expect(replica.snapshot!.step).toBe('3');
});

test('PRO-04 a reader that comes late is told what the session is before anything that depends on it', async () => {
  const match = await open();
  match.devices.publisher.describe(descriptor(1));
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
  publisher.addReader(listen(() => undefined, 9 * 1024 * 1024)); // further behind than any reader may be
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
  expect(publisher.dropped).toBe(30 + 1); // the failing one was let go after its first
});

test('PRO-05 a slow reader loses pictures, but no event and no sound of the last steps', async () => {
  const match = await open({
    outcome: (_, plain) => ({
      ...plain,
      events: [
        {
          kind: 'system',
          tier: 'quiet',
          label: `step ${match.world.runSteps}`,
          value: null,
          agentIndex: null,
          dedupeKey: '',
          dedupeMs: 0,
        },
      ],
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
  behind = 9 * 1024 * 1024;
  await match.run(5);
  behind = 0;
  await match.run(2);
  expect(events).toEqual(Array.from({ length: 9 }, (_, step) => `step ${step}`));
  expect(samples).toBe(9 * 800);
  expect(match.devices.publisher.dropped).toBe(5);
});

function listen(onMessage: (message: WireMessage) => void, pendingBytes = 0): Channel {
  return {
    send: (message) => onMessage(decodeMessage(encodeMessage(message))),
    pendingBytes: () => pendingBytes,
    close: () => undefined,
  };
}

function descriptor(revision: number): SessionDescriptor {
  return { sessionId: 'match', revision } as SessionDescriptor;
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
