import { expect, test } from 'vitest';
import type { Channel } from '../../../engine/replica/channel.ts';
import { createPublisher } from '../../../engine/replica/publisher.ts';
import type { ShownEvent, Snapshot, Starting } from '../../../engine/replica/snapshot.ts';
import type { Attachment } from '../../../engine/replica/wire.ts';
import { decodeMessage, encodeMessage } from '../../../engine/replica/wire.ts';
import { fakeDescriptor, fakeEvent, fakeSnapshot } from '../../scenes/fixture.ts';

type Received = { readonly header: Snapshot; readonly attachments: readonly Attachment[] };

/** A reader whose distance behind the session is set by hand. It gets what the wire would carry. */
function openReader(): Channel & { readonly got: Received[]; behind: number } {
  const got: Received[] = [];
  const reader = {
    got,
    behind: 0,
    send: (message: Parameters<Channel['send']>[0]) =>
      void got.push(decodeMessage(encodeMessage(message)) as unknown as Received),
    pendingBytes: () => reader.behind,
    close: () => undefined,
  };
  return reader;
}

const TOO_FAR = 9 * 1024 * 1024;
const sound = (value: number, floats = 4, index = 0): Attachment => ({
  kind: 'audio',
  index,
  bytes: new Uint8Array(new Float32Array(floats).fill(value).buffer),
});
const heard = ({ attachments }: Received, index = 0): number[] =>
  attachments.flatMap(({ kind, index: stream, bytes }) =>
    kind === 'audio' && stream === index ? Array.from(new Float32Array(bytes.slice().buffer)) : [],
  );
const events = (from: number, count: number): ShownEvent[] =>
  Array.from({ length: count }, (_, i) => fakeEvent(from + i));

test('what was kept for a slow reader comes before the boundary it gets, one piece of sound per stream', () => {
  const publisher = createPublisher();
  const reader = openReader();
  publisher.addReader(reader);
  publisher.publish(fakeSnapshot(1, { events: events(1, 1) }), [sound(1), sound(10, 2, 1)]);
  reader.behind = TOO_FAR;
  publisher.publish(fakeSnapshot(2, { events: events(2, 1) }), [sound(2), sound(20, 2, 1)]);
  publisher.publish(fakeSnapshot(3), [sound(3), sound(30, 2, 1)]);
  reader.behind = 0;
  publisher.publish(fakeSnapshot(4, { events: events(4, 1) }), [sound(4), sound(40, 2, 1)]);
  const last = reader.got.at(-1);
  expect(reader.got.map(({ header }) => header.sequence)).toEqual([1, 4]);
  expect(last.header.events.map(({ id }) => id)).toEqual([2, 4]);
  expect(last.header).toMatchObject({ droppedBefore: 0, discontinuity: false });
  expect(heard(last)).toEqual([2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]);
  expect(heard(last, 1)).toEqual([20, 20, 30, 30, 40, 40]);
  expect(last.attachments).toHaveLength(2);
  expect(publisher.losses()).toEqual({ snapshots: 2, events: 0, soundChunks: 0, oversized: 0, readers: 0 });
});

test('the first message a reader gets is marked: for it, everything begins there (session.md 19)', () => {
  const publisher = createPublisher();
  const [early, late] = [openReader(), openReader()];
  publisher.addReader(early);
  publisher.publish(fakeSnapshot(1), []);
  publisher.addReader(late);
  publisher.publish(fakeSnapshot(2), []);
  expect(early.got.map(({ header }) => header.discontinuity)).toEqual([true, false]);
  expect(late.got.map(({ header }) => header.discontinuity)).toEqual([true]);
});

test.each<[string, Partial<Snapshot>]>([
  ['a restore', { epoch: 'e2' }],
  ['a rollback', { epoch: 'e1.rb1' }],
  ['another session', { revision: 2 }],
])('PER-09 %s lets go of what was kept for a slow reader, counts it and marks what comes next', (_, after) => {
  const publisher = createPublisher();
  const reader = openReader();
  publisher.addReader(reader);
  publisher.publish(fakeSnapshot(1), [sound(1)]);
  reader.behind = TOO_FAR;
  publisher.publish(fakeSnapshot(2, { events: events(2, 3) }), [sound(2)]);
  publisher.publish(fakeSnapshot(3, { ...after, discontinuity: true, events: events(5, 1) }), [sound(3)]);
  publisher.publish(fakeSnapshot(4, after), [sound(4)]);
  reader.behind = 0;
  publisher.publish(fakeSnapshot(5, after), [sound(5)]);
  publisher.publish(fakeSnapshot(6, after), [sound(6)]);
  const [, marked, plain] = reader.got;
  expect(marked!.header).toMatchObject({ sequence: 5, discontinuity: true, droppedBefore: 3 });
  expect(marked!.header.events.map(({ id }) => id)).toEqual([5]);
  expect(heard(marked!)).toEqual([3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5]);
  expect(plain!.header).toMatchObject({ sequence: 6, discontinuity: false, droppedBefore: 0 });
  expect(publisher.losses()).toMatchObject({ snapshots: 3, events: 3, soundChunks: 1 });
});

test('sound beyond one second is let go of oldest first, counted, and its reader is told of the gap', () => {
  const publisher = createPublisher();
  const reader = openReader();
  publisher.addReader(reader);
  publisher.publish(fakeSnapshot(1), [sound(1)]);
  reader.behind = TOO_FAR;
  for (let step = 2; step <= 12; step++) publisher.publish(fakeSnapshot(step), [sound(step, 9_600)]); // 0.1 s each
  reader.behind = 0;
  publisher.publish(fakeSnapshot(13), [sound(13)]);
  const last = reader.got.at(-1);
  expect(heard(last)).toHaveLength(10 * 9_600 + 4);
  expect(heard(last)[0]).toBe(3);
  expect(last.header.discontinuity).toBe(true);
  expect(publisher.losses().soundChunks).toBe(1);
});

test('at most 64 events are carried, the newest, and the rest is counted before them (session.md 19)', () => {
  const publisher = createPublisher();
  const reader = openReader();
  publisher.addReader(reader);
  publisher.publish(fakeSnapshot(1, { events: events(1, 2_000) }), []);
  expect(reader.got[0]!.header).toMatchObject({ droppedBefore: 1_936 });
  expect(reader.got[0]!.header.events.map(({ id }) => id)).toEqual(events(1_937, 64).map(({ id }) => id));
  reader.behind = TOO_FAR;
  for (let step = 0; step < 50; step++) {
    publisher.publish(fakeSnapshot(2 + step, { events: events(10_000 + 3 * step, 3) }), []);
  }
  reader.behind = 0;
  publisher.publish(fakeSnapshot(52, { events: events(10_150, 1) }), []);
  expect(reader.got[1]!.header.droppedBefore).toBe(151 - 64);
  expect(reader.got[1]!.header.events.at(-1)!.id).toBe(10_150);
  expect(publisher.losses().events).toBe(1_936 + 87);
});

test('a boundary the wire does not take is counted as lost; its reader stays and learns of it', () => {
  const publisher = createPublisher();
  const reader = openReader();
  publisher.addReader(reader);
  publisher.publish(fakeSnapshot(1), [sound(1)]);
  publisher.publish(fakeSnapshot(2, { statusReason: 'x'.repeat(70_000), events: events(1, 2) }), [sound(2)]);
  publisher.publish(fakeSnapshot(3), [sound(3)]);
  expect(reader.got.map(({ header }) => header.sequence)).toEqual([1, 3]);
  expect(reader.got[1]!.header).toMatchObject({ droppedBefore: 2, discontinuity: true });
  expect(publisher.losses()).toEqual({ snapshots: 1, events: 2, soundChunks: 1, oversized: 1, readers: 0 });
});

test.each<[string, (publisher: ReturnType<typeof createPublisher>) => void]>([
  ['what the session is', (publisher) => publisher.describe(fakeDescriptor())],
  ['how the start goes', (publisher) => publisher.starting({ type: 'starting' } as Starting)],
  ['how the session stands', (publisher) => publisher.health('paused', 'paused by the operator')],
  ['a boundary', (publisher) => publisher.publish(fakeSnapshot(1), [])],
])('PRO-05 a reader that cannot be told %s is let go and nothing else happens', (_, tell) => {
  const publisher = createPublisher();
  const good = openReader();
  let closed = 0;
  publisher.addReader({
    send: () => {
      throw new Error('this socket is gone');
    },
    pendingBytes: () => 0,
    close: () => void (closed += 1),
  });
  publisher.addReader(good);
  tell(publisher);
  tell(publisher);
  expect(good.got).toHaveLength(2);
  expect(closed).toBe(1);
  expect(publisher.losses().readers).toBe(1);
});

test('PRO-05 a reader that is gone before it is told anything is let go at once', () => {
  const publisher = createPublisher();
  publisher.describe(fakeDescriptor());
  publisher.starting({ type: 'starting' } as Starting);
  let sent = 0;
  publisher.addReader({
    send: () => {
      sent += 1;
      throw new Error('this socket is gone');
    },
    pendingBytes: () => 0,
    close: () => undefined,
  });
  expect(sent).toBe(1);
  expect(publisher.hasReaders).toBe(false);
});
