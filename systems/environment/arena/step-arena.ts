import { beginRound, beginSuddenDeath } from './begin-match.ts';
import { collideFlies } from './collide-flies.ts';
import { dropFruit } from './drop-fruit.ts';
import { cue, moveFlies } from './move-flies.ts';
import { moveFruit, topScore } from './move-fruit.ts';
import { MATCH_OVER_STEPS, ROUND_COUNT, ROUND_OVER_STEPS, ROUNDS_TO_WIN, SCORE_TO_WIN, STUCK_AFTER } from './rules.ts';
import { CUE, DRAWN, FLY, FRUIT, FRUIT_STATE, MAX_FRUIT, NOBODY, PHASE, WORD, flyAt, fruitAt } from './state-map.ts';

/**
 * One step of the match, in place. Whole numbers only: equal states and buttons give equal states on any machine.
 * @param buttons one mask per player, bits in the order of `ARENA_BUTTONS`
 */
export function stepArena(state: Int32Array, buttons: Int32Array): void {
  state[WORD.step] = state[WORD.step]! + 1;
  state[WORD.cues] = 0;
  const phase = state[WORD.phase]!;
  const isPlayed = phase === PHASE.play || phase === PHASE.sudden;
  for (let player = 0; player < state[WORD.players]!; player++) {
    state[flyAt(player) + FLY.buttons] = isPlayed ? buttons[player]! : 0;
  }
  if (isPlayed) {
    state[WORD.roundSteps] = state[WORD.roundSteps]! + 1;
    state[WORD.quiet] = state[WORD.quiet]! + 1;
    moveFlies(state);
    collideFlies(state);
    moveFruit(state);
    if (phase === PHASE.play) dropFruit(state);
    judge(state, phase);
    return;
  }
  if (phase === PHASE.over) return;
  moveFlies(state); // nobody steers: they come to rest
  if (phase === PHASE.intro || phase === PHASE.suddenIntro) letFall(state);
  state[WORD.phaseLeft] = state[WORD.phaseLeft]! - 1;
  if (state[WORD.phaseLeft]! > 0) return;
  if (phase === PHASE.intro) start(state, PHASE.play);
  else if (phase === PHASE.suddenIntro) start(state, PHASE.sudden);
  else if (phase === PHASE.matchOver) state[WORD.phase] = PHASE.over;
  else afterRound(state);
}

/** Seconds the clock shows, rounded up: 70,224/4,194,304 s a step. */
export function secondsLeft(state: Int32Array): number {
  return Math.ceil((state[WORD.clock]! * 70_224) / 4_194_304);
}

function start(state: Int32Array, phase: number): void {
  state[WORD.phase] = phase;
  cue(state, CUE.go, 0);
}

/** The plum in the air comes down before the start, and nobody takes it before that. */
function letFall(state: Int32Array): void {
  for (let index = 0; index < MAX_FRUIT; index++) {
    const plum = fruitAt(index);
    if (state[plum + FRUIT.state] !== FRUIT_STATE.falling) continue;
    state[plum + FRUIT.fall] = state[plum + FRUIT.fall]! - 1;
    if (state[plum + FRUIT.fall] !== 0) continue;
    state[plum + FRUIT.state] = FRUIT_STATE.loose;
    cue(state, CUE.land, state[plum + FRUIT.x]!);
  }
}

/** Clock, target score, sudden death and stuck rounds. */
function judge(state: Int32Array, phase: number): void {
  const before = secondsLeft(state);
  state[WORD.clock] = state[WORD.clock]! - 1;
  if (secondsLeft(state) !== before && secondsLeft(state) <= 5 && state[WORD.clock]! > 0) cue(state, CUE.tick, 0);
  const leader = soleLeader(state);
  if (phase === PHASE.play) {
    if (leader !== NOBODY && topScore(state) >= SCORE_TO_WIN) endRound(state, leader);
    else if (state[WORD.clock] === 0 || state[WORD.quiet]! >= STUCK_AFTER) {
      if (leader !== NOBODY) endRound(state, leader);
      else {
        beginSuddenDeath(state);
        cue(state, CUE.sudden, 0);
      }
    }
    return;
  }
  if (leader !== NOBODY) endRound(state, leader);
  else if (state[WORD.clock] === 0) endRound(state, carrierOf(state));
}

function soleLeader(state: Int32Array): number {
  const top = topScore(state);
  let leader = NOBODY;
  for (let player = 0; player < state[WORD.players]!; player++) {
    if (state[flyAt(player) + FLY.score] !== top) continue;
    if (leader !== NOBODY) return NOBODY;
    leader = player;
  }
  return leader;
}

/** Sudden death that runs out goes to the fly with the plum; there is only one plum. */
function carrierOf(state: Int32Array): number {
  for (let player = 0; player < state[WORD.players]!; player++) {
    if (state[flyAt(player) + FLY.carrying] !== NOBODY) return player;
  }
  return DRAWN;
}

function endRound(state: Int32Array, winner: number): void {
  const round = state[WORD.round]!;
  state[WORD.roundWinner] = winner;
  state[WORD.roundWinners + round - 1] = winner;
  state[WORD.roundLengths + round - 1] = state[WORD.roundSteps]!;
  state[WORD.phase] = PHASE.roundOver;
  state[WORD.phaseLeft] = ROUND_OVER_STEPS;
  if (winner !== DRAWN) {
    const fly = flyAt(winner);
    state[fly + FLY.roundsWon] = state[fly + FLY.roundsWon]! + 1;
  }
  cue(state, winner === DRAWN ? CUE.drawn : CUE.round, 0);
}

/** Next round, or the end: three rounds won, or five played. Equal then: more plums in the match, or nobody. */
function afterRound(state: Int32Array): void {
  const round = state[WORD.round]!;
  const most = best(state, FLY.roundsWon);
  if (most.value < ROUNDS_TO_WIN && round < ROUND_COUNT) {
    beginRound(state, round + 1);
    return;
  }
  const winner = most.player === NOBODY ? best(state, FLY.delivered, most.value).player : most.player;
  state[WORD.matchWinner] = winner === NOBODY ? DRAWN : winner;
  state[WORD.phase] = PHASE.matchOver;
  state[WORD.phaseLeft] = MATCH_OVER_STEPS;
  cue(state, winner === NOBODY ? CUE.drawn : CUE.match, 0);
}

/** Who alone has most of a counter, among those with `roundsWon` rounds when that is given. */
function best(state: Int32Array, counter: number, roundsWon = NOBODY): { player: number; value: number } {
  let player = NOBODY;
  let value = NOBODY;
  for (let candidate = 0; candidate < state[WORD.players]!; candidate++) {
    const fly = flyAt(candidate);
    if (roundsWon !== NOBODY && state[fly + FLY.roundsWon] !== roundsWon) continue;
    const count = state[fly + counter]!;
    if (count > value) player = candidate;
    else if (count === value) player = NOBODY;
    if (count > value) value = count;
  }
  return { player, value };
}
