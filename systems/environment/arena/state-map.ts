/**
 * The arena's whole state: one block of 32-bit little-endian words. It is the inspection, the capture and the only
 * thing a step changes. Documented in docs/arena.md; byte offset = word * 4.
 */
export const STATE_WORDS = 320;
export const STATE_BYTES: number = STATE_WORDS * 4;
/** `ARN1`. */
export const STATE_MAGIC = 0x314e5241;

/** Words of the header. */
export const WORD = {
  magic: 0,
  players: 1,
  matchNumber: 2,
  seed: 3,
  /** Xorshift state of the match's chances; never 0. */
  random: 4,
  /** Steps since the match began. */
  step: 5,
  phase: 6,
  /** Steps left of an intro, of `round-over` or `match-over`. */
  phaseLeft: 7,
  /** Steps left on the round clock; of sudden death when that is played. */
  clock: 8,
  /** 1..5. */
  round: 9,
  /** Steps played in this round, sudden death included. */
  roundSteps: 10,
  /** Player, or `NOBODY` while undecided, or `DRAWN`. */
  roundWinner: 11,
  matchWinner: 12,
  fruitWait: 13,
  nectarWait: 14,
  /** Steps since a plum was last taken, lost or brought home. */
  quiet: 15,
  /** What is to be heard of this step, a set of `CUE` bits, and where it came from (x of the newest). */
  cues: 16,
  cueX: 17,
  /** Steps of the tune played. */
  tune: 18,
  jingle: 19,
  jingleSteps: 20,
  /** Low-pass memory, left and right. */
  toneLeft: 21,
  toneRight: 22,
  noise: 23,
  /** Five words each: winner per finished round (`NOBODY` when not played), its steps. */
  roundWinners: 24,
  roundLengths: 29,
} as const;

export const NOBODY = -1;
export const DRAWN = -2;

export const PHASE = { intro: 0, play: 1, suddenIntro: 2, sudden: 3, roundOver: 4, matchOver: 5, over: 6 } as const;

export const FLY_AT = 40;
export const FLY_WORDS = 24;
/** Words of one fly, from `flyAt(player)`. */
export const FLY = {
  x: 0,
  y: 1,
  vx: 2,
  vy: 3,
  /** `FACING`. */
  facing: 4,
  /** Index of its home in this round. */
  spot: 5,
  dashLeft: 6,
  dashWait: 7,
  gustLeft: 8,
  gustWait: 9,
  stun: 10,
  shield: 11,
  nectar: 12,
  /** Index of the plum it holds, or `NOBODY`. */
  carrying: 13,
  fumble: 14,
  score: 15,
  roundsWon: 16,
  /** Counters of the match: plums nobody had touched before, plums brought home, plums knocked loose, nectar. */
  reached: 17,
  delivered: 18,
  knocked: 19,
  sipped: 20,
  /** Controls of the newest step, bits in the order of `ARENA_BUTTONS`. */
  buttons: 21,
  /** Length walked, 1/256 px: moves its legs and wings. */
  stride: 22,
  cheer: 23,
} as const;

export const FACING = { up: 0, down: 1, left: 2, right: 3 } as const;
export const BUTTON = { up: 1, down: 2, left: 4, right: 8, a: 16, b: 32 } as const;

export const FRUIT_AT = 136;
export const FRUIT_WORDS = 8;
export const MAX_FRUIT = 8;
/** Words of one plum, from `fruitAt(index)`. */
export const FRUIT = { state: 0, x: 1, y: 2, vx: 3, vy: 4, fall: 5, touched: 6, carrier: 7 } as const;
export const FRUIT_STATE = { none: 0, falling: 1, loose: 2, carried: 3 } as const;

export const NECTAR_AT = 200;
export const NECTAR_WORDS = 4;
export const MAX_NECTAR = 4;
/** Words of one drop, from `nectarAt(index)`; `fall` counts down, then it lies. */
export const NECTAR = { present: 0, x: 1, y: 2, fall: 3 } as const;

export const VOICE_AT = 216;
export const VOICE_WORDS = 8;
export const VOICES = 8;
/** Words of one voice of the sound, from `voiceAt(index)`. Phases and increments are 32-bit turns. */
export const VOICE = { phase: 0, increment: 1, slide: 2, level: 3, decay: 4, wave: 5, pan: 6, heard: 7 } as const;

export const CUE = {
  bump: 1,
  dash: 2,
  gust: 4,
  pick: 8,
  home: 16,
  knock: 32,
  land: 64,
  nectar: 128,
  go: 256,
  tick: 512,
  sudden: 1_024,
  round: 2_048,
  match: 4_096,
  drawn: 8_192,
} as const;

export function flyAt(player: number): number {
  return FLY_AT + player * FLY_WORDS;
}

export function fruitAt(index: number): number {
  return FRUIT_AT + index * FRUIT_WORDS;
}

export function nectarAt(index: number): number {
  return NECTAR_AT + index * NECTAR_WORDS;
}

export function voiceAt(index: number): number {
  return VOICE_AT + index * VOICE_WORDS;
}

/** Bytes of an inspection as words. @param bytes `STATE_BYTES` long, aligned to 4 */
export function readState(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, STATE_WORDS);
}
