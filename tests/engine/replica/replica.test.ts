import { expect, test } from 'vitest';
import type { SessionDescriptor } from '../../../engine/replica/descriptor.ts';
import { applyMessage, createReplica } from '../../../engine/replica/replica.ts';
import type { Replica } from '../../../engine/replica/replica.ts';
import type { Snapshot } from '../../../engine/replica/snapshot.ts';
import type { Attachment } from '../../../engine/replica/wire.ts';
import { fakeDescriptor, fakeEvent, fakeSnapshot } from '../../scenes/fixture.ts';

const NEURONS = 139_255;

const describe = (replica: Replica, descriptor: SessionDescriptor): void =>
  applyMessage(replica, { header: { type: 'descriptor', descriptor }, attachments: [] }, 0);

const send = (replica: Replica, snapshot: Snapshot, attachments: readonly Attachment[] = []): void =>
  applyMessage(replica, { header: snapshot, attachments }, 0);

function described(revision = 1): Replica {
  const replica = createReplica();
  describe(replica, fakeDescriptor({ revision }));
  return replica;
}

const view = (byteLength = 160 * 144 * 4, index = 0): Attachment => ({
  kind: 'view',
  index,
  bytes: new Uint8Array(byteLength),
});
const spikes = (byteLength = Math.ceil(NEURONS / 8), index = 0): Attachment => ({
  kind: 'spikes',
  index,
  bytes: new Uint8Array(byteLength),
});

test('PRO-04 boundaries that come before their descriptor wait for it, at most 60, and are then shown in order', () => {
  const replica = createReplica();
  for (let sequence = 1; sequence <= 60; sequence++) {
    send(replica, fakeSnapshot(sequence, { events: [fakeEvent(sequence)] }));
  }
  expect(replica).toMatchObject({ snapshot: null, refusals: { total: 0 } });
  send(replica, fakeSnapshot(61, { events: [fakeEvent(61)] }));
  expect(replica.refusals).toMatchObject({
    byReason: { 'unknown-revision': 1 },
    newest: 'unknown-revision: publication 1 names descriptor 1',
  });
  describe(replica, fakeDescriptor());
  expect(replica.snapshot!.sequence).toBe(61);
  expect(replica.events.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, i) => 2 + i));
  expect(replica.refusals.total).toBe(1);
});

test('PRO-04 a boundary of a later revision is never shown by the shape of the one before; it waits for its own', () => {
  const replica = described();
  send(replica, fakeSnapshot(1), [view()]);
  send(replica, fakeSnapshot(2, { revision: 2 }), [view()]);
  expect(replica.snapshot!.sequence).toBe(1);
  describe(replica, fakeDescriptor({ revision: 2 }));
  expect(replica.snapshot).toMatchObject({ sequence: 2, revision: 2 });
});

test.each<[string, Partial<Snapshot>, string]>([
  ['repeated', { sequence: 5 }, 'boundary 5 of e1, publication 5, held is 5'],
  ['older than the one held', { sequence: 4 }, 'boundary 5 of e1, publication 4, held is 5'],
  ['of a revision that is over', { sequence: 6, revision: 1 }, 'names descriptor 1, held is 2'],
])('PRO-04 a boundary that is %s is refused as stale and changes nothing', (_, changes, said) => {
  const replica = described(2);
  send(replica, fakeSnapshot(5, { revision: 2 }), [view()]);
  const before = { ...replica, refusals: null };
  send(replica, fakeSnapshot(5, { revision: 2, events: [fakeEvent(9)], ...changes }), [view()]);
  expect({ ...replica, refusals: null }).toEqual(before);
  expect(replica.refusals).toMatchObject({ total: 1, byReason: { stale: 1 } });
  expect(replica.refusals.newest).toContain(said);
});

const [fly] = fakeSnapshot(1).agents;
test.each<[string, Partial<Snapshot>, readonly Attachment[], string]>([
  ['another session', { sessionId: 'other' }, [], 'session other, described is fixture'],
  ['an agent too many', { agents: [fly!, fly!] }, [], '2 agents, not 1'],
  ['a rate too few', { agents: [{ ...fly!, ratesHz: fly!.ratesHz.slice(1) }] }, [], 'rates, not'],
  ['a button too few', { agents: [{ ...fly!, appliedButtons: [true] }] }, [], '1 buttons, its port p1 8'],
  ['a stick its port lacks', { agents: [{ ...fly!, appliedAxes: [0] }] }, [], '1 axes, its port p1 0'],
  ['a picture cut short', {}, [view(160 * 143 * 4)], 'view 0 has 91520 bytes'],
  ['a picture of no view', {}, [view(160 * 144 * 4, 1)], 'view 1 belongs to nobody'],
  ['spikes of more neurons', {}, [spikes(NEURONS)], 'spikes 0 has 139255 bytes'],
  ['spikes of a neuron too few', {}, [spikes(Math.ceil(NEURONS / 8) - 1)], 'spikes 0 has 17406 bytes'],
  ['spikes of no agent', {}, [spikes(Math.ceil(NEURONS / 8), 1)], 'spikes 1 belongs to nobody'],
  ['sound of no stream', {}, [{ kind: 'audio', index: 0, bytes: new Uint8Array(8) }], 'audio 0 belongs to nobody'],
])('PRO-04 a boundary with %s is refused as a mismatch and changes nothing', (_, changes, attachments, said) => {
  const replica = described();
  send(replica, fakeSnapshot(1), [view(), spikes()]);
  const before = { ...replica, refusals: null };
  send(replica, fakeSnapshot(2, changes), attachments);
  expect({ ...replica, refusals: null }).toEqual(before);
  expect(replica.refusals).toMatchObject({ total: 1, byReason: { mismatch: 1 } });
  expect(replica.refusals.newest).toContain(said);
  send(replica, fakeSnapshot(3), [view(), spikes()]);
  expect(replica.snapshot!.sequence).toBe(3);
});

test('PRO-04 sound that is not whole frames of its stream is refused', () => {
  const replica = createReplica();
  const plain = fakeDescriptor();
  const audio = [{ streamId: 'stereo', sampleRateHz: 48_000, channels: 2 }];
  describe(replica, { ...plain, environment: { ...plain.environment, audio } });
  send(replica, fakeSnapshot(1), [{ kind: 'audio', index: 0, bytes: new Uint8Array(12) }]);
  expect(replica.refusals.byReason.mismatch).toBe(1);
  send(replica, fakeSnapshot(2), [{ kind: 'audio', index: 0, bytes: new Uint8Array(16) }]);
  expect(replica.snapshot!.sequence).toBe(2);
});

test('PRO-04 one revision never has two contents: the one held stays, the other is refused by name', () => {
  const replica = described();
  describe(replica, fakeDescriptor());
  expect(replica.refusals.total).toBe(0);
  describe(replica, fakeDescriptor({ origin: 'measured' }));
  expect(replica.descriptor!.agents[0]!.connectome.origin).toBe('grown');
  expect(replica.refusals).toMatchObject({ byReason: { identity: 1 } });
  describe(replica, fakeDescriptor({ revision: 2, origin: 'measured' }));
  expect(replica.descriptor!.agents[0]!.connectome.origin).toBe('measured');
  describe(replica, fakeDescriptor({ revision: 1 }));
  expect(replica.descriptor!.revision).toBe(2);
  expect(replica.refusals).toMatchObject({ total: 2, byReason: { identity: 1, stale: 1 } });
});

test('PRO-04 spikes are drawn only on the connectome they are of, however many neurons another one has', () => {
  const replica = described();
  const { identity } = replica.descriptor!.agents[0]!.connectome;
  send(replica, fakeSnapshot(1), [view(), spikes()]); // nothing is known of the drawing yet
  expect(replica.spikes).toHaveLength(1);
  replica.geometries[0] = 'another brain of 139,255 neurons';
  send(replica, fakeSnapshot(2), [view(), spikes()]);
  expect(replica.snapshot!.sequence).toBe(2);
  expect(replica.spikes[0]).toHaveLength(0);
  expect(replica.refusals).toMatchObject({ total: 1, byReason: { identity: 1 } });
  replica.geometries[0] = identity;
  send(replica, fakeSnapshot(3), [view(), spikes()]);
  expect(replica.spikes[0]).toHaveLength(Math.ceil(NEURONS / 8));
  expect(replica.refusals.total).toBe(1);
});

test('events this observer never gets are counted', () => {
  const replica = described();
  send(replica, fakeSnapshot(1, { droppedBefore: 3 }));
  send(replica, fakeSnapshot(2, { droppedBefore: 4 }));
  expect(replica.lostEvents).toBe(7);
});
