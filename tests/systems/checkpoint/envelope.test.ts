import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeEnvelope, encodeEnvelope } from '../../../systems/checkpoint/envelope.ts';

// brain.md 10.1: magic FLYBRAIN, {note:"hello",count:7}, alpha = [1,2,3], beta empty.
const PUBLISHED =
  '464c59425241494e460000007b226e6f7465223a2268656c6c6f222c22636f756e74223a372c22736368656d6156657273696f6e223a322c22' +
  '6368756e6b73223a5b22616c706861222c2262657461225d7d0300000001020300000000432d3127';
const CHUNKS = new Map([
  ['alpha', Uint8Array.of(1, 2, 3)],
  ['beta', new Uint8Array(0)],
]);

test('the example of the specification is written byte for byte, 97 bytes (brain.md 10.1)', () => {
  const bytes = encodeEnvelope('FLYBRAIN', { note: 'hello', count: 7 }, CHUNKS);
  expect(bytes).toHaveLength(97);
  expect(Buffer.from(bytes).toString('hex')).toBe(PUBLISHED);
});

test('the example of the specification is read back (brain.md 10.1)', () => {
  const { manifest, chunks } = decodeEnvelope('FLYBRAIN', Buffer.from(PUBLISHED, 'hex'));
  expect({ ...manifest }).toEqual({ note: 'hello', count: 7, schemaVersion: 2, chunks: ['alpha', 'beta'] });
  expect(chunks).toEqual(CHUNKS);
});

test('the checksum is CRC-32 with the usual check value (brain.md 10.1)', () => {
  expect(crc32('123456789')).toBe(0xcbf43926);
});

test('the fields schemaVersion and chunks are the writer’s own (brain.md 10.1)', () => {
  const { manifest } = decodeEnvelope('M', encodeEnvelope('M', { schemaVersion: 9, chunks: 'x' }, CHUNKS));
  expect(manifest).toMatchObject({ schemaVersion: 2, chunks: ['alpha', 'beta'] });
});

test('chunks are copies: writing to the file afterwards changes nothing (brain.md 10.1)', () => {
  const bytes = Buffer.from(PUBLISHED, 'hex');
  const { chunks } = decodeEnvelope('FLYBRAIN', bytes);
  bytes.fill(0xff);
  expect(chunks.get('alpha')).toEqual(Uint8Array.of(1, 2, 3));
});

test.each(['', 'a1', 'a-b', 'ä'])('a chunk named "%s" is not written (brain.md 10.1)', (name) => {
  const chunks = new Map([[name, new Uint8Array(1)]]);
  expect(() => encodeEnvelope('M', {}, chunks)).toThrow(expect.objectContaining({ code: 'ENVELOPE' }));
});

/** An envelope around any manifest text and body, with a good checksum. */
function sealed(manifest: string, body: readonly number[] = [], magic = 'M'): Uint8Array {
  const text = Buffer.from(manifest);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.byteLength);
  const bytes = Buffer.concat([Buffer.from(magic), length, text, Buffer.from(body), Buffer.alloc(4)]);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.byteLength - 4);
  return bytes;
}

const oneChunk = (list: string): string => `{"schemaVersion":2,"chunks":${list}}`;
const cut = (bytes: Uint8Array, count: number): Uint8Array => bytes.subarray(0, bytes.byteLength - count);

test.each<[what: string, bytes: Uint8Array, code: string]>([
  ['an empty file', new Uint8Array(0), 'ENVELOPE_MAGIC'],
  ['only a magic', Buffer.from('M123'), 'ENVELOPE_MAGIC'],
  ['a foreign magic', sealed(oneChunk('[]'), [], 'N'), 'ENVELOPE_MAGIC'],
  ['a manifest longer than the file', Uint8Array.of(0x4d, 255, 255, 255, 255, 0, 0, 0, 0), 'ENVELOPE_MANIFEST'],
  ['a manifest that reaches into the checksum', cut(sealed(oneChunk('[]')), 1), 'ENVELOPE_MANIFEST'],
  ['a manifest that is no JSON', sealed('{"schemaVersion":2,'), 'ENVELOPE_MANIFEST'],
  ['a manifest with a repeated key', sealed('{"schemaVersion":2,"schemaVersion":2,"chunks":[]}'), 'ENVELOPE_MANIFEST'],
  ['a manifest that is a list', sealed('[]'), 'ENVELOPE_MANIFEST'],
  ['another schema', sealed('{"schemaVersion":3,"chunks":[]}'), 'ENVELOPE_VERSION'],
  ['no schema', sealed('{"chunks":[]}'), 'ENVELOPE_VERSION'],
  ['no chunk list', sealed('{"schemaVersion":2}'), 'ENVELOPE_CHUNKS'],
  ['a chunk list that is text', sealed(oneChunk('"a"')), 'ENVELOPE_CHUNKS'],
  ['a chunk named twice', sealed(oneChunk('["a","a"]'), [0, 0, 0, 0, 0, 0, 0, 0]), 'ENVELOPE_CHUNKS'],
  ['a chunk with an illegal name', sealed(oneChunk('["a1"]'), [0, 0, 0, 0]), 'ENVELOPE_CHUNKS'],
  ['a chunk whose name is a number', sealed(oneChunk('[1]'), [0, 0, 0, 0]), 'ENVELOPE_CHUNKS'],
  ['a chunk without its length', sealed(oneChunk('["a"]'), [0, 0]), 'ENVELOPE_CHUNKS'],
  ['a chunk longer than the file', sealed(oneChunk('["a"]'), [2, 0, 0, 0, 9]), 'ENVELOPE_CHUNKS'],
  ['bytes after the last chunk', sealed(oneChunk('["a"]'), [1, 0, 0, 0, 9, 9]), 'ENVELOPE_CHUNKS'],
])('PER-03 %s is refused at its own check (brain.md 10.1)', (_what, bytes, code) => {
  expect(() => decodeEnvelope('M', bytes)).toThrow(expect.objectContaining({ code }));
});

test('the version is checked before the checksum, the checksum before the chunks (brain.md 10.1)', () => {
  const spoil = (bytes: Uint8Array): Uint8Array => {
    bytes[bytes.byteLength - 1]! ^= 1;
    return bytes;
  };
  const code = (bytes: Uint8Array): unknown => {
    try {
      return decodeEnvelope('M', bytes);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(code(spoil(sealed('{"schemaVersion":3,"chunks":[]}')))).toBe('ENVELOPE_VERSION');
  expect(code(spoil(sealed(oneChunk('"a"'))))).toBe('ENVELOPE_CHECKSUM');
});

test('PER-03 any flipped bit and any cut end of the example is refused', () => {
  const good = Buffer.from(PUBLISHED, 'hex');
  for (let bit = 0; bit < good.byteLength * 8; bit++) {
    const bad = Buffer.from(good);
    bad[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => decodeEnvelope('FLYBRAIN', bad)).toThrow(/^FLYBRAIN file/);
  }
  for (let length = 0; length < good.byteLength; length++) {
    expect(() => decodeEnvelope('FLYBRAIN', good.subarray(0, length))).toThrow(/^FLYBRAIN file/);
  }
});

test('whatever is written is read back', () => {
  const names = fc.stringMatching(/^[a-zA-Z]{1,9}$/);
  const chunks = fc.uniqueArray(fc.tuple(names, fc.uint8Array({ maxLength: 40 })), { selector: ([name]) => name });
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z0-9]{1,8}$/), fc.string(), chunks, (magic, note, list) => {
      const written = new Map(list);
      const { manifest, chunks: read } = decodeEnvelope(
        magic,
        encodeEnvelope(magic, { note: note.toWellFormed() }, written),
      );
      expect(manifest['note']).toBe(note.toWellFormed());
      expect([...read]).toEqual([...written]);
    }),
  );
});
