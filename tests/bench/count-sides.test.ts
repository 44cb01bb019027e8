import { expect, test } from 'vitest';
import type { MatchResult } from '../../systems/task/arena/ledger.ts';
import { countSides } from './count-sides.ts';

const match = (winners: (number | null)[], lastSides: string[], number = 1): MatchResult => ({
  number,
  winner: null,
  rounds: winners.map((winner) => ({ winner, steps: 2_000 })),
  lastSides,
});

test('a round counts for the side its winner stood on: everybody changes after each round', () => {
  // A stands left, right, left; B wins the third on the right
  expect(countSides([match([0, 0, 1], ['left', 'right'])], 2)).toMatchObject({
    rounds: 3,
    drawn: 0,
    won: [
      [1, 1],
      [0, 1],
    ],
    left: 1,
    right: 2,
  });
});

test("a drawn round is nobody's, and fifteen more wins of a hundred on one side are three deviations", () => {
  const rounds = [...Array.from({ length: 65 }, () => [0]), ...Array.from({ length: 35 }, () => [1]), [null]];
  const { drawn, left, right, z } = countSides(
    rounds.map((won, i) => match(won, ['left', 'right'], i)),
    2,
  );
  expect([drawn, left, right]).toEqual([1, 65, 35]);
  expect(z).toBeCloseTo(3, 12); // (65 - 50) / sqrt(100 / 4)
  expect(countSides([], 2).z).toBe(0);
});
