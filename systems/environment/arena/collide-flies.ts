import { cue, keepInField } from './move-flies.ts';
import {
  FLY_RADIUS,
  FUMBLE_STEPS,
  GUST_RADIUS,
  GUST_SPEED,
  GUST_STEPS,
  KNOCK_SPEED,
  MAX_PLAYERS,
  SHIELD_STEPS,
  STUN_STEPS,
  TOP_SPEED,
  spotsFor,
} from './rules.ts';
import { CUE, FLY, FRUIT, FRUIT_STATE, MAX_FRUIT, NOBODY, WORD, flyAt, fruitAt } from './state-map.ts';
import { divide, squareRoot } from './whole-numbers.ts';

/** What happens to each fly in this step, gathered from all pairs before anything is applied. */
const pushX = new Int32Array(MAX_PLAYERS);
const pushY = new Int32Array(MAX_PLAYERS);
const kickX = new Int32Array(MAX_PLAYERS);
const kickY = new Int32Array(MAX_PLAYERS);
/** Bits of the players that struck a fly with a dash, or blew a gust over it. */
const struckBy = new Int32Array(MAX_PLAYERS);
const blownBy = new Int32Array(MAX_PLAYERS);

/**
 * Bumps, dashes and gusts between flies, all judged from the same moment and applied together, so that no player is
 * served first. A blow to a shielded fly only pushes.
 */
export function collideFlies(state: Int32Array): void {
  const players = state[WORD.players]!;
  for (const gathered of [pushX, pushY, kickX, kickY, struckBy, blownBy]) gathered.fill(0);
  for (let a = 0; a < players; a++) {
    for (let b = a + 1; b < players; b++) {
      touch(state, a, b);
      blow(state, a, b);
      blow(state, b, a);
    }
  }
  for (let player = 0; player < players; player++) blowPlums(state, player);
  for (let player = 0; player < players; player++) apply(state, player);
}

function touch(state: Int32Array, a: number, b: number): void {
  const flyA = flyAt(a);
  const flyB = flyAt(b);
  let dx = state[flyB + FLY.x]! - state[flyA + FLY.x]!;
  let dy = state[flyB + FLY.y]! - state[flyA + FLY.y]!;
  const squared = dx * dx + dy * dy;
  if (squared >= 4 * FLY_RADIUS * FLY_RADIUS) return;
  let distance = squareRoot(squared);
  const overlap = 2 * FLY_RADIUS - distance;
  if (distance === 0) {
    // one place for both: each is pushed towards its own home, which a mirror maps onto itself
    const spots = spotsFor(state[WORD.players]!);
    const homeA = spots[state[flyA + FLY.spot]!]!;
    const homeB = spots[state[flyB + FLY.spot]!]!;
    dx = homeB.homeX - homeA.homeX;
    dy = homeB.homeY - homeA.homeY;
    distance = squareRoot(dx * dx + dy * dy);
  }
  const outX = divide(overlap * dx, 2 * distance);
  const outY = divide(overlap * dy, 2 * distance);
  pushX[a] = pushX[a]! - outX;
  pushY[a] = pushY[a]! - outY;
  pushX[b] = pushX[b]! + outX;
  pushY[b] = pushY[b]! + outY;
  const apart =
    (state[flyB + FLY.vx]! - state[flyA + FLY.vx]!) * dx + (state[flyB + FLY.vy]! - state[flyA + FLY.vy]!) * dy;
  const meeting = -divide(apart, distance);
  if (meeting <= 0) return;
  const kickAcross = divide(meeting * dx, distance);
  const kickDown = divide(meeting * dy, distance);
  kickX[a] = kickX[a]! - kickAcross;
  kickY[a] = kickY[a]! - kickDown;
  kickX[b] = kickX[b]! + kickAcross;
  kickY[b] = kickY[b]! + kickDown;
  if (meeting > 120) cue(state, CUE.bump, divide(state[flyA + FLY.x]! + state[flyB + FLY.x]!, 2));
  if (isHot(state, flyA)) strike(a, b, dx, dy, distance);
  if (isHot(state, flyB)) strike(b, a, -dx, -dy, distance);
}

/** A dash with empty legs: a fly that carries can run away with it, not strike. */
function isHot(state: Int32Array, fly: number): boolean {
  return state[fly + FLY.dashLeft]! > 0 && state[fly + FLY.carrying] === NOBODY;
}

function strike(by: number, whom: number, dx: number, dy: number, distance: number): void {
  struckBy[whom] = struckBy[whom]! | (1 << by);
  kickX[whom] = kickX[whom]! + divide(KNOCK_SPEED * dx, distance);
  kickY[whom] = kickY[whom]! + divide(KNOCK_SPEED * dy, distance);
}

function blow(state: Int32Array, by: number, whom: number): void {
  const from = flyAt(by);
  if (state[from + FLY.gustLeft] !== GUST_STEPS) return;
  const fly = flyAt(whom);
  const dx = state[fly + FLY.x]! - state[from + FLY.x]!;
  const dy = state[fly + FLY.y]! - state[from + FLY.y]!;
  const squared = dx * dx + dy * dy;
  if (squared === 0 || squared > GUST_RADIUS * GUST_RADIUS) return;
  const distance = squareRoot(squared);
  blownBy[whom] = blownBy[whom]! | (1 << by);
  kickX[whom] = kickX[whom]! + divide(GUST_SPEED * dx, distance);
  kickY[whom] = kickY[whom]! + divide(GUST_SPEED * dy, distance);
}

function blowPlums(state: Int32Array, by: number): void {
  const from = flyAt(by);
  if (state[from + FLY.gustLeft] !== GUST_STEPS) return;
  for (let index = 0; index < MAX_FRUIT; index++) {
    const plum = fruitAt(index);
    if (state[plum + FRUIT.state] !== FRUIT_STATE.loose) continue;
    const dx = state[plum + FRUIT.x]! - state[from + FLY.x]!;
    const dy = state[plum + FRUIT.y]! - state[from + FLY.y]!;
    const squared = dx * dx + dy * dy;
    if (squared === 0 || squared > GUST_RADIUS * GUST_RADIUS) continue;
    const distance = squareRoot(squared);
    state[plum + FRUIT.vx] = state[plum + FRUIT.vx]! + divide(GUST_SPEED * dx, distance);
    state[plum + FRUIT.vy] = state[plum + FRUIT.vy]! + divide(GUST_SPEED * dy, distance);
  }
}

function apply(state: Int32Array, player: number): void {
  const fly = flyAt(player);
  const isTouched = pushX[player] !== 0 || pushY[player] !== 0 || kickX[player] !== 0 || kickY[player] !== 0;
  if (!isTouched) return;
  state[fly + FLY.x] = state[fly + FLY.x]! + pushX[player]!;
  state[fly + FLY.y] = state[fly + FLY.y]! + pushY[player]!;
  state[fly + FLY.vx] = limit(state[fly + FLY.vx]! + kickX[player]!, TOP_SPEED);
  state[fly + FLY.vy] = limit(state[fly + FLY.vy]! + kickY[player]!, TOP_SPEED);
  if (kickX[player] !== 0 || kickY[player] !== 0) state[fly + FLY.dashLeft] = 0;
  const by = struckBy[player]! | blownBy[player]!;
  if (by !== 0 && state[fly + FLY.shield] === 0) {
    if (state[fly + FLY.carrying] !== NOBODY) losePlum(state, fly, by);
    if (struckBy[player] !== 0) {
      state[fly + FLY.stun] = STUN_STEPS;
      cue(state, CUE.knock, state[fly + FLY.x]!);
    }
    state[fly + FLY.shield] = SHIELD_STEPS;
  }
  keepInField(state, player);
}

function losePlum(state: Int32Array, fly: number, by: number): void {
  const plum = fruitAt(state[fly + FLY.carrying]!);
  state[plum + FRUIT.state] = FRUIT_STATE.loose;
  state[plum + FRUIT.carrier] = 0;
  state[plum + FRUIT.vx] = divide(state[fly + FLY.vx]! * 3, 4);
  state[plum + FRUIT.vy] = divide(state[fly + FLY.vy]! * 3, 4);
  state[plum + FRUIT.x] = state[fly + FLY.x]!;
  state[plum + FRUIT.y] = state[fly + FLY.y]!;
  state[fly + FLY.carrying] = NOBODY;
  state[fly + FLY.fumble] = FUMBLE_STEPS;
  state[WORD.quiet] = 0;
  for (let player = 0; player < state[WORD.players]!; player++) {
    if ((by & (1 << player)) === 0) continue;
    const striker = flyAt(player);
    state[striker + FLY.knocked] = state[striker + FLY.knocked]! + 1;
  }
}

function limit(value: number, most: number): number {
  return value > most ? most : value < -most ? -most : value;
}
