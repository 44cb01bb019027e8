import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { buttonMask, createBehaviourDigest } from '../../../engine/identity/behaviour-digest.ts';
import type { BehaviourRecord } from '../../../engine/identity/behaviour-digest.ts';

const RECORD: BehaviourRecord = {
  step: 41n,
  agents: [
    { brainTicks: 2_516, spikeBits: Uint8Array.of(5, 0), rewards: [{ ruleId: 'eat', value: 1.5 }] },
    { brainTicks: 2_516, spikeBits: Uint8Array.of(0, 1), rewards: [] },
  ],
  ports: [{ portId: 'p1', buttons: [true, false, true], axes: [-1] }],
  inspection: Uint8Array.of(7, 8, 9),
};

function digestOf(...records: BehaviourRecord[]): string {
  const digest = createBehaviourDigest();
  for (const record of records) digest.update(record);
  return digest.digest();
}

test('the stream is exactly the documented bytes', () => {
  const bytes = Buffer.concat([
    Buffer.from('fly-behaviour-v1\n'),
    Buffer.from('2900000000000000', 'hex'), // step 41
    Buffer.from('02000000', 'hex'), // two agents
    Buffer.from('d409000000000000', 'hex'), // 2,516 ticks
    Buffer.from('020000000500', 'hex'), // spikes
    Buffer.from('01000000', 'hex'), // one reward
    Buffer.from('03000000656174', 'hex'), // "eat"
    Buffer.from('000000000000f83f', 'hex'), // 1.5
    Buffer.from('d409000000000000', 'hex'),
    Buffer.from('020000000001', 'hex'),
    Buffer.from('00000000', 'hex'), // no rewards
    Buffer.from('01000000', 'hex'), // one port
    Buffer.from('020000007031', 'hex'), // "p1"
    Buffer.from('03000000', 'hex'), // three buttons
    Buffer.from('05000000', 'hex'), // first and third down
    Buffer.from('01000000', 'hex'), // one axis
    Buffer.from('000000000000f0bf', 'hex'), // -1
    Buffer.from('03000000070809', 'hex'), // inspection
  ]);
  expect(digestOf(RECORD)).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('asking for the digest does not end the stream', () => {
  const digest = createBehaviourDigest();
  digest.update(RECORD);
  expect(digest.digest()).toBe(digest.digest());
  digest.update({ ...RECORD, step: 42n });
  expect(digest.digest()).toBe(digestOf(RECORD, { ...RECORD, step: 42n }));
  expect(digest.count()).toBe(2);
});

const [first, second] = RECORD.agents;
test.each<[what: string, other: BehaviourRecord]>([
  ['the step', { ...RECORD, step: 42n }],
  ['a tick', { ...RECORD, agents: [{ ...first!, brainTicks: 2_517 }, second!] }],
  ['a spike', { ...RECORD, agents: [{ ...first!, spikeBits: Uint8Array.of(4, 0) }, second!] }],
  ['a reward', { ...RECORD, agents: [{ ...first!, rewards: [{ ruleId: 'eat', value: 1.25 }] }, second!] }],
  ['a rule', { ...RECORD, agents: [{ ...first!, rewards: [{ ruleId: 'eal', value: 1.5 }] }, second!] }],
  ['the order of the agents', { ...RECORD, agents: [second!, first!] }],
  ['a button', { ...RECORD, ports: [{ portId: 'p1', buttons: [true, false, false], axes: [-1] }] }],
  ['the number of buttons', { ...RECORD, ports: [{ portId: 'p1', buttons: [true, false, true, false], axes: [-1] }] }],
  ['an axis', { ...RECORD, ports: [{ portId: 'p1', buttons: [true, false, true], axes: [-0.5] }] }],
  ['a byte of memory', { ...RECORD, inspection: Uint8Array.of(7, 8, 8) }],
])('%s changes the digest', (_what, other) => {
  expect(digestOf(other)).not.toBe(digestOf(RECORD));
});

test('an axis at minus zero behaves as at zero', () => {
  const at = (value: number): string => digestOf({ ...RECORD, ports: [{ portId: 'p1', buttons: [], axes: [value] }] });
  expect(at(-0)).toBe(at(0));
});

test('the thirty-second button has the top bit and a thirty-third is refused (session.md 2.2)', () => {
  expect(buttonMask(Array.from({ length: 32 }, (_, i) => i === 31))).toBe(2 ** 31);
  expect(() => buttonMask(new Array<boolean>(33).fill(false))).toThrow(
    expect.objectContaining({ code: 'CONTROL_BATCH' }),
  );
});
