import type { MatchResult } from '../../systems/task/arena/ledger.ts';

export type SideCount = {
  readonly rounds: number;
  readonly drawn: number;
  /** Rounds won, per agent, on the left and on the right. */
  readonly won: readonly (readonly [left: number, right: number])[];
  readonly left: number;
  readonly right: number;
  /** Distance of `left` from half of the decided rounds, in standard deviations of a fair coin. */
  readonly z: number;
};

/** Who won how often on which side. Every fly plays as many rounds on one side as on the other, give or take one a match. */
export function countSides(results: readonly MatchResult[], agents: number): SideCount {
  const won = Array.from({ length: agents }, () => [0, 0] as [number, number]);
  let rounds = 0;
  let drawn = 0;
  for (const match of results) {
    for (const [index, { winner }] of match.rounds.entries()) {
      rounds += 1;
      if (winner === null) {
        drawn += 1;
        continue;
      }
      const wasRight = match.lastSides[winner] === 'right';
      const movedOn = (match.rounds.length - 1 - index) % 2 === 1; // everybody changes the side after each round
      won[winner]![wasRight !== movedOn ? 1 : 0] += 1;
    }
  }
  const sum = (side: 0 | 1): number => won.reduce((total, sides) => total + sides[side], 0);
  const [left, right] = [sum(0), sum(1)];
  const decided = left + right;
  return { rounds, drawn, won, left, right, z: decided === 0 ? 0 : (left - decided / 2) / Math.sqrt(decided / 4) };
}
