import { exactCos } from './exact-math.ts';
import { TURN } from './exact-math.ts';
import { POOL_SIZES } from './order-cells.ts';
import { createRandom, shuffle, unit } from './random.ts';

/** Tiles the picture is cut into, each way, when it is weighed for the command pools. */
export const FIELD_TILES = 16;

/**
 * Which command pools a place of the picture excites (or, for inhibitory sources, releases). Per tile and pool one
 * whole number; `excite` and `inhibit` mirror each other around nothing, and both are equally large overall.
 */
export type CommandFields = {
  /** `FIELD_TILES * FIELD_TILES * 8` cumulative weights, row-major tiles. */
  readonly excite: Uint32Array;
  readonly inhibit: Uint32Array;
};

/**
 * The eight pools read three waves across the picture, each with one of the eight sign patterns. Pools 0 to 3 get the
 * even patterns and 4 to 7 the odd ones, so any two of one group share only one sign: different pictures favour
 * different pools, a uniformly brighter picture favours none, and no pool's field means the button it presses.
 * Directions and phases come from the seed.
 */
export function createCommandFields(seed: number): CommandFields {
  const random = createRandom(seed, 5);
  const even = [0b000, 0b011, 0b101, 0b110];
  const odd = [0b111, 0b100, 0b010, 0b001];
  shuffle(even, random);
  shuffle(odd, random);
  const patterns = [...even, ...odd];
  const waves = WAVE_CYCLES.map(([across, down]) => createWave(across, down, unit(random)));
  const excite = new Uint32Array(FIELD_TILES * FIELD_TILES * 8);
  const inhibit = new Uint32Array(excite.length);
  for (let tile = 0; tile < FIELD_TILES * FIELD_TILES; tile++) {
    let excited = 0;
    let inhibited = 0;
    for (let pool = 0; pool < 8; pool++) {
      let sum = 0;
      waves.forEach((wave, w) => (sum += (patterns[pool]! >> w) & 1 ? wave[tile]! : -wave[tile]!));
      // squared, so that a pool listens to where its waves agree; by size, so that its neurons get as much as others'
      const weight = (sum * sum * POOL_SIZES[pool]!) >> 11;
      excited += sum > 0 ? weight : 0;
      inhibited += sum < 0 ? weight : 0;
      excite[tile * 8 + pool] = excited;
      inhibit[tile * 8 + pool] = inhibited;
    }
  }
  return { excite, inhibit };
}

/** Cycles across and down the picture: about half a screen a stripe, so that a scrolling world keeps changing them. */
const WAVE_CYCLES: readonly (readonly [number, number])[] = [
  [1, 0.25],
  [-0.25, 1],
  [0.75, 0.75],
];

/** One wave per tile, -127..127, with its mean removed. */
function createWave(across: number, down: number, phase: number): Int32Array {
  const wave = new Int32Array(FIELD_TILES * FIELD_TILES);
  let sum = 0;
  for (let tile = 0; tile < wave.length; tile++) {
    const x = ((tile % FIELD_TILES) + 0.5) / FIELD_TILES;
    const y = (Math.floor(tile / FIELD_TILES) + 0.5) / FIELD_TILES;
    wave[tile] = Math.floor(110 * exactCos(TURN * (across * x + down * y + phase)) + 0.5);
    sum += wave[tile]!;
  }
  const mean = Math.floor(sum / wave.length + 0.5);
  for (let tile = 0; tile < wave.length; tile++) wave[tile]! -= mean;
  return wave;
}
