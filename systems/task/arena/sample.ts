import { ARENA_PORTS } from '../../environment/arena/describe-arena.ts';
import { HALF_HEIGHT, HALF_WIDTH, UNIT, spotsFor } from '../../environment/arena/rules.ts';
import {
  DRAWN,
  FLY,
  NOBODY,
  PHASE,
  STATE_BYTES,
  STATE_MAGIC,
  WORD,
  flyAt,
  readState,
} from '../../environment/arena/state-map.ts';
import { secondsLeft } from '../../environment/arena/step-arena.ts';
import type { MatchPhase } from '../../../engine/contract/task.ts';
import { DataError } from '../../../engine/errors.ts';

/** What the task reads from one state of the arena. Players are in port order. */
export type Sample = {
  readonly matchNumber: number;
  readonly seed: number;
  readonly round: number;
  readonly phase: MatchPhase;
  /** The match is over and its end has been shown: nothing moves any more. */
  readonly isFinished: boolean;
  readonly secondsLeft: number;
  readonly quietSteps: number;
  /** Player; null while undecided or drawn. */
  readonly roundWinner: number | null;
  readonly matchWinner: number | null;
  /** Rounds played to their end, in order. */
  readonly rounds: readonly { readonly winner: number | null; readonly steps: number }[];
  readonly players: readonly PlayerSample[];
};

export type PlayerSample = {
  readonly portId: string;
  readonly side: string;
  readonly score: number;
  readonly roundsWon: number;
  /** Counters of the match. */
  readonly counters: Counters;
  /** Whole cells of 8 px. */
  readonly column: number;
  readonly row: number;
  readonly doing: string;
};

/** Monotonic within a match; each step of one pays once. */
export type Counters = { reached: number; delivered: number; knocked: number; sipped: number; roundsWon: number };

/** @throws DataError ARENA_STATE when the bytes are not a state of the arena for so many players */
export function readSample(inspection: Uint8Array, agents: number): Sample {
  const state = inspection.byteLength === STATE_BYTES ? readState(inspection) : null;
  if (state === null || state[WORD.magic] !== STATE_MAGIC || state[WORD.players] !== agents) {
    throw new DataError(
      'ARENA_STATE',
      `arena: ${inspection.byteLength} bytes are no state of an arena for ${agents} players; give the task its own world.`,
    );
  }
  const round = state[WORD.round]!;
  const phase = state[WORD.phase]!;
  const isRoundDone = phase >= PHASE.roundOver;
  return {
    matchNumber: state[WORD.matchNumber]!,
    seed: state[WORD.seed]! >>> 0,
    round,
    phase: PHASE_WORDS[phase]!,
    isFinished: phase === PHASE.over,
    secondsLeft: secondsLeft(state),
    quietSteps: state[WORD.quiet]!,
    roundWinner: playerOrNull(state[WORD.roundWinner]!),
    matchWinner: playerOrNull(state[WORD.matchWinner]!),
    rounds: Array.from({ length: isRoundDone ? round : round - 1 }, (_, i) => ({
      winner: playerOrNull(state[WORD.roundWinners + i]!),
      steps: state[WORD.roundLengths + i]!,
    })),
    players: Array.from({ length: agents }, (_, player) => readPlayer(state, player)),
  };
}

const PHASE_WORDS: readonly MatchPhase[] = [
  'intro',
  'play',
  'sudden-death',
  'sudden-death',
  'round-over',
  'match-over',
  'match-over',
];

function playerOrNull(word: number): number | null {
  return word === NOBODY || word === DRAWN ? null : word;
}

const CELL = 8 * UNIT;

function readPlayer(state: Int32Array, player: number): PlayerSample {
  const fly = flyAt(player);
  const roundsWon = state[fly + FLY.roundsWon]!;
  return {
    portId: ARENA_PORTS[player]!,
    side: spotsFor(state[WORD.players]!)[state[fly + FLY.spot]!]!.name,
    score: state[fly + FLY.score]!,
    roundsWon,
    counters: {
      reached: state[fly + FLY.reached]!,
      delivered: state[fly + FLY.delivered]!,
      knocked: state[fly + FLY.knocked]!,
      sipped: state[fly + FLY.sipped]!,
      roundsWon,
    },
    column: Math.floor((state[fly + FLY.x]! + HALF_WIDTH) / CELL),
    row: Math.floor((state[fly + FLY.y]! + HALF_HEIGHT) / CELL),
    doing: doingOf(state, fly),
  };
}

function doingOf(state: Int32Array, fly: number): string {
  if (state[fly + FLY.stun]! > 0) return 'stunned';
  if (state[fly + FLY.dashLeft]! > 0) return 'dashing';
  if (state[fly + FLY.carrying] !== NOBODY) return 'carrying';
  if (state[fly + FLY.gustLeft]! > 0) return 'blowing';
  if (state[fly + FLY.nectar]! > 0) return 'on nectar';
  return 'looking';
}
