import { createHash } from 'node:crypto';
import { DataError } from '../../../engine/errors.ts';
import { isId, isU64 } from '../../../engine/identity/scalars.ts';
import { parseStrictJson } from '../../../engine/identity/strict-json.ts';
import { STATE_BYTES, STATE_MAGIC, WORD, readState } from './state-map.ts';

/** Only a capture of the same sources, ports and slots continues exactly (spec: session.md 13). */
export type ArenaIdentity = {
  readonly backendDigest: string;
  readonly contentDigest: string;
  readonly configurationDigest: string;
};

export type ArenaCapture = {
  /** Steps since the arena was opened, over all its matches; as decimal text. */
  readonly engineFrame: string;
  readonly world: Int32Array;
  readonly slots: ReadonlyMap<string, Int32Array>;
};

/**
 * What `Environment.capture` returns:
 *
 *     0   8   `FLYARENA`
 *     8   32  SHA-256 of everything from offset 40
 *     40  4   u32 little-endian, length n of the header
 *     44  n   JSON: the identity, engineFrame, and the ids of the filled slots in id order
 *     then    the state block (state-map.ts), and one more per slot
 */
const MAGIC = new TextEncoder().encode('FLYARENA');
const DIGEST_AT = 8;
const LENGTH_AT = 40;
const HEADER_AT = 44;

export function encodeArena(identity: ArenaIdentity, capture: ArenaCapture): Uint8Array {
  const { backendDigest, contentDigest, configurationDigest } = identity;
  const slots = [...capture.slots].sort(([a], [b]) => (a < b ? -1 : 1));
  const header = {
    backendDigest,
    contentDigest,
    configurationDigest,
    engineFrame: capture.engineFrame,
    slots: slots.map(([slotId]) => slotId),
  };
  const headerBytes = new TextEncoder().encode(JSON.stringify(header));
  const blocks = [capture.world, ...slots.map(([, state]) => state)];
  const out = new Uint8Array(HEADER_AT + headerBytes.byteLength + blocks.length * STATE_BYTES);
  out.set(MAGIC, 0);
  new DataView(out.buffer).setUint32(LENGTH_AT, headerBytes.byteLength, true);
  out.set(headerBytes, HEADER_AT);
  blocks.forEach((state, i) => {
    out.set(
      new Uint8Array(state.buffer, state.byteOffset, STATE_BYTES),
      HEADER_AT + headerBytes.byteLength + i * STATE_BYTES,
    );
  });
  out.set(sha256(out.subarray(LENGTH_AT)), DIGEST_AT);
  return out;
}

/** The blocks are copies. @throws DataError ENVIRONMENT_STATE, naming what disagrees */
export function decodeArena(identity: ArenaIdentity, bytes: Uint8Array): ArenaCapture {
  if (bytes.byteLength < HEADER_AT || MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw refused('it is not a capture of the arena');
  }
  const digest = sha256(bytes.subarray(LENGTH_AT));
  if (digest.some((byte, i) => bytes[DIGEST_AT + i] !== byte)) throw refused('its digest disagrees with its bytes');
  const headerBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(LENGTH_AT, true);
  const header = parseHeader(bytes.subarray(HEADER_AT, HEADER_AT + headerBytes));
  for (const [key, meaning] of [
    ['backendDigest', 'the arena build'],
    ['contentDigest', 'the content'],
    ['configurationDigest', 'the configuration (players, slots)'],
  ] as const) {
    if (header[key] === identity[key]) continue;
    throw refused(
      `${meaning} it was made with is ${header[key].slice(0, 12)}, this one is ${identity[key].slice(0, 12)}`,
    );
  }
  const blocksAt = HEADER_AT + headerBytes;
  if (bytes.byteLength !== blocksAt + (1 + header.slots.length) * STATE_BYTES) {
    throw refused('its header disagrees with its length');
  }
  const block = (index: number): Int32Array => {
    const state = readState(bytes.slice(blocksAt + index * STATE_BYTES, blocksAt + (index + 1) * STATE_BYTES));
    if (state[WORD.magic] !== STATE_MAGIC) throw refused(`block ${index} is not a state of the arena`);
    return state;
  };
  return {
    engineFrame: header.engineFrame,
    world: block(0),
    slots: new Map(header.slots.map((slotId, i) => [slotId, block(i + 1)])),
  };
}

type Header = ArenaIdentity & { readonly engineFrame: string; readonly slots: readonly string[] };

function parseHeader(bytes: Uint8Array): Header {
  let header: Partial<Record<keyof Header, unknown>> | null;
  try {
    header = parseStrictJson(bytes) as typeof header;
  } catch (cause) {
    throw refused('its header is not JSON', cause);
  }
  const { engineFrame, slots, backendDigest, contentDigest, configurationDigest } = header ?? {};
  const isWhole =
    [backendDigest, contentDigest, configurationDigest].every((digest) => typeof digest === 'string') &&
    isU64(engineFrame) &&
    Array.isArray(slots) &&
    slots.every(isId);
  if (isWhole) return header as Header;
  throw refused('its header is not complete');
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

function refused(why: string, cause?: unknown): DataError {
  const message = `environment state: ${why}; take another checkpoint or start afresh.`;
  return new DataError('ENVIRONMENT_STATE', message, { cause });
}
