import { DataError } from '../../engine/errors.ts';
import type { DecoderChannel } from './decoder.ts';

/** What a checkpoint keeps of a decoder, version 4 (spec: brain.md 8.5). Times are brain ms. */
export type DecoderState = {
  readonly version: 4;
  readonly calibrated: boolean;
  /** Role -> resting rate, Hz. */
  readonly baseline: Readonly<Record<string, number>>;
  /** Channel -> end of its hold. */
  readonly heldUntil: Readonly<Record<string, number>>;
  /** Channel -> end of its cooldown. */
  readonly nextAllowed: Readonly<Record<string, number>>;
  readonly nextDecision: number;
  readonly current: string | null;
  /** Exclusive channel -> fatigue, 0..1. */
  readonly fatigue: Readonly<Record<string, number>>;
  readonly macroNextDecision: number;
  readonly macroCurrent: string | null;
  readonly macroFatigue: Readonly<Record<string, number>>;
};

/**
 * Reads version 4, 3, 2 or unversioned decoder state and checks all of it against `channels`. Older versions are
 * returned in the version 4 form; macro parts that are missing take their defaults.
 * @throws DataError DECODER_STATE
 */
export function parseDecoderState(state: unknown, channels: readonly DecoderChannel[]): DecoderState {
  if (!isRecord(state)) throw refused('it is not an object');
  const version = state['version'];
  if (version !== undefined && version !== 2 && version !== 3 && version !== 4) {
    throw refused(`version ${show(version)}; this program reads 2, 3 and 4`);
  }
  const isCurrent = version === 4;
  const ofKind = (kind: DecoderChannel['kind']): string[] =>
    channels.filter((one) => one.kind === kind).map(({ channel }) => channel);
  const directions = ofKind('exclusive');
  const macros = ofKind('macro');

  const calibrated = state['calibrated'];
  if (typeof calibrated !== 'boolean') throw refused(`calibrated is ${show(calibrated)}, not a boolean`);
  const nextDecision = finite(state, isCurrent ? 'nextDecision' : 'nextDirectionDecision');
  const baseline = finiteEntries(state, 'baseline');
  const heldUntil = finiteEntries(state, 'heldUntil');
  const nextAllowed = finiteEntries(state, 'nextAllowed');
  for (const channel of [...directions, ...ofKind('pulse')]) {
    if (!Object.hasOwn(heldUntil, channel) || !Object.hasOwn(nextAllowed, channel)) {
      throw refused(`channel ${channel} has no heldUntil or nextAllowed`);
    }
  }
  const keepsFatigue = version === 3 || isCurrent;
  return {
    version: 4,
    calibrated,
    baseline,
    heldUntil,
    nextAllowed,
    nextDecision,
    current: winner(state, isCurrent ? 'current' : 'direction', directions),
    fatigue: keepsFatigue ? fatigueEntries(state['fatigue'], 'fatigue', directions, true) : {},
    macroNextDecision: state['macroNextDecision'] === undefined ? 0 : finite(state, 'macroNextDecision'),
    macroCurrent: winner(state, 'macroCurrent', macros),
    macroFatigue: fatigueEntries(state['macroFatigue'] ?? {}, 'macroFatigue', macros, false),
  };
}

function finite(state: Record<string, unknown>, field: string): number {
  const value = state[field];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw refused(`${field} is ${show(value)}`);
  return value;
}

function finiteEntries(state: Record<string, unknown>, field: string): Record<string, number> {
  const entries = state[field];
  if (!isRecord(entries)) throw refused(`${field} is missing`);
  for (const [key, value] of Object.entries(entries)) {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw refused(`${field}.${key} is ${show(value)}`);
  }
  return { ...entries } as Record<string, number>;
}

function winner(state: Record<string, unknown>, field: string, allowed: readonly string[]): string | null {
  const value = state[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string' || !allowed.includes(value)) {
    throw refused(`${field} is ${show(value)}, which is no channel of that group`);
  }
  return value;
}

function fatigueEntries(
  entries: unknown,
  field: string,
  channels: readonly string[],
  required: boolean,
): Record<string, number> {
  if (!isRecord(entries)) throw refused(`${field} is missing`);
  const known: Record<string, number> = {};
  for (const channel of channels) {
    if (!required && !Object.hasOwn(entries, channel)) continue;
    const value = Object.hasOwn(entries, channel) ? entries[channel] : undefined;
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
      throw refused(`${field}.${channel} is ${show(value)}, outside 0..1`);
    }
    known[channel] = value;
  }
  return known;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? JSON.stringify(value) : `of type ${typeof value}`;
}

function refused(what: string): DataError {
  return new DataError(
    'DECODER_STATE',
    `decoder state: ${what}. Nothing was changed; restore another checkpoint or start fresh.`,
  );
}
