import { expect, test } from 'vitest';
import { createSoundFeed } from '../../../bin/stage/sound-feed.ts';
import type { SoundFeed } from '../../../bin/stage/sound-feed.ts';
import { createMixer } from '../../../broadcast/mix/mixer.ts';
import type { Mixer } from '../../../broadcast/mix/mixer.ts';
import { createPublisher } from '../../../engine/replica/publisher.ts';
import type { SessionDescriptor } from '../../../engine/replica/descriptor.ts';
import type { Snapshot } from '../../../engine/replica/snapshot.ts';
import type { Attachment } from '../../../engine/replica/wire.ts';
import { decodeMessage, encodeMessage } from '../../../engine/replica/wire.ts';
import { fakeDescriptor, fakeSnapshot } from '../../scenes/fixture.ts';

const RATE_HZ = 48_000;
const STEP_MS = 1_000 / 60;
const STEP_SAMPLES = RATE_HZ / 60;

function soundingDescriptor(revision = 1, streams = 1): SessionDescriptor {
  const plain = fakeDescriptor({ revision });
  const audio = Array.from({ length: streams }, (_, i) => ({
    streamId: `stream-${i}`,
    sampleRateHz: RATE_HZ,
    channels: 1,
  }));
  return { ...plain, environment: { ...plain.environment, audio } };
}

type Opened = { readonly mixer: Mixer; readonly pushed: [stream: number, firstMs: number][]; readonly feed: SoundFeed };

function open(): Opened {
  const mixer = createMixer();
  const pushed: [number, number][] = [];
  const noted: Mixer = {
    ...mixer,
    push(stream, samples, worldMs) {
      pushed.push([stream, Math.round(worldMs * 1_000) / 1_000]);
      mixer.push(stream, samples, worldMs);
    },
  };
  return { mixer, pushed, feed: createSoundFeed(noted) };
}

const chunk = (index = 0): Attachment => ({ kind: 'audio', index, bytes: new Uint8Array(STEP_SAMPLES * 4) });
const boundary = (step: number, changes: Partial<Snapshot> = {}): Snapshot =>
  fakeSnapshot(step, { worldMs: step * STEP_MS, ...changes });
const describe = (feed: SoundFeed, descriptor: SessionDescriptor): void =>
  feed.receive({ header: { type: 'descriptor', descriptor }, attachments: [] });

test('the last sample of a boundary belongs to its session time, in every stream alike', () => {
  const { feed, pushed } = open();
  describe(feed, soundingDescriptor(1, 2));
  feed.receive({ header: boundary(6), attachments: [chunk(0), chunk(1)] });
  expect(pushed).toEqual([
    [0, 83.333],
    [1, 83.333],
  ]);
});

test.each<[string, Partial<Snapshot>]>([
  ['a restore', { epoch: 'e2', discontinuity: true }],
  ['a rollback, which keeps the root of the epoch', { epoch: 'e1.rb1', discontinuity: true }],
  ['a rollback nobody marked', { epoch: 'e1.rb1' }],
  ['a jump inside an epoch', { discontinuity: true }],
])('PER-09 after %s nothing of before is left to be heard', (_, after) => {
  const { feed, mixer } = open();
  describe(feed, soundingDescriptor());
  for (let step = 1; step <= 12; step++) feed.receive({ header: boundary(step), attachments: [chunk()] });
  expect(mixer.stats().fillMs).toBeCloseTo(200, 6);
  feed.receive({ header: boundary(13, after), attachments: [chunk()] });
  expect(mixer.stats().fillMs).toBeCloseTo(STEP_MS, 6);
  expect(mixer.mediaMs()).toBeCloseTo(12 * STEP_MS, 6);
});

test('after a jump the buffer fills again, although the picture of before it is still shown', () => {
  const { feed, mixer } = open();
  describe(feed, soundingDescriptor());
  for (let step = 1; step <= 12; step++) feed.receive({ header: boundary(step), attachments: [chunk()] });
  for (let step = 13; step <= 18; step++) {
    feed.receive({ header: boundary(step, { epoch: 'e2', discontinuity: step === 13 }), attachments: [chunk()] });
  }
  expect(mixer.stats().fillMs).toBeCloseTo(6 * STEP_MS, 6);
});

test('PER-09 a stage that could not keep up hears no sound of before a rollback after it', () => {
  const { feed, mixer } = open();
  const publisher = createPublisher();
  let behind = 0;
  publisher.describe(soundingDescriptor());
  publisher.addReader({
    send: (message) => feed.receive(decodeMessage(encodeMessage(message))),
    pendingBytes: () => behind,
    close: () => undefined,
  });
  for (let step = 1; step <= 6; step++) publisher.publish(boundary(step), [chunk()]);
  behind = 9 * 1024 * 1024;
  for (let step = 7; step <= 9; step++) publisher.publish(boundary(step), [chunk()]);
  publisher.publish(boundary(10, { epoch: 'e1.rb1', discontinuity: true }), []);
  publisher.publish(boundary(11, { epoch: 'e1.rb1', discontinuity: true }), [chunk()]);
  behind = 0;
  publisher.publish(boundary(12, { epoch: 'e1.rb1' }), [chunk()]);
  expect(mixer.stats().fillMs).toBeCloseTo(2 * STEP_MS, 6);
  expect(mixer.mediaMs()).toBeCloseTo(10 * STEP_MS, 6);
});

test('sound of a session that is not described yet, or of no declared stream, is not guessed at', () => {
  const { feed, pushed } = open();
  feed.receive({ header: boundary(1), attachments: [chunk()] });
  describe(feed, soundingDescriptor(2));
  feed.receive({ header: boundary(2), attachments: [chunk()] });
  feed.receive({
    header: boundary(3, { revision: 2 }),
    attachments: [chunk(7), { ...chunk(), bytes: new Uint8Array(6) }],
  });
  expect(pushed).toEqual([]);
  feed.receive({ header: boundary(4, { revision: 2 }), attachments: [chunk()] });
  expect(pushed).toHaveLength(1);
});
