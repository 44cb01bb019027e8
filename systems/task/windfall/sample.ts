import type { GameMode } from './memory-map.ts';
import {
  EATEN_BYTES,
  FULL_HEARTS,
  GAME_MODES,
  ORCHARD_COUNT,
  SECTION_COUNT,
  STATE_VERSION,
  address,
} from './memory-map.ts';

/** One boundary of the game as the task understands it. */
export type Sample = {
  readonly mode: GameMode;
  readonly round: number;
  readonly orchard: number;
  readonly section: number;
  readonly hearts: number;
  readonly lives: number;
  readonly column: number;
  readonly columns: number;
  readonly deaths: number;
  readonly cleared: number;
  readonly endings: number;
  readonly hurtTimer: number;
  readonly gustTimer: number;
  readonly flyX: number;
  readonly flyY: number;
  /** One bit per fruit, low bit first; a copy. */
  readonly eaten: Uint8Array;
};

/**
 * `no-game`: power-on, or another cartridge. `version`: a cartridge this map does not describe. `mid-update`: the
 * picture came while the game was still writing. `range`: a value no orchard has.
 */
export type InvalidReason = 'no-game' | 'version' | 'mid-update' | 'range';

export type Reading =
  { readonly kind: 'valid'; readonly sample: Sample } | { readonly kind: 'invalid'; readonly reason: InvalidReason };

/** @param memory the 65,536-byte memory image (spec: session.md 10); each address is read once */
export function readSample(memory: Uint8Array): Reading {
  if (memory[address.magic] !== 0x57 || memory[address.magic + 1] !== 0x46) return invalid('no-game');
  if (memory[address.version] !== STATE_VERSION) return invalid('version');
  if (memory[address.busy] !== 0) return invalid('mid-update');
  const mode = GAME_MODES[memory[address.mode]!];
  const sample = {
    round: memory[address.round]!,
    orchard: memory[address.orchard]!,
    section: memory[address.section]!,
    hearts: memory[address.hearts]!,
    lives: memory[address.lives]!,
    column: word(memory, address.column),
    columns: word(memory, address.columns),
    deaths: word(memory, address.deaths),
    cleared: memory[address.cleared]!,
    endings: memory[address.endings]!,
    hurtTimer: memory[address.hurtTimer]!,
    gustTimer: memory[address.gustTimer]!,
    flyX: memory[address.flyX]!,
    flyY: memory[address.flyY]!,
    eaten: memory.slice(address.eaten, address.eaten + EATEN_BYTES),
  };
  const sane =
    sample.orchard < ORCHARD_COUNT &&
    sample.cleared <= ORCHARD_COUNT &&
    sample.section < SECTION_COUNT &&
    sample.hearts <= FULL_HEARTS &&
    sample.column <= sample.columns;
  if (mode === undefined || !sane) return invalid('range');
  return { kind: 'valid', sample: { mode, ...sample } };
}

function word(memory: Uint8Array, at: number): number {
  return memory[at]! | (memory[at + 1]! << 8);
}

function invalid(reason: InvalidReason): Reading {
  return { kind: 'invalid', reason };
}
