import { createMatch } from '../../../../systems/environment/arena/begin-match.ts';
import { stepArena } from '../../../../systems/environment/arena/step-arena.ts';
import { FLY, PHASE, WORD, flyAt } from '../../../../systems/environment/arena/state-map.ts';
import type { ArenaPlayer } from './arena-players.ts';

export type PlayedRound = {
  /** Player, or `DRAWN`. */
  readonly winner: number;
  /** Where the winner's home was; -1 for a drawn round. */
  readonly winnerSpot: number;
  readonly steps: number;
  /** Plums per spot. */
  readonly scores: readonly number[];
};

export type PlayedMatch = {
  readonly winner: number;
  readonly rounds: readonly PlayedRound[];
  readonly steps: number;
  readonly reached: readonly number[];
  readonly knocked: readonly number[];
  readonly suddenDeaths: number;
};

/** Plays a whole match without a picture. @param onStep sees the state after every step */
export function playMatch(
  players: readonly ArenaPlayer[],
  matchNumber: number,
  onStep: (state: Int32Array) => void = () => undefined,
): PlayedMatch {
  const state = createMatch(players.length, matchNumber);
  const buttons = new Int32Array(players.length);
  const rounds: PlayedRound[] = [];
  let suddenDeaths = 0;
  while (state[WORD.phase] !== PHASE.over) {
    for (let i = 0; i < players.length; i++) buttons[i] = players[i]!.buttons(state, i);
    const before = state[WORD.phase]!;
    stepArena(state, buttons);
    const after = state[WORD.phase]!;
    if (before !== PHASE.suddenIntro && after === PHASE.suddenIntro) suddenDeaths += 1;
    if (before !== PHASE.roundOver && after === PHASE.roundOver) rounds.push(readRound(state));
    onStep(state);
  }
  const count = (word: number): number[] => players.map((_, i) => state[flyAt(i) + word]!);
  return {
    winner: state[WORD.matchWinner]!,
    rounds,
    steps: state[WORD.step]!,
    reached: count(FLY.reached),
    knocked: count(FLY.knocked),
    suddenDeaths,
  };
}

function readRound(state: Int32Array): PlayedRound {
  const winner = state[WORD.roundWinner]!;
  const scores: number[] = [];
  for (let i = 0; i < state[WORD.players]!; i++) scores[state[flyAt(i) + FLY.spot]!] = state[flyAt(i) + FLY.score]!;
  return {
    winner,
    winnerSpot: winner < 0 ? -1 : state[flyAt(winner) + FLY.spot]!,
    steps: state[WORD.roundSteps]!,
    scores,
  };
}
