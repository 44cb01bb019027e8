import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gzipStored } from '../../../../systems/kernel/connectome/stored-gzip.ts';

test('any gzip reader gets the bytes back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (data) => {
      expect(new Uint8Array(gunzipSync(gzipStored(data)))).toEqual(data);
    }),
  );
});

test('data longer than one stored block comes back too, at both edges of the block length', () => {
  for (const length of [0xffff - 1, 0xffff, 0xffff + 1, 3 * 0xffff]) {
    const data = Uint8Array.from({ length }, (_, i) => (i * 31) & 255);
    expect(Buffer.compare(gunzipSync(gzipStored(data)), data)).toBe(0);
  }
});

test('the header names no time and no system, as the published bundles do (brain.md 1.4)', () => {
  expect(Array.from(gzipStored(Uint8Array.of(1)).subarray(0, 10))).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
});
