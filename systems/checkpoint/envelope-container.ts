import { DataError, InvariantError } from '../../engine/errors.ts';
import { canonicalJsonBytes } from '../../engine/identity/canonical-json.ts';
import type { JsonValue } from '../../engine/identity/canonical-json.ts';
import { sha256Bytes } from '../../engine/identity/digest.ts';
import { isId } from '../../engine/identity/scalars.ts';
import { parseCanonicalJson } from '../../engine/identity/strict-json.ts';

/**
 * The group container FLYSESS1, version 1 (spec: brain.md 10.3, session.md 17.3). Little-endian, digests raw SHA-256,
 * every gap zero:
 *
 *     0    header, 32 bytes: magic `FLYSESS1`, u32 version, u32 header bytes, u32 manifest bytes, u32 payload count,
 *          u32 table offset, u32 zero
 *     32   manifest: canonical JSON, no newline
 *     r8   table: 112 bytes per payload: name 64 (Id, NUL padded), u64 offset, u64 byte length, digest 32
 *     r8   payloads, each at the next multiple of eight
 *     r8   footer, 48 bytes: u64 file bytes, SHA-256 of everything before the footer, magic `FLYSESSF`
 */
export type Container = {
  readonly manifest: JsonValue;
  /** By name, in table order; views into the file. */
  readonly payloads: ReadonlyMap<string, Uint8Array>;
  /** Raw SHA-256 of each payload, checked. */
  readonly digests: ReadonlyMap<string, Uint8Array>;
};

export const MAGIC = 'FLYSESS1';
const FOOTER_MAGIC = 'FLYSESSF';
const VERSION = 1;
const HEADER_BYTES = 32;
const ENTRY_BYTES = 112;
const NAME_BYTES = 64;
const FOOTER_BYTES = 48;
/** Spec: session.md 2.2. */
export const MAX_PAYLOADS = 64;

/** Raw SHA-256 of each payload, by name. */
export function digestPayloads(payloads: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  return new Map([...payloads].map(([name, bytes]) => [name, sha256Bytes(bytes)]));
}

/**
 * @param digests of these payloads, when the caller has them already
 * @throws InvariantError CONTAINER for a name that is no Id or too many payloads; DataError CANONICAL_JSON
 */
export function encodeContainer(
  manifest: unknown,
  payloads: ReadonlyMap<string, Uint8Array>,
  digests: ReadonlyMap<string, Uint8Array> = digestPayloads(payloads),
): Uint8Array {
  if (payloads.size > MAX_PAYLOADS || ![...payloads.keys()].every(isId)) {
    const names = [...payloads.keys()].join(', ');
    throw new InvariantError(
      'CONTAINER',
      `group checkpoint: ${payloads.size} payloads (${names}); at most 64 Ids fit.`,
    );
  }
  const manifestBytes = canonicalJsonBytes(manifest);
  const tableAt = align8(HEADER_BYTES + manifestBytes.byteLength);
  let end = align8(tableAt + payloads.size * ENTRY_BYTES);
  const offsets: number[] = [];
  for (const bytes of payloads.values()) {
    offsets.push(end);
    end = align8(end + bytes.byteLength);
  }
  const out = new Uint8Array(end + FOOTER_BYTES);
  const view = new DataView(out.buffer);
  writeAscii(out, 0, MAGIC);
  [VERSION, HEADER_BYTES, manifestBytes.byteLength, payloads.size, tableAt, 0].forEach((value, i) => {
    view.setUint32(8 + i * 4, value, true);
  });
  out.set(manifestBytes, HEADER_BYTES);
  let entryAt = tableAt;
  [...payloads].forEach(([name, bytes], i) => {
    writeAscii(out, entryAt, name);
    view.setBigUint64(entryAt + 64, BigInt(offsets[i]!), true);
    view.setBigUint64(entryAt + 72, BigInt(bytes.byteLength), true);
    out.set(digests.get(name)!, entryAt + 80);
    out.set(bytes, offsets[i]);
    entryAt += ENTRY_BYTES;
  });
  view.setBigUint64(end, BigInt(out.byteLength), true);
  out.set(sha256Bytes(out.subarray(0, end)), end + 8);
  writeAscii(out, end + 40, FOOTER_MAGIC);
  return out;
}

/**
 * Reads a container in the order of session.md 17.3; any failure refuses the whole of it.
 * @throws DataError CONTAINER_HEADER, CONTAINER_FOOTER, CONTAINER_MANIFEST, CONTAINER_TABLE or CONTAINER_PAYLOAD
 */
export function decodeContainer(bytes: Uint8Array): Container {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { manifestBytes, count, tableAt } = readHeader(bytes, view);
  checkFooter(bytes, view);
  const footerAt = bytes.byteLength - FOOTER_BYTES;
  const manifestEnd = HEADER_BYTES + manifestBytes;
  if (manifestEnd > footerAt) throw refused('CONTAINER_MANIFEST', `a manifest of ${manifestBytes} bytes does not fit`);
  const manifest = readManifest(bytes.subarray(HEADER_BYTES, manifestEnd));
  const tableEnd = tableAt + count * ENTRY_BYTES;
  if (tableAt !== align8(manifestEnd) || tableEnd > footerAt) {
    throw refused('CONTAINER_TABLE', `its table of ${count} entries at ${tableAt} does not follow the manifest`);
  }
  requireZeros(bytes, manifestEnd, tableAt);
  const payloads = new Map<string, Uint8Array>();
  const digests = new Map<string, Uint8Array>();
  let at = align8(tableEnd);
  let gapFrom = tableEnd;
  for (let entryAt = tableAt; entryAt < tableEnd; entryAt += ENTRY_BYTES) {
    const name = readName(bytes.subarray(entryAt, entryAt + NAME_BYTES));
    if (payloads.has(name)) throw refused('CONTAINER_TABLE', `payload ${name} is listed twice`);
    const offset = view.getBigUint64(entryAt + 64, true);
    const length = view.getBigUint64(entryAt + 72, true);
    if (offset !== BigInt(at)) throw refused('CONTAINER_TABLE', `payload ${name} stands at ${offset}, not at ${at}`);
    if (offset + length > BigInt(footerAt)) {
      throw refused('CONTAINER_TABLE', `payload ${name} of ${length} bytes reaches beyond ${footerAt}`);
    }
    const end = at + Number(length);
    const payload = bytes.subarray(at, end);
    const digest = sha256Bytes(payload);
    if (!isEqual(digest, bytes.subarray(entryAt + 80, entryAt + ENTRY_BYTES))) {
      throw refused('CONTAINER_PAYLOAD', `payload ${name} does not match its digest`);
    }
    requireZeros(bytes, gapFrom, at);
    payloads.set(name, payload);
    digests.set(name, digest);
    gapFrom = end;
    at = align8(end);
  }
  if (at !== footerAt) throw refused('CONTAINER_FOOTER', `its footer stands at ${footerAt}, not at ${at}`);
  requireZeros(bytes, gapFrom, at);
  return { manifest, payloads, digests };
}

type Header = { readonly manifestBytes: number; readonly count: number; readonly tableAt: number };

function readHeader(bytes: Uint8Array, view: DataView): Header {
  if (bytes.byteLength < HEADER_BYTES + FOOTER_BYTES) {
    throw refused('CONTAINER_HEADER', `${bytes.byteLength} bytes are too few`);
  }
  if (!hasAscii(bytes, 0, MAGIC)) throw refused('CONTAINER_HEADER', 'it does not begin with FLYSESS1');
  const u32 = (at: number): number => view.getUint32(at, true);
  if (u32(8) !== VERSION) throw refused('CONTAINER_HEADER', `version ${u32(8)}; this program reads ${VERSION}`);
  if (u32(12) !== HEADER_BYTES) throw refused('CONTAINER_HEADER', `a header of ${u32(12)} bytes`);
  if (u32(28) !== 0) throw refused('CONTAINER_HEADER', `reserved word ${u32(28)}`);
  if (u32(20) > MAX_PAYLOADS) throw refused('CONTAINER_HEADER', `${u32(20)} payloads, at most ${MAX_PAYLOADS}`);
  return { manifestBytes: u32(16), count: u32(20), tableAt: u32(24) };
}

function checkFooter(bytes: Uint8Array, view: DataView): void {
  const at = bytes.byteLength - FOOTER_BYTES;
  if (!hasAscii(bytes, at + 40, FOOTER_MAGIC)) {
    throw refused('CONTAINER_FOOTER', 'it does not end with FLYSESSF; the file is cut short');
  }
  const fileBytes = view.getBigUint64(at, true);
  if (fileBytes !== BigInt(bytes.byteLength)) {
    throw refused('CONTAINER_FOOTER', `its footer counts ${fileBytes} bytes, the file has ${bytes.byteLength}`);
  }
  if (!isEqual(sha256Bytes(bytes.subarray(0, at)), bytes.subarray(at + 8, at + 40))) {
    throw refused('CONTAINER_FOOTER', 'its bytes do not match their digest; the file is damaged');
  }
}

function readManifest(bytes: Uint8Array): JsonValue {
  try {
    return parseCanonicalJson(bytes);
  } catch (cause) {
    throw refused('CONTAINER_MANIFEST', 'its manifest is not canonical JSON', { cause });
  }
}

function readName(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const name = String.fromCharCode(...bytes.subarray(0, end < 0 ? NAME_BYTES : end));
  const isPadded = end < 0 || bytes.subarray(end).every((byte) => byte === 0);
  if (!isId(name) || !isPadded) throw refused('CONTAINER_TABLE', `${JSON.stringify(name)} is no payload name`);
  return name;
}

function requireZeros(bytes: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    if (bytes[i] !== 0) throw refused('CONTAINER_TABLE', `the gap at ${from} holds ${bytes[i]}, not zeros`);
  }
}

/** The next multiple of eight, or `value` itself. */
function align8(value: number): number {
  return Math.ceil(value / 8) * 8;
}

function writeAscii(out: Uint8Array, at: number, text: string): void {
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
}

function hasAscii(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && a.every((byte, i) => byte === b[i]);
}

function refused(code: string, what: string, options?: ErrorOptions): DataError {
  return new DataError(code, `group checkpoint: ${what}. Nothing was restored; use another checkpoint.`, options);
}
