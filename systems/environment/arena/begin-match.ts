import {
  INTRO_STEPS,
  MASTER_SEED,
  NECTAR_WAIT,
  FRUIT_WAIT,
  ROUND_STEPS,
  spotsFor,
  SUDDEN_INTRO_STEPS,
  SUDDEN_STEPS,
} from './rules.ts';
import type { Spot } from './rules.ts';
import {
  FACING,
  FLY,
  FRUIT,
  FRUIT_AT,
  FRUIT_STATE,
  NECTAR_AT,
  NOBODY,
  PHASE,
  STATE_MAGIC,
  STATE_WORDS,
  VOICE_AT,
  WORD,
  flyAt,
  fruitAt,
} from './state-map.ts';

/** A match before its first step: round 1, sides by the parity of its number. @param matchNumber from 1 */
export function createMatch(players: number, matchNumber: number): Int32Array {
  const state = new Int32Array(STATE_WORDS);
  state[WORD.magic] = STATE_MAGIC;
  state[WORD.players] = players;
  state[WORD.matchNumber] = matchNumber;
  state[WORD.seed] = seedOf(matchNumber);
  state[WORD.random] = state[WORD.seed]!;
  state[WORD.matchWinner] = NOBODY;
  state[WORD.noise] = 0x1234567;
  state.fill(NOBODY, WORD.roundWinners, WORD.roundWinners + 5);
  beginRound(state, 1);
  return state;
}

/** Steps the first plum of a round lies there before anybody may move. */
const LANDS_BEFORE_START = 12;

/** Chances of a match: a fixed scramble of the master seed and its number, never 0. */
function seedOf(matchNumber: number): number {
  let seed = Math.imul(MASTER_SEED ^ Math.imul(matchNumber, 0x9e3779b1), 0x85ebca6b);
  seed ^= seed >>> 15;
  seed = Math.imul(seed, 0xc2b2ae35);
  seed ^= seed >>> 13;
  return seed === 0 ? MASTER_SEED : seed;
}

/** Everybody moves to the next seat, the field is cleared and one plum falls in the middle. */
export function beginRound(state: Int32Array, round: number): void {
  const players = state[WORD.players]!;
  state[WORD.round] = round;
  state[WORD.phase] = PHASE.intro;
  state[WORD.phaseLeft] = INTRO_STEPS;
  state[WORD.clock] = ROUND_STEPS;
  state[WORD.roundSteps] = 0;
  state[WORD.roundWinner] = NOBODY;
  state[WORD.nectarWait] = NECTAR_WAIT;
  clearField(state);
  for (let player = 0; player < players; player++) {
    const fly = flyAt(player);
    state[fly + FLY.spot] = seatOf(state[WORD.matchNumber]!, round, player, players);
    state[fly + FLY.score] = 0;
    seat(state, player);
  }
  dropMiddlePlum(state);
}

/** Seats change after every round, and the match begins on the other side from the last one. */
export function seatOf(matchNumber: number, round: number, player: number, players: number): number {
  const seats = spotsFor(players).length;
  return (player + (round - 1) + (matchNumber - 1)) % seats;
}

/** Flies back to their spots with nothing in hand, and one plum for all. Scores stay. */
export function beginSuddenDeath(state: Int32Array): void {
  state[WORD.phase] = PHASE.suddenIntro;
  state[WORD.phaseLeft] = SUDDEN_INTRO_STEPS;
  state[WORD.clock] = SUDDEN_STEPS;
  clearField(state);
  for (let player = 0; player < state[WORD.players]!; player++) seat(state, player);
  dropMiddlePlum(state);
}

function clearField(state: Int32Array): void {
  state.fill(0, FRUIT_AT, NECTAR_AT);
  state.fill(0, NECTAR_AT, VOICE_AT);
  state[WORD.fruitWait] = FRUIT_WAIT;
  state[WORD.quiet] = 0;
}

function seat(state: Int32Array, player: number): void {
  const fly = flyAt(player);
  const spot = spotsFor(state[WORD.players]!)[state[fly + FLY.spot]!]!;
  state[fly + FLY.x] = spot.x;
  state[fly + FLY.y] = spot.y;
  state[fly + FLY.vx] = 0;
  state[fly + FLY.vy] = 0;
  state[fly + FLY.facing] = inwards(spot);
  state.fill(0, fly + FLY.dashLeft, fly + FLY.score);
  state[fly + FLY.carrying] = NOBODY;
  state[fly + FLY.cheer] = 0;
}

function inwards(spot: Spot): number {
  return spot.x < 0 ? FACING.right : FACING.left;
}

/** It lies just before the start. */
function dropMiddlePlum(state: Int32Array): void {
  const plum = fruitAt(0);
  state[plum + FRUIT.state] = FRUIT_STATE.falling;
  state[plum + FRUIT.fall] = state[WORD.phaseLeft]! - LANDS_BEFORE_START;
}
