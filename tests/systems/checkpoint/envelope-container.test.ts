import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeContainer, encodeContainer } from '../../../systems/checkpoint/envelope-container.ts';

/** Spec brain.md 10.3, the layout whose tail is not aligned. */
const UNALIGNED = encodeContainer(
  { a: 1, b: 2 },
  new Map([
    ['one', Buffer.from('first')],
    ['two', new Uint8Array(9)],
  ]),
);

const u32 = (bytes: Uint8Array, at: number): number => Buffer.from(bytes).readUInt32LE(at);
const u64 = (bytes: Uint8Array, at: number): number => Number(Buffer.from(bytes).readBigUInt64LE(at));
const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  Buffer.from(bytes.subarray(at, at + length)).toString('latin1');

test('the unaligned example: table 48, payloads 272 and 280, footer 296, file 344, published digest (brain.md 10.3)', () => {
  expect(UNALIGNED).toHaveLength(344);
  expect(u32(UNALIGNED, 24)).toBe(48);
  expect([u64(UNALIGNED, 48 + 64), u64(UNALIGNED, 48 + 112 + 64)]).toEqual([272, 280]);
  expect(u64(UNALIGNED, 296)).toBe(344);
  expect(ascii(UNALIGNED, 336, 8)).toBe('FLYSESSF');
  expect(Buffer.from(UNALIGNED.subarray(304, 336)).toString('hex')).toBe(
    '93994aaeb0985095f3f2c0272645898269cc55d0570d7bbee3796b2af6069b94',
  );
});

/** A container with the published sizes; the fixture's own manifest text is not published, so the text is ours. */
const SIZED = encodeContainer(
  { pad: 'x'.repeat(2_096 - '{"pad":""}'.length) },
  new Map([17, 14, 11, 10, 64].map((length, i) => [`payload-${i}`, new Uint8Array(length).fill(i + 1)])),
);

test('a manifest of 2,096 bytes and the published payloads land on the published offsets (brain.md 10.3, session.md 17.3)', () => {
  expect([8, 12, 16, 20, 24, 28].map((at) => u32(SIZED, at))).toEqual([1, 32, 2_096, 5, 2_128, 0]);
  expect([0, 1, 2, 3, 4].map((i) => u64(SIZED, 2_128 + i * 112 + 64))).toEqual([2_688, 2_712, 2_728, 2_744, 2_760]);
  expect([0, 1, 2, 3, 4].map((i) => u64(SIZED, 2_128 + i * 112 + 72))).toEqual([17, 14, 11, 10, 64]);
  expect(u64(SIZED, 2_824)).toBe(2_872);
  expect(SIZED).toHaveLength(2_872);
});

test('the older manifest of 2,101 bytes moves the table to 2,136 and the footer to 2,832 (session.md 17.3)', () => {
  const older = encodeContainer(
    { pad: 'x'.repeat(2_101 - '{"pad":""}'.length) },
    new Map([17, 14, 11, 10, 64].map((length, i) => [`payload-${i}`, new Uint8Array(length)])),
  );
  expect([u32(older, 24), u64(older, 2_136 + 64), u64(older, 2_832), older.byteLength]).toEqual([
    2_136, 2_696, 2_880, 2_880,
  ]);
});

test.each([0, 8, 32, 2_688, 2_832, 2_864])(
  'PER-03 a flip at %i of the 2,872-byte sample is refused (session.md 17.3)',
  (at) => {
    const bad = SIZED.slice();
    bad[at]! ^= 1;
    expect(() => decodeContainer(bad)).toThrow(/^group checkpoint/);
  },
);

test('PER-03 every single flipped byte and every cut end is refused', () => {
  for (let at = 0; at < UNALIGNED.byteLength; at++) {
    const bad = UNALIGNED.slice();
    bad[at]! ^= 0x80;
    expect(() => decodeContainer(bad)).toThrow(/^group checkpoint/);
    expect(() => decodeContainer(UNALIGNED.subarray(0, at))).toThrow(/^group checkpoint/);
  }
});

/** The example changed by hand, with its closing digest made good again: only the named check can refuse it. */
function resealed(change: (bytes: Buffer) => Buffer): Buffer {
  const bytes = change(Buffer.from(UNALIGNED));
  const footerAt = bytes.byteLength - 48;
  bytes.writeBigUInt64LE(BigInt(bytes.byteLength), footerAt);
  createHash('sha256')
    .update(bytes.subarray(0, footerAt))
    .digest()
    .copy(bytes, footerAt + 8);
  return bytes;
}
const at = (offset: number, value: number) => (bytes: Buffer) => {
  bytes[offset] = value;
  return bytes;
};

test.each<[what: string, bytes: Uint8Array, code: string]>([
  ['a file of 79 bytes', UNALIGNED.subarray(0, 79), 'CONTAINER_HEADER'],
  ['a FLYSIM01 file', resealed((bytes) => (bytes.write('FLYSIM01', 0), bytes)), 'CONTAINER_HEADER'],
  ['another version', resealed(at(8, 2)), 'CONTAINER_HEADER'],
  ['another header size', resealed(at(12, 40)), 'CONTAINER_HEADER'],
  ['a reserved word that is used', resealed(at(28, 1)), 'CONTAINER_HEADER'],
  ['65 payloads', resealed(at(20, 65)), 'CONTAINER_HEADER'],
  ['a file that was cut', UNALIGNED.subarray(0, 336), 'CONTAINER_FOOTER'],
  ['a manifest that is not canonical', resealed((b) => (b.write('{"b":1,"a":2}', 32), b)), 'CONTAINER_MANIFEST'],
  ['a manifest that is no JSON', resealed((b) => (b.write('{"a":1,"b":2,', 32), b)), 'CONTAINER_MANIFEST'],
  ['a manifest longer than the file', resealed(at(17, 255)), 'CONTAINER_MANIFEST'],
  ['a table that stands elsewhere', resealed(at(24, 56)), 'CONTAINER_TABLE'],
  ['more payloads than the file has room for', resealed(at(20, 64)), 'CONTAINER_TABLE'],
  ['a payload without a name', resealed(at(48, 0)), 'CONTAINER_TABLE'],
  ['a payload name in upper case', resealed(at(48, 0x4f)), 'CONTAINER_TABLE'],
  ['something after a name', resealed(at(48 + 63, 0x61)), 'CONTAINER_TABLE'],
  ['a payload listed twice', resealed((b) => (b.write('one', 160), b)), 'CONTAINER_TABLE'],
  ['a payload moved by one byte', resealed(at(48 + 64, 17)), 'CONTAINER_TABLE'],
  ['a payload that reaches beyond the file', resealed(at(48 + 73, 1)), 'CONTAINER_TABLE'],
  ['a payload of 2^63 bytes', resealed(at(48 + 79, 0x80)), 'CONTAINER_TABLE'],
  ['a payload that is not its digest', resealed(at(272, 0x46)), 'CONTAINER_PAYLOAD'],
  ['a gap after the manifest that is not zero', resealed(at(45, 1)), 'CONTAINER_TABLE'],
  ['a gap between payloads that is not zero', resealed(at(277, 1)), 'CONTAINER_TABLE'],
  ['a gap before the footer that is not zero', resealed(at(289, 1)), 'CONTAINER_TABLE'],
  [
    'eight bytes between the last payload and the footer',
    resealed((b) => Buffer.concat([b.subarray(0, 296), Buffer.alloc(8), b.subarray(296)])),
    'CONTAINER_FOOTER',
  ],
])('PER-03 %s is refused at its own check (session.md 17.3)', (_what, bytes, code) => {
  expect(() => decodeContainer(bytes)).toThrow(expect.objectContaining({ code }));
});

test('a container without payloads puts its footer after the manifest (brain.md 10.3)', () => {
  const empty = encodeContainer({}, new Map());
  expect(empty).toHaveLength(40 + 48);
  expect(decodeContainer(empty).payloads.size).toBe(0);
});

test('a payload name of 64 characters fills its field', () => {
  const name = 'n'.repeat(64);
  expect([...decodeContainer(encodeContainer({}, new Map([[name, Uint8Array.of(1)]]))).payloads.keys()]).toEqual([
    name,
  ]);
});

test.each<[what: string, payloads: Map<string, Uint8Array>]>([
  ['a name in upper case', new Map([['World', new Uint8Array(1)]])],
  ['65 payloads', new Map(Array.from({ length: 65 }, (_, i) => [`p${i}`, new Uint8Array(1)]))],
])('%s is not written', (_what, payloads) => {
  expect(() => encodeContainer({}, payloads)).toThrow(expect.objectContaining({ code: 'CONTAINER' }));
});

test('whatever is written is read back, wherever the buffer begins', () => {
  const payloads = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/), fc.uint8Array()), {
    selector: ([name]) => name,
    maxLength: 8,
  });
  fc.assert(
    fc.property(payloads, fc.integer(), fc.integer({ min: 0, max: 9 }), (list, number, shift) => {
      const written = encodeContainer({ number }, new Map(list));
      const room = new Uint8Array(written.byteLength + shift);
      room.set(written, shift);
      const { manifest, payloads: read } = decodeContainer(room.subarray(shift));
      expect({ ...(manifest as object) }).toEqual({ number });
      expect([...read]).toEqual(list);
    }),
  );
});
