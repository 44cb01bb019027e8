import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** SHA-256 of bytes, or of a text's UTF-8, as 64 lowercase hex digits. */
export function sha256Hex(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The same as 32 bytes. */
export function sha256Bytes(data: Uint8Array | string): Buffer {
  return createHash('sha256').update(data).digest();
}

/** SHA-256 of the canonical UTF-8 of `value` (spec: session.md 2.3). @throws DataError CANONICAL_JSON */
export function canonicalDigest(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}
