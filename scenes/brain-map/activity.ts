import type { Projected } from './project.ts';
import { TINT_COUNT, Tint } from './tint.ts';

/** Density grid of the tab pane (spec: show.md 54): 251 x 184 cells of 4 x 2 design px. */
export const GRID_COLUMNS = 251;
export const GRID_ROWS = 184;
const DECAY_MS = 110;
const FULL_SPIKES = 24;
/** Single spikes whisper, bursts shout (mockups "The brain map"). */
const LEVEL_POWER = 1.75;
export const SPRITE_CAPACITY = 256;
const SPRITE_FLOOR = 3;
const BUCKETS = 64;
const STRIDE = 97;
/** Sprites a class may take, `Tint` order, so the eyes never drown motor and dopamine (mockups, proposal 4). */
const QUOTA: readonly number[] = [40, 24, 40, 40, 52, 60];
/** At most one sprite in a block of 4 x 4 cells, so a dense spot glitters instead of turning into a lamp. */
const BLOCK_SHIFT = 2;
const ZERO_THRESHOLD = new Int32Array(TINT_COUNT);
/** Below this a cell shows nothing and forgets its tint. */
const FADED = 0.02;

/** Decaying spikes a cell, the class that tints it, and the cells that get a sprite. */
export type Activity = {
  /** Decayed spike count a cell, row-major. */
  readonly value: Float32Array;
  readonly tint: Uint8Array;
  /** Cells with a sprite; the first `spriteCount()` are valid. */
  readonly spriteCells: Uint16Array;
  spriteCount(): number;
  /** Lets the picture fade to `nowMs`. */
  decay(nowMs: number): void;
  /** Adds one spike bitset (bit i = neuron i) and picks the sprites anew. */
  add(bits: Uint8Array): void;
  clear(): void;
};

export type ActivityGrid = {
  readonly columns: number;
  readonly rows: number;
  /** Part of the sprite quotas that a smaller picture carries, 0..1. */
  readonly spritePart: number;
};

const TAB_PANE_GRID: ActivityGrid = { columns: GRID_COLUMNS, rows: GRID_ROWS, spritePart: 1 };

/** @param projected in px of a `width` x `height` pane, the one the grid covers */
export function createActivity(
  projected: Projected,
  tints: Uint8Array,
  width: number,
  height: number,
  grid: ActivityGrid = TAB_PANE_GRID,
): Activity {
  const { columns, rows } = grid;
  const cells = columns * rows;
  const blockColumns = (columns >> BLOCK_SHIFT) + 1;
  const quota = QUOTA.map((count) => Math.round(count * grid.spritePart));
  const neurons = tints.length;
  const cellOf = new Uint16Array(neurons);
  for (let i = 0; i < neurons; i++) {
    const column = Math.min(columns - 1, Math.max(0, Math.floor((projected.xy[i * 2]! / width) * columns)));
    const row = Math.min(rows - 1, Math.max(0, Math.floor((projected.xy[i * 2 + 1]! / height) * rows)));
    cellOf[i] = row * columns + column;
  }
  const value = new Float32Array(cells);
  const tint = new Uint8Array(cells);
  const spriteCells = new Uint16Array(SPRITE_CAPACITY);
  const histogram = new Int32Array(TINT_COUNT * BUCKETS);
  const threshold = new Int32Array(TINT_COUNT);
  const taken = new Int32Array(TINT_COUNT);
  const blocks = new Uint8Array(blockColumns * ((rows >> BLOCK_SHIFT) + 1));
  let sprites = 0;
  let decayedAtMs = NaN;

  function chooseSprites(): void {
    histogram.fill(0);
    for (let cell = 0; cell < cells; cell++) {
      if (value[cell]! >= SPRITE_FLOOR) histogram[tint[cell]! * BUCKETS + bucketOf(value[cell]!)]!++;
    }
    for (let k = 0; k < TINT_COUNT; k++) {
      let above = 0;
      let bucket = BUCKETS - 1;
      while (bucket > 0 && above < quota[k]!) above += histogram[k * BUCKETS + bucket--]!;
      threshold[k] = bucket;
    }
    sprites = 0;
    taken.fill(0);
    blocks.fill(0);
    takeSprites(threshold);
    takeSprites(ZERO_THRESHOLD);
  }

  /**
   * Takes cells whose bucket is at least their class's, while the quota lasts and no other sprite stands in the same
   * block. Strided, because topping up in scan order visibly favours one corner (show.md 55).
   */
  function takeSprites(floor: Int32Array): void {
    for (let k = 0, cell = 0; k < cells; k++, cell = (cell + STRIDE) % cells) {
      if (value[cell]! < SPRITE_FLOOR) continue;
      const kind = tint[cell]!;
      if (taken[kind]! >= quota[kind]! || bucketOf(value[cell]!) < floor[kind]!) continue;
      const block = (((cell / columns) | 0) >> BLOCK_SHIFT) * blockColumns + ((cell % columns) >> BLOCK_SHIFT);
      if (blocks[block] === 1) continue;
      blocks[block] = 1;
      taken[kind]!++;
      spriteCells[sprites++] = cell;
    }
  }

  return {
    value,
    tint,
    spriteCells,
    spriteCount: () => sprites,
    decay(nowMs) {
      const elapsedMs = nowMs - decayedAtMs;
      decayedAtMs = nowMs;
      if (!(elapsedMs > 0)) return;
      const keep = Math.exp(-elapsedMs / DECAY_MS);
      for (let cell = 0; cell < cells; cell++) {
        const old = value[cell]!;
        if (old === 0) continue;
        const faded = old * keep;
        value[cell] = faded < FADED ? 0 : faded;
        if (faded < FADED) tint[cell] = Tint.internal;
      }
      for (let k = sprites - 1; k >= 0; k--) {
        if (value[spriteCells[k]!]! < SPRITE_FLOOR * 0.5) spriteCells[k] = spriteCells[--sprites]!;
      }
    },
    add(bits) {
      const bytes = Math.min(bits.length, (neurons + 7) >> 3);
      for (let at = 0; at < bytes; at++) {
        let byte = bits[at]!;
        while (byte !== 0) {
          const neuron = (at << 3) + 31 - Math.clz32(byte & -byte);
          byte &= byte - 1;
          if (neuron >= neurons) break;
          const cell = cellOf[neuron]!;
          value[cell]!++;
          if (tints[neuron]! > tint[cell]!) tint[cell] = tints[neuron]!;
        }
      }
      chooseSprites();
    },
    clear() {
      value.fill(0);
      tint.fill(Tint.internal);
      sprites = 0;
    },
  };
}

/** 0..1: how bright a cell with `spikes` is (spec: show.md 54), raised so that rest looks like rest. */
export function levelOf(spikes: number, boost: number): number {
  const level = Math.min(1, (Math.log1p(spikes) / Math.log1p(FULL_SPIKES)) * boost);
  return level ** LEVEL_POWER;
}

function bucketOf(spikes: number): number {
  return Math.min(BUCKETS - 1, Math.floor((Math.log1p(spikes) / Math.log1p(FULL_SPIKES * 4)) * BUCKETS));
}
