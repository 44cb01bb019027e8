import { cue } from './move-flies.ts';
import {
  CHEER_STEPS,
  FALL_STEPS,
  FRUIT_LIMIT_X,
  FRUIT_LIMIT_Y,
  HOLD_AHEAD,
  HOME_RADIUS,
  NECTAR_RADIUS,
  NECTAR_STEPS,
  PICK_RADIUS,
  WIND_AFTER,
  WIND_SPEED,
  spotsFor,
} from './rules.ts';
import {
  CUE,
  FACING,
  FLY,
  FRUIT,
  FRUIT_STATE,
  FRUIT_WORDS,
  MAX_FRUIT,
  MAX_NECTAR,
  NECTAR,
  NOBODY,
  PHASE,
  WORD,
  flyAt,
  fruitAt,
  nectarAt,
} from './state-map.ts';
import { divide, squareRoot } from './whole-numbers.ts';

/** Plums fall, roll, are taken, carried and brought home; drops of nectar fall and are drunk. */
export function moveFruit(state: Int32Array): void {
  for (let index = 0; index < MAX_FRUIT; index++) {
    const plum = fruitAt(index);
    if (state[plum + FRUIT.state] === FRUIT_STATE.falling) fall(state, plum);
    else if (state[plum + FRUIT.state] === FRUIT_STATE.loose) roll(state, plum);
  }
  takePlums(state);
  for (let player = 0; player < state[WORD.players]!; player++) carry(state, player);
  for (let index = 0; index < MAX_NECTAR; index++) drink(state, nectarAt(index));
}

function fall(state: Int32Array, plum: number): void {
  state[plum + FRUIT.fall] = state[plum + FRUIT.fall]! - 1;
  if (state[plum + FRUIT.fall] !== 0) return;
  state[plum + FRUIT.state] = FRUIT_STATE.loose;
  cue(state, CUE.land, state[plum + FRUIT.x]!);
}

function roll(state: Int32Array, plum: number): void {
  if (state[WORD.quiet]! >= WIND_AFTER) drift(state, plum);
  state[plum + FRUIT.vx] = divide(state[plum + FRUIT.vx]! * 15, 16);
  state[plum + FRUIT.vy] = divide(state[plum + FRUIT.vy]! * 15, 16);
  rollAlong(state, plum, FRUIT.x, FRUIT.vx, FRUIT_LIMIT_X);
  rollAlong(state, plum, FRUIT.y, FRUIT.vy, FRUIT_LIMIT_Y);
}

function rollAlong(state: Int32Array, plum: number, place: number, speed: number, limit: number): void {
  let at = state[plum + place]! + state[plum + speed]!;
  if (at > limit || at < -limit) {
    at = at > 0 ? limit : -limit;
    state[plum + speed] = -divide(state[plum + speed]!, 2);
  }
  state[plum + place] = at;
}

/** The wind of a stuck round: towards the one fly that is nearest; none when two are as near. */
function drift(state: Int32Array, plum: number): void {
  const player = nearestFly(state, plum, Number.MAX_SAFE_INTEGER);
  if (player === NOBODY) return;
  const fly = flyAt(player);
  const dx = state[fly + FLY.x]! - state[plum + FRUIT.x]!;
  const dy = state[fly + FLY.y]! - state[plum + FRUIT.y]!;
  const distance = squareRoot(dx * dx + dy * dy);
  if (distance === 0) return;
  state[plum + FRUIT.vx] = divide(WIND_SPEED * dx, distance);
  state[plum + FRUIT.vy] = divide(WIND_SPEED * dy, distance);
}

/** The fly that takes each plum in this step, found for all plums before any is taken. */
const takers = new Int32Array(MAX_FRUIT);

/** A plum goes to the nearest fly that may take it; of two plums a fly takes the nearer. Equal distances: to nobody. */
function takePlums(state: Int32Array): void {
  for (let index = 0; index < MAX_FRUIT; index++) {
    const plum = fruitAt(index);
    takers[index] = NOBODY;
    if (state[plum + FRUIT.state] !== FRUIT_STATE.loose) continue;
    const player = nearestFly(state, plum, PICK_RADIUS * PICK_RADIUS);
    if (player !== NOBODY && nearestPlum(state, flyAt(player)) === index) takers[index] = player;
  }
  for (let index = 0; index < MAX_FRUIT; index++) if (takers[index] !== NOBODY) take(state, takers[index]!, index);
}

function take(state: Int32Array, player: number, index: number): void {
  const plum = fruitAt(index);
  const fly = flyAt(player);
  state[plum + FRUIT.state] = FRUIT_STATE.carried;
  state[plum + FRUIT.carrier] = player;
  state[plum + FRUIT.vx] = 0;
  state[plum + FRUIT.vy] = 0;
  state[fly + FLY.carrying] = index;
  state[WORD.quiet] = 0;
  if (state[plum + FRUIT.touched] === 0) state[fly + FLY.reached] = state[fly + FLY.reached]! + 1;
  state[plum + FRUIT.touched] = state[plum + FRUIT.touched]! | (1 << player);
  cue(state, CUE.pick, state[fly + FLY.x]!);
}

function nearestFly(state: Int32Array, plum: number, withinSquared: number): number {
  let nearest = NOBODY;
  let best = withinSquared + 1;
  for (let player = 0; player < state[WORD.players]!; player++) {
    const fly = flyAt(player);
    if (!mayTake(state, fly)) continue;
    const squared = squaredDistance(state, fly, plum);
    if (squared < best) nearest = player;
    else if (squared === best) nearest = NOBODY;
    if (squared < best) best = squared;
  }
  return nearest;
}

function nearestPlum(state: Int32Array, fly: number): number {
  let nearest = NOBODY;
  let best = PICK_RADIUS * PICK_RADIUS + 1;
  for (let index = 0; index < MAX_FRUIT; index++) {
    const plum = fruitAt(index);
    if (state[plum + FRUIT.state] !== FRUIT_STATE.loose) continue;
    const squared = squaredDistance(state, fly, plum);
    if (squared < best) nearest = index;
    else if (squared === best) nearest = NOBODY;
    if (squared < best) best = squared;
  }
  return nearest;
}

function squaredDistance(state: Int32Array, fly: number, plum: number): number {
  const dx = state[fly + FLY.x]! - state[plum + FRUIT.x]!;
  const dy = state[fly + FLY.y]! - state[plum + FRUIT.y]!;
  return dx * dx + dy * dy;
}

/** Empty legs, steady on them, and in sudden death one of the leaders. */
function mayTake(state: Int32Array, fly: number): boolean {
  if (state[fly + FLY.carrying] !== NOBODY || state[fly + FLY.stun] !== 0 || state[fly + FLY.fumble] !== 0)
    return false;
  return state[WORD.phase] !== PHASE.sudden || state[fly + FLY.score] === topScore(state);
}

export function topScore(state: Int32Array): number {
  let top = 0;
  for (let player = 0; player < state[WORD.players]!; player++) {
    const score = state[flyAt(player) + FLY.score]!;
    if (score > top) top = score;
  }
  return top;
}

function carry(state: Int32Array, player: number): void {
  const fly = flyAt(player);
  const index = state[fly + FLY.carrying]!;
  if (index === NOBODY) return;
  const plum = fruitAt(index);
  const facing = state[fly + FLY.facing]!;
  const across = facing === FACING.right ? HOLD_AHEAD : facing === FACING.left ? -HOLD_AHEAD : 0;
  const down = facing === FACING.down ? HOLD_AHEAD : facing === FACING.up ? -HOLD_AHEAD : 0;
  state[plum + FRUIT.x] = state[fly + FLY.x]! + across;
  state[plum + FRUIT.y] = state[fly + FLY.y]! + down;
  if (!isHome(state, fly)) return;
  state.fill(0, plum, plum + FRUIT_WORDS);
  state[fly + FLY.carrying] = NOBODY;
  state[fly + FLY.score] = state[fly + FLY.score]! + 1;
  state[fly + FLY.delivered] = state[fly + FLY.delivered]! + 1;
  state[fly + FLY.cheer] = CHEER_STEPS;
  state[WORD.quiet] = 0;
  cue(state, CUE.home, state[fly + FLY.x]!);
}

function isHome(state: Int32Array, fly: number): boolean {
  const { homeX, homeY } = spotsFor(state[WORD.players]!)[state[fly + FLY.spot]!]!;
  const dx = state[fly + FLY.x]! - homeX;
  const dy = state[fly + FLY.y]! - homeY;
  return dx * dx + dy * dy <= HOME_RADIUS * HOME_RADIUS;
}

/** The nearest fly drinks; of two as near, nobody does. */
function drink(state: Int32Array, drop: number): void {
  if (state[drop + NECTAR.present] === 0) return;
  if (state[drop + NECTAR.fall]! > 0) {
    state[drop + NECTAR.fall] = state[drop + NECTAR.fall]! - 1;
    return;
  }
  let nearest = NOBODY;
  let best = NECTAR_RADIUS * NECTAR_RADIUS + 1;
  for (let player = 0; player < state[WORD.players]!; player++) {
    const fly = flyAt(player);
    const dx = state[fly + FLY.x]! - state[drop + NECTAR.x]!;
    const dy = state[fly + FLY.y]! - state[drop + NECTAR.y]!;
    const squared = dx * dx + dy * dy;
    if (squared < best) nearest = player;
    else if (squared === best) nearest = NOBODY;
    if (squared < best) best = squared;
  }
  if (nearest === NOBODY) return;
  const fly = flyAt(nearest);
  state[drop + NECTAR.present] = 0;
  state[fly + FLY.nectar] = NECTAR_STEPS;
  state[fly + FLY.dashWait] = 0;
  state[fly + FLY.sipped] = state[fly + FLY.sipped]! + 1;
  cue(state, CUE.nectar, state[fly + FLY.x]!);
}

/** A new plum's first step, high above the field. */
export function dropPlum(state: Int32Array, index: number, x: number, y: number): void {
  const plum = fruitAt(index);
  state.fill(0, plum, plum + FRUIT_WORDS);
  state[plum + FRUIT.state] = FRUIT_STATE.falling;
  state[plum + FRUIT.x] = x;
  state[plum + FRUIT.y] = y;
  state[plum + FRUIT.fall] = FALL_STEPS;
}
