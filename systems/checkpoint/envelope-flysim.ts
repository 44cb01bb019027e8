import { DataError } from '../../engine/errors.ts';
import { isDigest } from '../../engine/identity/scalars.ts';
import { multiplyRational, rationalNs } from '../../engine/rational.ts';
import type { RationalNs } from '../../engine/rational.ts';
import { agentChunks, agentFields, parseAgentParts } from './agent-envelope.ts';
import type { AgentSave } from './agent-envelope.ts';
import { decodeEnvelope, encodeEnvelope } from './envelope.ts';
import { countField, manifestObject, numberField, textField } from './envelope-fields.ts';

/** A whole single-fly Game Boy run as the older service saves it (spec: brain.md 10.2, session.md 17.4). */
export type FlysimSave = Omit<AgentSave, 'identity'> & {
  /** Never reused; grows over both stores. */
  readonly generation: number;
  readonly wallMs: number;
  /** SHA-256 of the cartridge. */
  readonly romHash: string;
  readonly emulatorFrame: number;
  /** Seven segments joined by `/` (brain.md 9.5). */
  readonly compatibility: string;
  readonly speed: number;
  /** Joypad mask in force. */
  readonly buttons: number;
  readonly rankSinceMs: number;
  readonly lastEventId: number;
  /** The task's own JSON. */
  readonly reward: unknown;
  readonly ratchet: unknown;
  /** Reinforcements of the whole run; null in files that only count the gain-moving ones. */
  readonly reinforcements: number | null;
  readonly emulator: Uint8Array;
  /** RGBA, 160 x 144. */
  readonly framebuffer: Uint8Array;
  /** Slot `best`; empty before the first. */
  readonly ratchetGame: Uint8Array;
  readonly ratchetFrame: Uint8Array;
};

const MAGIC = 'FLYSIM01';
/** Set-up frames the service's emulator ran before its first transition (spec: session.md 3.2). */
const SETUP_FRAMES = 1;
const FRAME_NS: RationalNs = rationalNs(8_572_265_625n, 512n);
/** Every Game Boy remainder is a multiple of 2^-15 ms (spec: brain.md 9.1). */
const REMAINDER_PARTS = 32_768;
const WARMUP_MS = 2_500;

export function encodeFlysimEnvelope(save: FlysimSave): Uint8Array {
  const { generation, wallMs, romHash, emulatorFrame, compatibility, speed, buttons, rankSinceMs, lastEventId } = save;
  const { reward, ratchet, reinforcements } = save;
  const fields = {
    ...agentFields({ ...save, identity: null }),
    generation,
    wallMs,
    romHash,
    emulatorFrame,
    compatibility,
    speed,
    buttons,
    rankSinceMs,
    lastEventId,
    reward,
    ratchet,
    ...(reinforcements === null ? {} : { reinforcements }),
  };
  const chunks = agentChunks({ ...save, identity: null });
  chunks.set('emulator', save.emulator);
  chunks.set('framebuffer', save.framebuffer);
  chunks.set('ratchetGame', save.ratchetGame);
  chunks.set('ratchetFrame', save.ratchetFrame);
  return encodeEnvelope(MAGIC, fields, chunks);
}

/** @throws DataError ENVELOPE_*, AGENT_ENVELOPE, MANIFEST_FIELD or FLYSIM */
export function decodeFlysimEnvelope(bytes: Uint8Array): FlysimSave {
  const envelope = decodeEnvelope(MAGIC, bytes);
  const root = manifestObject(envelope.manifest, 'manifest');
  const chunk = (name: string): Uint8Array => {
    const found = envelope.chunks.get(name);
    if (found === undefined) throw refused(`chunk ${name} is missing`);
    return found;
  };
  const romHash = textField(root, 'romHash');
  if (!isDigest(romHash)) throw refused(`romHash ${JSON.stringify(romHash)} is no SHA-256`);
  return {
    ...parseAgentParts(envelope),
    generation: countField(root, 'generation'),
    wallMs: numberField(root, 'wallMs'),
    romHash,
    emulatorFrame: countField(root, 'emulatorFrame'),
    compatibility: textField(root, 'compatibility'),
    speed: numberField(root, 'speed'),
    buttons: countField(root, 'buttons'),
    rankSinceMs: numberField(root, 'rankSinceMs'),
    lastEventId: countField(root, 'lastEventId'),
    reward: root.value['reward'],
    ratchet: root.value['ratchet'],
    reinforcements: root.value['reinforcements'] === undefined ? null : numberField(root, 'reinforcements'),
    emulator: chunk('emulator'),
    framebuffer: chunk('framebuffer'),
    ratchetGame: chunk('ratchetGame'),
    ratchetFrame: chunk('ratchetFrame'),
  };
}

/** Where a saved run stands, in this program's clocks (spec: session.md 17.4). */
export type FlysimClocks = {
  /** Boundary k. */
  readonly step: bigint;
  readonly worldTime: RationalNs;
  readonly remainder: RationalNs;
  readonly executedTicks: bigint;
  readonly warmupTicks: bigint;
  readonly learningUpdates: number;
};

/** @throws DataError FLYSIM when the remainder is no Game Boy remainder or no frame was run */
export function flysimClocks(save: FlysimSave): FlysimClocks {
  const { emulatorFrame, remainderMs, brain, warmedUp, reinforcements } = save;
  const parts = remainderMs * REMAINDER_PARTS;
  if (!Number.isInteger(parts)) throw refused(`remainder ${remainderMs} ms is no multiple of 1/${REMAINDER_PARTS} ms`);
  if (emulatorFrame < SETUP_FRAMES) throw refused(`emulator frame ${emulatorFrame} lies before the first transition`);
  const step = BigInt(emulatorFrame - SETUP_FRAMES);
  return {
    step,
    worldTime: multiplyRational(FRAME_NS, step),
    remainder: rationalNs(BigInt(parts) * 1_000_000n, BigInt(REMAINDER_PARTS)),
    executedTicks: BigInt(brain.ms),
    warmupTicks: warmedUp ? BigInt(Math.min(WARMUP_MS, brain.ms)) : 0n,
    learningUpdates: reinforcements ?? brain.plasticity.updates,
  };
}

const ADAPTER_SEGMENT = 1;

/**
 * Why a file with `saved` may not continue under `here`, or null. Only the adapter may differ, only from one the
 * running adapter lists, and only when the operator named it (spec: session.md 17.4).
 */
export function flysimMismatch(
  saved: string,
  here: string,
  migration: { readonly migratable: readonly string[]; readonly allowed: string | null },
): string | null {
  if (saved === here) return null;
  const [from, to] = [saved.split('/'), here.split('/')];
  const differing = Math.max(from.length, to.length);
  for (let i = 0; i < differing; i++) {
    if (i !== ADAPTER_SEGMENT && from[i] !== to[i])
      return `it was saved with ${from[i] ?? 'nothing'}, here is ${to[i] ?? 'nothing'}`;
  }
  const adapter = from[ADAPTER_SEGMENT]!;
  if (!migration.migratable.includes(adapter))
    return `adapter ${adapter} cannot be migrated to ${to[ADAPTER_SEGMENT]!}`;
  return migration.allowed === adapter ? null : `adapter ${adapter} can be migrated; name it to allow that`;
}

function refused(what: string): DataError {
  return new DataError('FLYSIM', `FLYSIM01 file: ${what}. Nothing was restored; use another checkpoint.`);
}
