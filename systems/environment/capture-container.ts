import { DataError } from '../../engine/errors.ts';
import { sha256Bytes } from '../../engine/identity/digest.ts';
import { isU64 } from '../../engine/identity/scalars.ts';
import { parseStrictJson } from '../../engine/identity/strict-json.ts';

/** Only a capture of the same build, content and configuration continues exactly (spec: session.md 13). */
export type CaptureIdentity = {
  readonly backendDigest: string;
  readonly contentDigest: string;
  readonly configurationDigest: string;
};

export type CaptureFormat = {
  /** 8 ASCII characters. */
  readonly magic: string;
  /** With its article, for `it is not ...`. */
  readonly name: string;
  /** What each digest is of, for a person. */
  readonly meaning: Readonly<Record<keyof CaptureIdentity, string>>;
};

type Unchecked<Fields> = Readonly<Partial<Record<keyof Fields, unknown>>>;
type Header<Fields> = CaptureIdentity & { readonly engineFrame: string } & Fields;

const IDENTITY_KEYS = ['backendDigest', 'contentDigest', 'configurationDigest'] as const;
const DIGEST_AT = 8;
const LENGTH_AT = 40;
const HEADER_AT = 44;

/**
 * The shape every environment's capture has:
 *
 *     0   8   magic
 *     8   32  SHA-256 of everything from offset 40
 *     40  4   u32 little-endian, length n of the header
 *     44  n   JSON: the identity, engineFrame, and the environment's own fields
 *     then    the environment's own blocks, one after the other
 */
export function packCapture(
  { magic }: CaptureFormat,
  { backendDigest, contentDigest, configurationDigest }: CaptureIdentity,
  fields: { readonly engineFrame: string } & Readonly<Record<string, unknown>>,
  blocks: readonly Uint8Array[],
): Uint8Array {
  const header = { backendDigest, contentDigest, configurationDigest, ...fields };
  const headerBytes = new TextEncoder().encode(JSON.stringify(header));
  const byteLength = blocks.reduce((sum, block) => sum + block.byteLength, HEADER_AT + headerBytes.byteLength);
  const out = new Uint8Array(byteLength);
  out.set(new TextEncoder().encode(magic), 0);
  new DataView(out.buffer).setUint32(LENGTH_AT, headerBytes.byteLength, true);
  out.set(headerBytes, HEADER_AT);
  let at = HEADER_AT + headerBytes.byteLength;
  for (const block of blocks) {
    out.set(block, at);
    at += block.byteLength;
  }
  out.set(sha256Bytes(out.subarray(LENGTH_AT)), DIGEST_AT);
  return out;
}

/**
 * The header of a sound capture of this identity, and a view of its blocks.
 * @param isWhole whether the environment's own fields are there
 * @throws DataError ENVIRONMENT_STATE, naming what disagrees
 */
export function unpackCapture<Fields>(
  format: CaptureFormat,
  identity: CaptureIdentity,
  bytes: Uint8Array,
  isWhole: (fields: Unchecked<Fields>) => boolean,
): { readonly header: Header<Fields>; readonly blocks: Uint8Array } {
  const magic = new TextEncoder().encode(format.magic);
  if (bytes.byteLength < HEADER_AT || magic.some((byte, i) => bytes[i] !== byte)) {
    throw refuseCapture(`it is not ${format.name}`);
  }
  const digest = sha256Bytes(bytes.subarray(LENGTH_AT));
  if (digest.some((byte, i) => bytes[DIGEST_AT + i] !== byte)) {
    throw refuseCapture('its digest disagrees with its bytes');
  }
  const blocksAt = HEADER_AT + new DataView(bytes.buffer, bytes.byteOffset).getUint32(LENGTH_AT, true);
  const header = parseHeader<Fields>(bytes.subarray(HEADER_AT, blocksAt), isWhole);
  for (const key of IDENTITY_KEYS) {
    if (header[key] === identity[key]) continue;
    const [made, own] = [header[key].slice(0, 12), identity[key].slice(0, 12)];
    throw refuseCapture(`${format.meaning[key]} it was made with is ${made}, this one is ${own}`);
  }
  if (blocksAt > bytes.byteLength) throw refuseCapture('its header disagrees with its length');
  return { header, blocks: bytes.subarray(blocksAt) };
}

function parseHeader<Fields>(bytes: Uint8Array, isWhole: (fields: Unchecked<Fields>) => boolean): Header<Fields> {
  let fields: Unchecked<Header<Fields>>;
  try {
    fields = (parseStrictJson(bytes) ?? {}) as typeof fields;
  } catch (cause) {
    throw refuseCapture('its header is not JSON', cause);
  }
  const { engineFrame }: Unchecked<Header<unknown>> = fields;
  const isIdentified = IDENTITY_KEYS.every((key) => typeof fields[key] === 'string') && isU64(engineFrame);
  if (isIdentified && isWhole(fields)) return fields as Header<Fields>;
  throw refuseCapture('its header is not complete');
}

export function refuseCapture(why: string, cause?: unknown): DataError {
  const message = `environment state: ${why}; take another checkpoint or start afresh.`;
  return new DataError('ENVIRONMENT_STATE', message, { cause });
}
