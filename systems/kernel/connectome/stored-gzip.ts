import { crc32 } from 'node:zlib';

/** Largest stored block of deflate (RFC 1951, 3.2.4). */
const BLOCK_BYTES = 0xffff;
const HEADER_BYTES = 10;
const BLOCK_HEADER_BYTES = 5;
const TRAILER_BYTES = 8;

/**
 * A gzip stream without compression (RFC 1952). A bundle's published fingerprint covers the hashes of its compressed
 * files (spec: brain.md 1.4), and compressors differ between machines; stored blocks do not, so the same graph has the
 * same fingerprint everywhere. Our arrays would shrink to about a half only.
 */
export function gzipStored(data: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(data.length / BLOCK_BYTES));
  const out = new Uint8Array(HEADER_BYTES + blocks * BLOCK_HEADER_BYTES + data.length + TRAILER_BYTES);
  const view = new DataView(out.buffer);
  out.set([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]); // no time, no name, unknown system
  let at = HEADER_BYTES;
  for (let block = 0; block < blocks; block++) {
    const start = block * BLOCK_BYTES;
    const length = Math.min(BLOCK_BYTES, data.length - start);
    out[at] = block === blocks - 1 ? 1 : 0;
    view.setUint16(at + 1, length, true);
    view.setUint16(at + 3, ~length & 0xffff, true);
    out.set(data.subarray(start, start + length), at + BLOCK_HEADER_BYTES);
    at += BLOCK_HEADER_BYTES + length;
  }
  view.setUint32(at, crc32(data), true);
  view.setUint32(at + 4, data.length, true); // modulo 2^32 by format; no array here comes near
  return out;
}
