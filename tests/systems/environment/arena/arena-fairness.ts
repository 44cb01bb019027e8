import { createKeenPlayer, createRandomPlayer, mirrorButtons } from './arena-players.ts';
import type { ArenaPlayer } from './arena-players.ts';
import { WORD } from '../../../../systems/environment/arena/state-map.ts';
import { playMatch } from './arena-match.ts';
import type { PlayedRound } from './arena-match.ts';

/** Two players for one match. Called twice per seed: in the second match they play on each other's ports. */
export type Pairing = (seed: number, isSwapped: boolean) => readonly [ArenaPlayer, ArenaPlayer];

export type FairnessResult = {
  readonly matches: number;
  readonly rounds: number;
  readonly leftWins: number;
  readonly rightWins: number;
  readonly drawn: number;
  readonly leftPlums: number;
  readonly rightPlums: number;
  /** Distance of `leftWins` from half of the decided rounds, in standard deviations of a fair coin. */
  readonly z: number;
  /** Rounds won by the first and the second of the pairing, sides and ports balanced. */
  readonly won: readonly [number, number];
  readonly meanSeconds: number;
};

/**
 * Plays matches until there are enough rounds: every seed twice, the players on each other's ports the second time.
 * The proof that the sides are equal is the mirror test (tests/systems/environment/arena); this is the illustration,
 * and the place where two brains are compared: give their players as the pairing (spec: arena.md R6, R12).
 */
export function measureFairness(pairing: Pairing, atLeastRounds: number): FairnessResult {
  const rounds: PlayedRound[] = [];
  const won: [number, number] = [0, 0];
  let matches = 0;
  for (let seed = 1; rounds.length < atLeastRounds; seed++) {
    for (const isSwapped of [false, true]) {
      const pair = pairing(seed, isSwapped);
      const played = playMatch(isSwapped ? [pair[1], pair[0]] : pair, seed);
      matches += 1;
      for (const round of played.rounds) {
        rounds.push(round);
        if (round.winner >= 0) won[isSwapped ? 1 - round.winner : round.winner]! += 1;
      }
    }
  }
  const count = (keep: (round: PlayedRound) => boolean): number => rounds.filter(keep).length;
  const sum = (spot: number): number => rounds.reduce((plums, { scores }) => plums + scores[spot]!, 0);
  const leftWins = count(({ winnerSpot }) => winnerSpot === 0);
  const rightWins = count(({ winnerSpot }) => winnerSpot === 1);
  const decided = leftWins + rightWins;
  const steps = rounds.reduce((total, round) => total + round.steps, 0);
  return {
    matches,
    rounds: rounds.length,
    leftWins,
    rightWins,
    drawn: rounds.length - decided,
    leftPlums: sum(0),
    rightPlums: sum(1),
    z: decided === 0 ? 0 : (leftWins - decided / 2) / Math.sqrt(decided / 4),
    won,
    meanSeconds: (steps * 70_224) / 4_194_304 / rounds.length,
  };
}

/** Pairings without a brain, by name. A mirrored pairing gives every seed once more with left and right changed. */
export const PAIRINGS: Readonly<Record<string, Pairing>> = {
  random: (seed) => [createRandomPlayer(2 * seed), createRandomPlayer(2 * seed + 1)],
  'random, mirrored the second time': (seed, isSwapped) => [
    createRandomPlayer(2 * seed, isSwapped),
    createRandomPlayer(2 * seed + 1, isSwapped),
  ],
  'keen against random': (seed) => [createKeenPlayer(), createRandomPlayer(seed)],
  'leans to the right against random': (seed) => [leaning(createRandomPlayer(3 * seed)), createRandomPlayer(seed)],
};

/** Turns every second push to the left into one to the right: a bias as a readout may have. */
function leaning(player: ArenaPlayer): ArenaPlayer {
  return {
    name: `${player.name}, leaning`,
    buttons(state, index) {
      const mask = player.buttons(state, index);
      return (mask & 4) !== 0 && (state[WORD.step]! & 128) !== 0 ? mirrorButtons(mask) : mask;
    },
  };
}

if (import.meta.main) {
  const rounds = Number(process.argv[2] ?? 400);
  for (const [name, pairing] of Object.entries(PAIRINGS)) {
    process.stdout.write(`${name}: ${JSON.stringify(measureFairness(pairing, rounds))}\n`);
  }
}
