import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createConnectRewriter } from '../../../broadcast/relay/connect-rewriter.ts';

const TC_URL = 'rtmp://a-rather-long-ingest-name.example.org/app';

test('only the tcUrl of the connect command changes, however the bytes are cut', () => {
  const handshake = Buffer.from(Array.from({ length: 3_073 }, (_, i) => i & 255));
  const rest = Buffer.from(Array.from({ length: 700 }, (_, i) => (i * 7) & 255));
  const input = Buffer.concat([handshake, message(connect('rtmp://127.0.0.1:40123/app')), rest]);
  const wanted = Buffer.concat([handshake, message(connect(TC_URL)), rest]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 30 }), (cuts) => {
      const rewriter = createConnectRewriter(TC_URL);
      const out: Uint8Array[] = [];
      let at = 0;
      for (let i = 0; at < input.length; i++) {
        const size = cuts[i % cuts.length]!;
        out.push(Uint8Array.from(rewriter.pass(input.subarray(at, at + size))));
        at += size;
      }
      expect(Buffer.concat(out).equals(wanted)).toBe(true);
    }),
  );
});

test('anything that is not a connect command passes unchanged', () => {
  const input = Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 31) & 255));
  const rewriter = createConnectRewriter(TC_URL);
  expect(Buffer.concat([rewriter.pass(input.subarray(0, 3_500)), rewriter.pass(input.subarray(3_500))])).toEqual(input);
});

function amfString(text: string): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.of(2), size, Buffer.from(text)]);
}

function connect(tcUrl: string): Buffer {
  const property = (name: string, value: Buffer): Buffer =>
    Buffer.concat([Buffer.of(0, name.length), Buffer.from(name), value]);
  return Buffer.concat([
    amfString('connect'),
    Buffer.from([0, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 3]),
    property('app', amfString('app')),
    property('flashVer', amfString('FMLE/3.0 (compatible; a name long enough to need three chunks of one message)')),
    property('tcUrl', amfString(tcUrl)),
    property('type', amfString('nonprivate')),
    Buffer.of(0, 0, 9),
  ]);
}

function message(payload: Buffer): Buffer {
  const header = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0]);
  header.writeUIntBE(payload.length, 4, 3);
  const parts: Buffer[] = [header];
  for (let at = 0; at < payload.length; at += 128) {
    if (at > 0) parts.push(Buffer.of(0xc3));
    parts.push(payload.subarray(at, at + 128));
  }
  return Buffer.concat(parts);
}
