import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openChannel } from '../../../engine/replica/channel.ts';
import { decodeMessage, encodeMessage } from '../../../engine/replica/wire.ts';
import type { WireMessage } from '../../../engine/replica/wire.ts';

const message: WireMessage = {
  header: { type: 'snapshot', sequence: 7 },
  attachments: [
    { kind: 'view', index: 0, bytes: Uint8Array.from([1, 2, 3]) },
    { kind: 'spikes', index: 1, bytes: new Uint8Array(0) },
  ],
};

test('a message survives the wire (feed-control.md 2)', () => {
  expect(decodeMessage(encodeMessage(message))).toEqual(message);
});

test('any cut of a message is refused as WIRE_FORMAT', () => {
  const whole = encodeMessage(message);
  for (let length = 0; length < whole.length; length++) {
    expect(() => decodeMessage(whole.subarray(0, length))).toThrow(expect.objectContaining({ code: 'WIRE_FORMAT' }));
  }
});

test('bytes after the last attachment are refused', () => {
  const longer = Uint8Array.from([...encodeMessage(message), 0]);
  expect(() => decodeMessage(longer)).toThrow('1 bytes follow the last attachment');
});

test('another protocol is refused by its number', () => {
  const text = JSON.stringify({ protocol: 1, type: 'snapshot', attachments: [] });
  const bytes = new Uint8Array(4 + text.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(new TextEncoder().encode(text), 4);
  expect(() => decodeMessage(bytes)).toThrow('protocol 1, this program speaks 2');
});

test('a header above 64 KiB is refused by the writer (feed-control.md 83)', () => {
  const header = { type: 'x', text: 'a'.repeat(65_536) };
  expect(() => encodeMessage({ header, attachments: [] })).toThrow(expect.objectContaining({ code: 'WIRE_LIMIT' }));
});

test('a channel delivers messages whole and in order however the stream cuts them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }), (cuts) => {
      const received: number[] = [];
      const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
      openChannel(stream, {
        onMessage: ({ header }) => void received.push(header.sequence as number),
        onClose: () => undefined,
      });
      const bytes = Buffer.concat([1, 2, 3].map((sequence) => framed({ ...message, header: { type: 'x', sequence } })));
      let at = 0;
      for (let i = 0; at < bytes.length; i++) {
        const take = cuts[i % cuts.length]!;
        stream.emit('data', bytes.subarray(at, at + take));
        at += take;
      }
      expect(received).toEqual([1, 2, 3]);
    }),
  );
});

test('a channel closes once, with the reason, on a stream that is no protocol', () => {
  const errors: (Error | null)[] = [];
  const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  openChannel(stream, { onMessage: () => undefined, onClose: (error) => void errors.push(error) });
  stream.emit('data', Buffer.from([255, 255, 255, 255, 0]));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({ code: 'WIRE_LIMIT' });
});

function framed(body: WireMessage): Buffer {
  const bytes = encodeMessage(body);
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32LE(bytes.length);
  return Buffer.concat([prefix, bytes]);
}
