import { ConfigError } from '../../engine/errors.ts';
import type { DecoderConfig, DecoderGroup, DecoderPulse } from './decoder-config.ts';
import { parseDecoderState } from './decoder-state.ts';
import type { DecoderState } from './decoder-state.ts';
import { clearGroup, createExclusiveGroup, decideGroup, tireBlocked } from './exclusive-group.ts';
import type { ExclusiveGroup } from './exclusive-group.ts';

/**
 * The fixed readout of one fly: population rates -> channels that are held (spec: brain.md 8). It never learns; it is
 * calibrated once. Times are the fly's brain time in ms.
 */
export type Decoder = {
  readonly config: DecoderConfig;
  /** Exclusive channels, then pulses, then macros; every per-channel array below has this order. */
  readonly channels: readonly DecoderChannel[];
  /** (rate + 1) / (baseline + 1) of the newest decode, before fatigue. A live view; zeros until the first decode. */
  readonly lastScores: Float64Array;
  /**
   * Decides for `nowMs`. Allocates nothing.
   * @param rates spikes per second, in the order of the `rateRoles` given at creation
   * @param boot pulses use their boot values
   * @param blocked channel whose whole hold moved nothing, or null; an unknown name changes nothing
   * @param bound macro channels that may win; null lets all of them
   * @returns 1 for every active channel, else 0; a live view, overwritten by the next call. All 0 until calibrated.
   */
  decode(
    rates: Float64Array,
    nowMs: number,
    boot?: boolean,
    blocked?: string | null,
    bound?: readonly string[] | null,
  ): Uint8Array;
  /** Takes `rates` as everybody's resting rate and cancels pending calibrations. */
  calibrate(rates: Float64Array): void;
  /** Releases everything after a jump in the world; baselines stay, pulses stay silent for `clearLockoutMs`. */
  clearHolds(nowMs: number): void;
  isCalibrated(): boolean;
  /** Whether the newest decode holds the channel; false for an unknown name. */
  isActive(channel: string): boolean;
  /** Names of active channels in channel order. Allocates. */
  activeNames(): string[];
  /** The exclusive group's winner; it stays named when its hold has run out. */
  winner(): string | null;
  /** Index of `winner` among `channels`, -1 for none. */
  winnerIndex(): number;
  macroWinner(): string | null;
  /** When the exclusive group decides next, brain ms; it moves exactly when a decision is made. */
  nextDecisionMs(): number;
  /** Resting rate of a channel's role, Hz; 0 when unknown. */
  baselineHz(channelIndex: number): number;
  /** Roles that a restore left without a resting rate; the next decode takes theirs. */
  pendingRoles(): string[];
  exportState(): DecoderState;
  /** Takes version 4, 3, 2 or unversioned state. @throws DataError DECODER_STATE; nothing has changed then */
  importState(state: unknown): void;
};

export type DecoderChannel = {
  readonly channel: string;
  readonly role: string;
  readonly kind: 'exclusive' | 'pulse' | 'macro';
  /** Score that fires a pulse in play; null for groups. */
  readonly threshold: number | null;
};

/**
 * @param rateRoles names of the rates `decode` will be given, in order; a role missing here reads as 0
 * @throws ConfigError DECODER_CHANNELS when two channels share a name
 */
export function createDecoder(config: DecoderConfig, rateRoles: readonly string[]): Decoder {
  const channels = listChannels(config);
  const names = channels.map(({ channel }) => channel);
  const count = channels.length;
  const pulseStart = config.exclusive?.channels.length ?? 0;
  const channelIndex = indexChannels(channels);
  const pulses = config.pulses;
  const throttled = pulses.map((_, at) => throttleMembers(pulses, at));

  // Baselines belong to roles, not channels: two channels may read one population.
  const roles = [...new Set(channels.map(({ role }) => role))];
  const roleOfChannel = Int32Array.from(channels, ({ role }) => roles.indexOf(role));
  const rateOfRole = Int32Array.from(roles, (role) => rateRoles.indexOf(role));
  const baseline = new Float64Array(roles.length);
  const hasBaseline = new Uint8Array(roles.length);
  const isPending = new Uint8Array(roles.length);
  let pendingCount = 0;
  let calibrated = false;

  const heldUntil = new Float64Array(count);
  const nextAllowed = new Float64Array(count);
  const lastScores = new Float64Array(count);
  const active = new Uint8Array(count);
  const isBound = new Uint8Array(count);
  const directions = createExclusiveGroup(config.exclusive, 0);
  const macros = createExclusiveGroup(config.macros, pulseStart + pulses.length);
  // Entries of a checkpoint for channels this decoder lacks: kept, so that a later session finds them by name.
  let foreign: ForeignEntries = { baseline: {}, heldUntil: {}, nextAllowed: {} };

  function decode(
    rates: Float64Array,
    nowMs: number,
    boot = true,
    blocked: string | null = null,
    bound: readonly string[] | null = null,
  ): Uint8Array {
    if (!calibrated) return active;
    if (blocked !== null) {
      const at = channelIndex.get(blocked) ?? -1;
      tireBlocked(directions, at);
      tireBlocked(macros, at);
    }
    if (pendingCount > 0) takePendingBaselines(rates);
    scoreChannels(rates);
    decideGroup(directions, lastScores, null, heldUntil, nowMs);
    if (bound !== null) markBound(bound);
    decideGroup(macros, lastScores, bound === null ? null : isBound, heldUntil, nowMs);
    for (let i = 0; i < pulses.length; i++) firePulse(i, nowMs, boot);
    for (let i = 0; i < count; i++) active[i] = nowMs < heldUntil[i]! ? 1 : 0;
    return active;
  }

  function takePendingBaselines(rates: Float64Array): void {
    for (let r = 0; r < roles.length; r++) {
      if (isPending[r] === 0) continue;
      baseline[r] = rateAt(rates, rateOfRole[r]!);
      hasBaseline[r] = 1;
      isPending[r] = 0;
    }
    pendingCount = 0;
  }

  function scoreChannels(rates: Float64Array): void {
    for (let i = 0; i < count; i++) {
      const role = roleOfChannel[i]!;
      lastScores[i] = (rateAt(rates, rateOfRole[role]!) + 1) / (baseline[role]! + 1);
    }
  }

  function markBound(bound: readonly string[]): void {
    isBound.fill(0);
    for (let i = 0; i < bound.length; i++) {
      const at = channelIndex.get(bound[i]!);
      if (at !== undefined) isBound[at] = 1;
    }
  }

  function firePulse(at: number, nowMs: number, boot: boolean): void {
    const pulse = pulses[at]!;
    const variant = boot && pulse.boot !== null ? pulse.boot : pulse;
    const i = pulseStart + at;
    if (!(lastScores[i]! > variant.threshold && nowMs >= nextAllowed[i]!)) return;
    heldUntil[i] = nowMs + pulse.holdMs;
    const members = throttled[at]!;
    for (let m = 0; m < members.length; m++) nextAllowed[pulseStart + members[m]!] = nowMs + variant.cooldownMs;
  }

  function calibrate(rates: Float64Array): void {
    isPending.fill(1);
    takePendingBaselines(rates);
    calibrated = true;
  }

  function clearHolds(nowMs: number): void {
    heldUntil.fill(0);
    nextAllowed.fill(nowMs + config.clearLockoutMs);
    clearGroup(directions, nowMs);
    clearGroup(macros, nowMs);
  }

  const nameAt = (index: number): string | null => channels[index]?.channel ?? null;

  function exportState(): DecoderState {
    return {
      version: 4,
      calibrated,
      baseline: { ...foreign.baseline, ...record(roles, baseline, (r) => hasBaseline[r] === 1) },
      heldUntil: { ...foreign.heldUntil, ...record(names, heldUntil) },
      nextAllowed: { ...foreign.nextAllowed, ...record(names, nextAllowed) },
      nextDecision: directions.nextDecisionMs,
      current: nameAt(directions.current),
      fatigue: record(names.slice(directions.start, directions.end), directions.fatigue),
      macroNextDecision: macros.nextDecisionMs,
      macroCurrent: nameAt(macros.current),
      macroFatigue: record(names.slice(macros.start, macros.end), macros.fatigue),
    };
  }

  function importState(state: unknown): void {
    const parsed = parseDecoderState(state, channels);
    // Everything is valid from here on; only writes follow.
    const { own: ownBaseline, other: otherBaseline } = split(parsed.baseline, roles);
    const held = split(parsed.heldUntil, names);
    const allowed = split(parsed.nextAllowed, names);
    pendingCount = 0;
    for (let r = 0; r < roles.length; r++) {
      const incoming = ownBaseline.get(roles[r]!);
      isPending[r] = incoming === undefined ? 1 : 0;
      if (incoming === undefined) pendingCount++;
      else {
        baseline[r] = incoming;
        hasBaseline[r] = 1;
      }
    }
    for (let i = 0; i < count; i++) {
      heldUntil[i] = held.own.get(names[i]!) ?? heldUntil[i]!;
      nextAllowed[i] = allowed.own.get(names[i]!) ?? nextAllowed[i]!;
    }
    foreign = {
      baseline: { ...foreign.baseline, ...otherBaseline },
      heldUntil: { ...foreign.heldUntil, ...held.other },
      nextAllowed: { ...foreign.nextAllowed, ...allowed.other },
    };
    calibrated = parsed.calibrated;
    restoreGroup(directions, parsed.nextDecision, parsed.current, parsed.fatigue);
    restoreGroup(macros, parsed.macroNextDecision, parsed.macroCurrent, parsed.macroFatigue);
    active.fill(0);
  }

  function restoreGroup(
    group: ExclusiveGroup,
    nextDecisionMs: number,
    current: string | null,
    fatigue: Readonly<Record<string, number>>,
  ): void {
    group.nextDecisionMs = nextDecisionMs;
    group.current = current === null ? -1 : channelIndex.get(current)!;
    for (let i = group.start; i < group.end; i++) group.fatigue[i - group.start] = fatigue[names[i]!] ?? 0;
  }

  return {
    config,
    channels,
    lastScores,
    decode,
    calibrate,
    clearHolds,
    isCalibrated: () => calibrated,
    isActive: (channel) => active[channelIndex.get(channel) ?? -1] === 1,
    activeNames: () => names.filter((_, i) => active[i] === 1),
    winner: () => nameAt(directions.current),
    winnerIndex: () => directions.current,
    macroWinner: () => nameAt(macros.current),
    nextDecisionMs: () => directions.nextDecisionMs,
    baselineHz: (index) => baseline[roleOfChannel[index] ?? -1] ?? 0,
    pendingRoles: () => roles.filter((_, r) => isPending[r] === 1),
    exportState,
    importState,
  };
}

type ForeignEntries = {
  readonly baseline: Readonly<Record<string, number>>;
  readonly heldUntil: Readonly<Record<string, number>>;
  readonly nextAllowed: Readonly<Record<string, number>>;
};

function rateAt(rates: Float64Array, index: number): number {
  return index < 0 || index >= rates.length ? 0 : rates[index]!;
}

function listChannels(config: DecoderConfig): DecoderChannel[] {
  const group = (rules: DecoderGroup | null, kind: 'exclusive' | 'macro'): DecoderChannel[] =>
    (rules?.channels ?? []).map(({ channel, role }) => ({ channel, role, kind, threshold: null }));
  const pulses = config.pulses.map(({ channel, role, threshold }) => ({
    channel,
    role,
    kind: 'pulse' as const,
    threshold,
  }));
  return [...group(config.exclusive, 'exclusive'), ...pulses, ...group(config.macros, 'macro')];
}

function indexChannels(channels: readonly DecoderChannel[]): Map<string, number> {
  const index = new Map<string, number>();
  channels.forEach(({ channel }, at) => {
    if (index.has(channel)) {
      throw new ConfigError('DECODER_CHANNELS', `decoder: two channels are named ${channel}; name each one once.`);
    }
    index.set(channel, at);
  });
  return index;
}

/** Positions of the pulses that share a cooldown with pulse `at`, itself included. */
function throttleMembers(pulses: readonly DecoderPulse[], at: number): Int32Array {
  const group = pulses[at]!.throttleGroup;
  return Int32Array.from(
    pulses.flatMap((pulse, other) =>
      other === at || (group !== null && pulse.throttleGroup === group) ? [other] : [],
    ),
  );
}

function record(
  keys: readonly string[],
  values: Float64Array,
  has: (index: number) => boolean = () => true,
): Record<string, number> {
  return Object.fromEntries(keys.flatMap((key, i) => (has(i) ? [[key, values[i]!]] : [])));
}

function split(
  entries: Readonly<Record<string, number>>,
  known: readonly string[],
): { own: Map<string, number>; other: Record<string, number> } {
  const isKnown = new Set(known);
  const all = Object.entries(entries);
  return {
    own: new Map(all.filter(([key]) => isKnown.has(key))),
    other: Object.fromEntries(all.filter(([key]) => !isKnown.has(key))),
  };
}
