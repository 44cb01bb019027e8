import { createHash } from 'node:crypto';
import { DataError } from '../../../engine/errors.ts';
import { isId, isU64 } from '../../../engine/identity/scalars.ts';
import { parseStrictJson } from '../../../engine/identity/strict-json.ts';

/** A whole console: the core's save state, the cartridge RAM beside it, and the picture that was on screen. */
export type MachineState = { readonly core: Uint8Array; readonly ram: Uint8Array; readonly frame: Uint8Array };

/** Only a capture of the same core build, cartridge and configuration continues exactly (spec: session.md 13). */
export type CaptureIdentity = {
  readonly backendDigest: string;
  readonly contentDigest: string;
  readonly configurationDigest: string;
};

export type Capture = {
  readonly engineFrame: string;
  readonly world: MachineState;
  /** Filled slots by their id. */
  readonly slots: ReadonlyMap<string, MachineState>;
};

/**
 * What `Environment.capture` returns for an emulated console:
 *
 *     0   8   `FLYEMU01`
 *     8   32  SHA-256 of everything from offset 40
 *     40  4   u32 little-endian, length of the header
 *     44  n   JSON: the identity, engineFrame, and per machine (the world, then slots in id order) three lengths
 *     then    per machine: core state, cartridge RAM, RGBA picture
 */
const MAGIC = new TextEncoder().encode('FLYEMU01');
const DIGEST_AT = 8;
const LENGTH_AT = 40;
const HEADER_AT = 44;

type Header = CaptureIdentity & {
  readonly engineFrame: string;
  readonly machines: readonly { slotId: string | null; coreBytes: number; ramBytes: number; frameBytes: number }[];
};

export function encodeCapture(identity: CaptureIdentity, capture: Capture): Uint8Array {
  const slots = [...capture.slots].sort(([a], [b]) => (a < b ? -1 : 1));
  const machines: [string | null, MachineState][] = [[null, capture.world], ...slots];
  const header: Header = {
    backendDigest: identity.backendDigest,
    contentDigest: identity.contentDigest,
    configurationDigest: identity.configurationDigest,
    engineFrame: capture.engineFrame,
    machines: machines.map(([slotId, { core, ram, frame }]) => ({
      slotId,
      coreBytes: core.byteLength,
      ramBytes: ram.byteLength,
      frameBytes: frame.byteLength,
    })),
  };
  const headerBytes = new TextEncoder().encode(JSON.stringify(header));
  const parts = machines.flatMap(([, { core, ram, frame }]) => [core, ram, frame]);
  const total = parts.reduce((sum, part) => sum + part.byteLength, HEADER_AT + headerBytes.byteLength);
  const out = new Uint8Array(total);
  out.set(MAGIC, 0);
  new DataView(out.buffer).setUint32(LENGTH_AT, headerBytes.byteLength, true);
  out.set(headerBytes, HEADER_AT);
  let at = HEADER_AT + headerBytes.byteLength;
  for (const part of parts) {
    out.set(part, at);
    at += part.byteLength;
  }
  out.set(sha256(out.subarray(LENGTH_AT)), DIGEST_AT);
  return out;
}

/** The machines' arrays are views into `bytes`. @throws DataError ENVIRONMENT_STATE, naming what disagrees */
export function decodeCapture(identity: CaptureIdentity, bytes: Uint8Array): Capture {
  if (bytes.byteLength < HEADER_AT || MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw refused('it is not an emulator capture');
  }
  const digest = sha256(bytes.subarray(LENGTH_AT));
  if (digest.some((byte, i) => bytes[DIGEST_AT + i] !== byte)) throw refused('its digest disagrees with its bytes');
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(LENGTH_AT, true);
  const header = parseHeader(bytes.subarray(HEADER_AT, HEADER_AT + length));
  for (const key of ['backendDigest', 'contentDigest', 'configurationDigest'] as const) {
    if (header[key] === identity[key]) continue;
    const [made, own] = [header[key].slice(0, 12), identity[key].slice(0, 12)];
    throw refused(`${MEANING[key]} it was made with is ${made}, this one is ${own}`);
  }
  let at = HEADER_AT + length;
  const take = (byteLength: number): Uint8Array => bytes.subarray(at, (at += byteLength));
  let world: MachineState | null = null;
  const slots = new Map<string, MachineState>();
  for (const { slotId, coreBytes, ramBytes, frameBytes } of header.machines) {
    const machine = { core: take(coreBytes), ram: take(ramBytes), frame: take(frameBytes) };
    if (slotId === null) world = machine;
    else slots.set(slotId, machine);
  }
  if (world === null || at !== bytes.byteLength) throw refused('its header disagrees with its length');
  return { engineFrame: header.engineFrame, world, slots };
}

const MEANING = {
  backendDigest: 'the emulator core',
  contentDigest: 'the cartridge',
  configurationDigest: 'the configuration',
} as const;

function parseHeader(bytes: Uint8Array): Header {
  let header: Partial<Record<keyof Header, unknown>> | null;
  try {
    header = parseStrictJson(bytes) as typeof header;
  } catch (cause) {
    throw refused('its header is not JSON', cause);
  }
  const { engineFrame, machines, backendDigest, contentDigest, configurationDigest } = header ?? {};
  const isWhole =
    [backendDigest, contentDigest, configurationDigest].every((digest) => typeof digest === 'string') &&
    isU64(engineFrame) &&
    Array.isArray(machines) &&
    machines.every(isMachineHeader);
  if (isWhole) return header as Header;
  throw refused('its header is not complete');
}

function isMachineHeader(machine: unknown): boolean {
  const { slotId, coreBytes, ramBytes, frameBytes } = (machine ?? {}) as Record<string, unknown>;
  const areLengths = [coreBytes, ramBytes, frameBytes].every(
    (length) => Number.isSafeInteger(length) && Number(length) >= 0,
  );
  return (slotId === null || isId(slotId)) && areLengths;
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

function refused(why: string, cause?: unknown): DataError {
  const message = `environment state: ${why}; take another checkpoint or start afresh.`;
  return new DataError('ENVIRONMENT_STATE', message, { cause });
}
