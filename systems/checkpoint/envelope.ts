import { crc32 } from 'node:zlib';
import { DataError, InvariantError } from '../../engine/errors.ts';
import type { JsonValue } from '../../engine/identity/canonical-json.ts';
import { parseStrictJson } from '../../engine/identity/strict-json.ts';

/**
 * A manifest and named chunks of bytes in one file, schema 2 (spec: brain.md 10.1). All u32 little-endian:
 *
 *     magic              ASCII, chosen by the caller
 *     u32, bytes         length and UTF-8 of the JSON manifest
 *     per chunk          u32 length, bytes; in the manifest's order
 *     u32                CRC-32 of every byte before it
 */
export type Envelope = {
  /** The caller's fields, then `schemaVersion` and `chunks`. */
  readonly manifest: Readonly<Record<string, JsonValue>>;
  /** By name, in file order; copies. */
  readonly chunks: ReadonlyMap<string, Uint8Array>;
};

const SCHEMA_VERSION = 2;
const CHUNK_NAME = /^[a-zA-Z]+$/;

/**
 * @param fields JSON values; `schemaVersion` and `chunks` among them are replaced
 * @throws InvariantError ENVELOPE when the magic is empty or a chunk is misnamed or named twice
 */
export function encodeEnvelope(
  magic: string,
  fields: Readonly<Record<string, unknown>>,
  chunks: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  const names = [...chunks.keys()];
  const misnamed = names.find((name) => !CHUNK_NAME.test(name));
  if (magic === '' || misnamed !== undefined) {
    throw new InvariantError(
      'ENVELOPE',
      `envelope ${magic || '(no magic)'}: chunk name ${String(misnamed)} is not letters only.`,
    );
  }
  const text = new TextEncoder();
  const head = text.encode(magic);
  const manifest = text.encode(JSON.stringify({ ...fields, schemaVersion: SCHEMA_VERSION, chunks: names }));
  let total = head.byteLength + 4 + manifest.byteLength + 4;
  for (const bytes of chunks.values()) total += 4 + bytes.byteLength;
  const out = new Uint8Array(total);
  const view = new DataView(out.buffer);
  out.set(head, 0);
  let at = head.byteLength;
  for (const bytes of [manifest, ...chunks.values()]) {
    view.setUint32(at, bytes.byteLength, true);
    out.set(bytes, at + 4);
    at += 4 + bytes.byteLength;
  }
  view.setUint32(at, crc32(out.subarray(0, at)), true);
  return out;
}

/**
 * Reads an envelope, checking in the order of brain.md 10.1.
 * @throws DataError ENVELOPE_MAGIC, ENVELOPE_MANIFEST, ENVELOPE_VERSION, ENVELOPE_CHECKSUM or ENVELOPE_CHUNKS
 */
export function decodeEnvelope(magic: string, bytes: Uint8Array): Envelope {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = new TextEncoder().encode(magic);
  if (bytes.byteLength < head.byteLength + 4 || head.some((byte, i) => bytes[i] !== byte)) {
    throw refused('ENVELOPE_MAGIC', magic, `${bytes.byteLength} bytes that do not begin with it`);
  }
  const end = bytes.byteLength - 4;
  const manifestAt = head.byteLength + 4;
  const manifestBytes = view.getUint32(head.byteLength, true);
  if (manifestAt + manifestBytes > end) {
    throw refused('ENVELOPE_MANIFEST', magic, `a manifest of ${manifestBytes} bytes does not fit ${bytes.byteLength}`);
  }
  const manifest = parseManifest(magic, bytes.subarray(manifestAt, manifestAt + manifestBytes));
  const version = manifest['schemaVersion'] ?? null;
  if (version !== SCHEMA_VERSION) {
    const shown = JSON.stringify(version);
    throw refused('ENVELOPE_VERSION', magic, `schemaVersion is ${shown}; this program reads ${SCHEMA_VERSION}`);
  }
  if (crc32(bytes.subarray(0, end)) !== view.getUint32(end, true)) {
    throw refused('ENVELOPE_CHECKSUM', magic, 'its bytes do not match their CRC-32; the file is damaged');
  }
  const chunks = new Map<string, Uint8Array>();
  let at = manifestAt + manifestBytes;
  for (const name of chunkNames(magic, manifest)) {
    const chunkEnd = at + 4 > end ? Infinity : at + 4 + view.getUint32(at, true);
    if (chunkEnd > end) throw refused('ENVELOPE_CHUNKS', magic, `chunk ${name} is cut short`);
    chunks.set(name, new Uint8Array(bytes.subarray(at + 4, chunkEnd))); // `slice` of a Buffer would not copy
    at = chunkEnd;
  }
  if (at !== end) throw refused('ENVELOPE_CHUNKS', magic, `${end - at} bytes follow the last chunk`);
  return { manifest, chunks };
}

function parseManifest(magic: string, bytes: Uint8Array): Readonly<Record<string, JsonValue>> {
  let manifest: JsonValue;
  try {
    manifest = parseStrictJson(bytes);
  } catch (cause) {
    throw refused('ENVELOPE_MANIFEST', magic, 'its manifest is not JSON', { cause });
  }
  if (typeof manifest !== 'object' || manifest === null || isList(manifest)) {
    throw refused('ENVELOPE_MANIFEST', magic, 'its manifest is not an object');
  }
  return manifest;
}

function chunkNames(magic: string, manifest: Readonly<Record<string, JsonValue>>): string[] {
  const names = manifest['chunks'];
  if (names === undefined || !isList(names)) throw refused('ENVELOPE_CHUNKS', magic, 'its chunk list is missing');
  return names.map((name, at) => {
    if (typeof name !== 'string' || !CHUNK_NAME.test(name)) {
      throw refused('ENVELOPE_CHUNKS', magic, `chunk name ${JSON.stringify(name)} is not letters only`);
    }
    if (names.indexOf(name) !== at) throw refused('ENVELOPE_CHUNKS', magic, `chunk ${name} is listed twice`);
    return name;
  });
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function refused(code: string, magic: string, what: string, options?: ErrorOptions): DataError {
  return new DataError(code, `${magic} file: ${what}. Nothing was restored; use another checkpoint.`, options);
}
