/**
 * Where Windfall keeps its state block: work RAM, fixed, little-endian. The same table stands in
 * assets/games/windfall/source/state.h; a change there raises `STATE_VERSION` in both.
 */
export const STATE_VERSION = 1;

export const address = {
  /** 'W', 'F' once the game runs. */
  magic: 0xc100,
  version: 0xc102,
  /** 1 while a frame's logic is still writing the block. */
  busy: 0xc103,
  /** `GAME_MODES` index. */
  mode: 0xc104,
  /** 0 the first time through the eight orchards. */
  round: 0xc105,
  /** 0..7. */
  orchard: 0xc106,
  /** Checkpoint tree passed last, 0..3. */
  section: 0xc107,
  hearts: 0xc108,
  /** Retries left in this orchard. */
  lives: 0xc109,
  /** Column of the fly, eight pixels each, 16 bits. */
  column: 0xc10a,
  /** Furthest column since the orchard began, 16 bits. */
  furthest: 0xc10c,
  /** Columns of the orchard, 16 bits. */
  columns: 0xc10e,
  /** Fruit since power-on, 16 bits. */
  fruitTotal: 0xc110,
  /** Times caught since power-on, 16 bits. */
  deaths: 0xc112,
  /** Score in tens, 16 bits. */
  score: 0xc114,
  /** Fruit eaten in this orchard. */
  fruit: 0xc116,
  /** Centre of the fly on the screen, pixels. */
  flyX: 0xc117,
  flyY: 0xc118,
  onGround: 0xc119,
  /** Frames left of being hurt or newly placed. */
  hurtTimer: 0xc11a,
  /** Seconds until a gust comes by itself. */
  timer: 0xc11b,
  /** Frames of gust left. */
  gustTimer: 0xc11c,
  /** Orchards cleared in this round. */
  cleared: 0xc11d,
  /** Times the eighth orchard was cleared. */
  endings: 0xc11e,
  /** Frames whose logic took longer than a frame; wraps. */
  overruns: 0xc11f,
  frame: 0xc120,
  rng: 0xc122,
  /** Column a retry starts from, 16 bits. */
  checkpoint: 0xc124,
  /** One bit per fruit of this orchard, eight bytes. */
  eaten: 0xc126,
} as const;

/** Bytes of `address.eaten`. */
export const EATEN_BYTES = 8;

/** Value of `address.mode`. */
export const GAME_MODES = ['boot', 'title', 'intro', 'playing', 'caught', 'game-over', 'clear', 'ending'] as const;
export type GameMode = (typeof GAME_MODES)[number];

export const ORCHARD_COUNT = 8;
export const SECTION_COUNT = 4;
export const FULL_HEARTS = 3;
