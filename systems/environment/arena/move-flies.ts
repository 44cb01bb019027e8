import {
  CARRY_SPEED,
  DASH_SPEED,
  DASH_STEPS,
  DASH_WAIT,
  FLY_RADIUS,
  GRIP,
  GUST_STEPS,
  GUST_WAIT,
  HALF_HEIGHT,
  HALF_WIDTH,
  HEDGE_GAP,
  NECTAR_SPEED,
  STUNNED_GRIP,
  WALK_SPEED,
  twigsFor,
} from './rules.ts';
import { BUTTON, CUE, FACING, FLY, NOBODY, WORD, flyAt } from './state-map.ts';
import { divide, squareRoot } from './whole-numbers.ts';

/**
 * Turns buttons into speed and moves every fly by its own. Looks at no other fly, so the order does not matter.
 * Opposite directions cancel; start and select do nothing.
 */
export function moveFlies(state: Int32Array): void {
  for (let player = 0; player < state[WORD.players]!; player++) {
    const fly = flyAt(player);
    countDown(state, fly);
    steer(state, fly);
    state[fly + FLY.x] = state[fly + FLY.x]! + state[fly + FLY.vx]!;
    state[fly + FLY.y] = state[fly + FLY.y]! + state[fly + FLY.vy]!;
    const pace = Math.abs(state[fly + FLY.vx]!) + Math.abs(state[fly + FLY.vy]!);
    state[fly + FLY.stride] = (state[fly + FLY.stride]! + pace) & 0xffffff;
    keepInField(state, player);
  }
}

function countDown(state: Int32Array, fly: number): void {
  for (let at = fly + FLY.dashLeft; at <= fly + FLY.nectar; at++) if (state[at]! > 0) state[at] = state[at]! - 1;
  if (state[fly + FLY.fumble]! > 0) state[fly + FLY.fumble] = state[fly + FLY.fumble]! - 1;
  if (state[fly + FLY.cheer]! > 0) state[fly + FLY.cheer] = state[fly + FLY.cheer]! - 1;
}

function steer(state: Int32Array, fly: number): void {
  const buttons = state[fly + FLY.stun]! > 0 ? 0 : state[fly + FLY.buttons]!;
  const right = ((buttons & BUTTON.right) === 0 ? 0 : 1) - ((buttons & BUTTON.left) === 0 ? 0 : 1);
  const down = ((buttons & BUTTON.down) === 0 ? 0 : 1) - ((buttons & BUTTON.up) === 0 ? 0 : 1);
  if (state[fly + FLY.dashLeft]! === 0) face(state, fly, right, down);
  if ((buttons & BUTTON.a) !== 0 && state[fly + FLY.dashWait] === 0) {
    state[fly + FLY.dashLeft] = DASH_STEPS;
    state[fly + FLY.dashWait] = DASH_WAIT;
    cue(state, CUE.dash, state[fly + FLY.x]!);
  }
  if ((buttons & BUTTON.b) !== 0 && state[fly + FLY.gustWait] === 0) {
    state[fly + FLY.gustLeft] = GUST_STEPS;
    state[fly + FLY.gustWait] = GUST_WAIT;
    cue(state, CUE.gust, state[fly + FLY.x]!);
  }
  if (state[fly + FLY.dashLeft]! > 0) {
    const facing = state[fly + FLY.facing]!;
    state[fly + FLY.vx] = facing === FACING.right ? DASH_SPEED : facing === FACING.left ? -DASH_SPEED : 0;
    state[fly + FLY.vy] = facing === FACING.down ? DASH_SPEED : facing === FACING.up ? -DASH_SPEED : 0;
    return;
  }
  const speed =
    state[fly + FLY.nectar]! > 0 ? NECTAR_SPEED : state[fly + FLY.carrying] === NOBODY ? WALK_SPEED : CARRY_SPEED;
  const wanted = right !== 0 && down !== 0 ? divide(speed * 181, 256) : speed; // 181/256 is one over root two
  const grip = state[fly + FLY.stun]! > 0 ? STUNNED_GRIP : GRIP;
  state[fly + FLY.vx] = approach(state[fly + FLY.vx]!, right * wanted, grip);
  state[fly + FLY.vy] = approach(state[fly + FLY.vy]!, down * wanted, grip);
}

/** A fly pressed one way looks that way; pressed diagonally it keeps looking where it did, if that is one of the two. */
function face(state: Int32Array, fly: number, right: number, down: number): void {
  const sideways = right > 0 ? FACING.right : FACING.left;
  const upright = down > 0 ? FACING.down : FACING.up;
  if (right !== 0 && down !== 0) {
    const now = state[fly + FLY.facing]!;
    if (now !== sideways && now !== upright) state[fly + FLY.facing] = sideways;
  } else if (right !== 0) state[fly + FLY.facing] = sideways;
  else if (down !== 0) state[fly + FLY.facing] = upright;
}

function approach(speed: number, wanted: number, grip: number): number {
  const missing = wanted - speed;
  return Math.abs(missing) < grip ? wanted : speed + divide(missing, grip);
}

const LIMIT_X = HALF_WIDTH - HEDGE_GAP;
const LIMIT_Y = HALF_HEIGHT - HEDGE_GAP;

/** Hedge and twigs: the fly is put back outside and keeps the speed along them. Running into the hedge ends a dash. */
export function keepInField(state: Int32Array, player: number): void {
  const fly = flyAt(player);
  for (const twig of twigsFor(state[WORD.players]!)) {
    const x = state[fly + FLY.x]!;
    const y = state[fly + FLY.y]!;
    const dx = x - clamp(x, twig.x - twig.halfWidth, twig.x + twig.halfWidth);
    const dy = y - clamp(y, twig.y - twig.halfHeight, twig.y + twig.halfHeight);
    const squared = dx * dx + dy * dy;
    if (squared === 0 || squared >= FLY_RADIUS * FLY_RADIUS) continue;
    const distance = squareRoot(squared);
    const missing = FLY_RADIUS - distance;
    state[fly + FLY.x] = x + divide(missing * dx, distance);
    state[fly + FLY.y] = y + divide(missing * dy, distance);
    const into = divide(state[fly + FLY.vx]! * dx + state[fly + FLY.vy]! * dy, distance);
    if (into >= 0) continue;
    state[fly + FLY.vx] = state[fly + FLY.vx]! - divide(into * dx, distance);
    state[fly + FLY.vy] = state[fly + FLY.vy]! - divide(into * dy, distance);
  }
  bounce(state, fly, FLY.x, FLY.vx, LIMIT_X);
  bounce(state, fly, FLY.y, FLY.vy, LIMIT_Y);
}

function bounce(state: Int32Array, fly: number, place: number, speed: number, limit: number): void {
  const at = state[fly + place]!;
  if (at <= limit && at >= -limit) return;
  state[fly + place] = clamp(at, -limit, limit);
  if (at * state[fly + speed]! <= 0) return;
  if (state[fly + FLY.dashLeft]! > 0) {
    state[fly + FLY.dashLeft] = 0;
    cue(state, CUE.bump, state[fly + FLY.x]!);
  }
  state[fly + speed] = -divide(state[fly + speed]!, 3);
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** Something to be heard in this step. @param x where, 1/256 px from the middle */
export function cue(state: Int32Array, bits: number, x: number): void {
  state[WORD.cues] = state[WORD.cues]! | bits;
  state[WORD.cueX] = x;
}
