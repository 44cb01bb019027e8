import {
  FLY,
  FRUIT,
  FRUIT_STATE,
  MAX_FRUIT,
  NOBODY,
  WORD,
  flyAt,
  fruitAt,
} from '../../../../systems/environment/arena/state-map.ts';
import { spotsFor } from '../../../../systems/environment/arena/rules.ts';

/**
 * Somebody at a port: answers with a mask of held buttons (bits in the order of `ARENA_BUTTONS`) for the next step.
 * None of these is neural, and nothing here ever plays in a show (spec: arena.md T10).
 */
export type ArenaPlayer = {
  readonly name: string;
  buttons(state: Int32Array, player: number): number;
};

/** 0.8 s and 85 ms, 480 ms of the fly's readout in steps (spec: brain.md 8.3). */
const HOLD_STEPS = 48;
const PULSE_STEPS = 5;
const PULSE_WAIT = 29;

/**
 * Plays as a fly's readout does, without a brain behind it: one direction at a time, chosen anew every 0.8 s, and short
 * pulses of a and b, each by its own chance.
 * @param mirrored draws the same chances but swaps left and right
 */
export function createRandomPlayer(seed: number, mirrored = false): ArenaPlayer {
  let random = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) | 1;
  let step = 0;
  let direction = 0;
  const pulses = [
    { bit: 16, until: 0, next: 0 },
    { bit: 32, until: 0, next: 0 },
  ];
  const chance = (below: number): number => {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return (random >>> 8) % below;
  };
  for (let i = 0; i < 8; i++) chance(2);
  return {
    name: 'random',
    buttons() {
      if (step % HOLD_STEPS === 0) direction = 1 << chance(4);
      let mask = mirrored ? mirrorButtons(direction) : direction;
      for (const pulse of pulses) {
        if (step >= pulse.next && chance(60) === 0) {
          pulse.until = step + PULSE_STEPS;
          pulse.next = step + PULSE_WAIT;
        }
        if (step < pulse.until) mask |= pulse.bit;
      }
      step += 1;
      return mask;
    },
  };
}

/** Runs to the nearest plum and home with it, in holds of 0.8 s and with no tricks: what is possible at that pace. */
export function createKeenPlayer(holdSteps: number = HOLD_STEPS): ArenaPlayer {
  let left = 0;
  let mask = 0;
  return {
    name: 'keen',
    buttons(state, player) {
      if (left-- > 0) return mask;
      left = holdSteps - 1;
      const fly = flyAt(player);
      const target = state[fly + FLY.carrying] === NOBODY ? nearestPlum(state, fly) : homeOf(state, fly);
      const dx = target.x - state[fly + FLY.x]!;
      const dy = target.y - state[fly + FLY.y]!;
      mask = Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 8 : 4) : dy > 0 ? 2 : 1;
      return mask;
    },
  };
}

/** Left and right change places; everything else stays. */
export function mirrorButtons(mask: number): number {
  return (mask & ~12) | ((mask & 4) << 1) | ((mask & 8) >> 1);
}

type Place = { readonly x: number; readonly y: number };

function homeOf(state: Int32Array, fly: number): Place {
  const { homeX, homeY } = spotsFor(state[WORD.players]!)[state[fly + FLY.spot]!]!;
  return { x: homeX, y: homeY };
}

function nearestPlum(state: Int32Array, fly: number): Place {
  let best = Infinity;
  let place: Place = { x: 0, y: 0 };
  for (let index = 0; index < MAX_FRUIT; index++) {
    const plum = fruitAt(index);
    if (state[plum + FRUIT.state] === FRUIT_STATE.none || state[plum + FRUIT.state] === FRUIT_STATE.carried) continue;
    const x = state[plum + FRUIT.x]!;
    const y = state[plum + FRUIT.y]!;
    const distance = (x - state[fly + FLY.x]!) ** 2 + (y - state[fly + FLY.y]!) ** 2;
    if (distance < best) {
      best = distance;
      place = { x, y };
    }
  }
  return place;
}
