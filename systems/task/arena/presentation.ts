import type { TaskPresentation } from '../../../engine/contract/task.ts';
import { ROUND_COUNT } from '../../environment/arena/rules.ts';

const COMMON = {
  rungs: Array.from({ length: ROUND_COUNT }, (_, i) => `round ${i + 1}`),
  // rounds come and go by the clock: no rung of a match can be stuck, so the operator is told after a year
  stuckSeconds: 31_536_000,
  disclosures: [
    'Every fly sees the same picture. None sees more than a viewer does.',
    'Sides change after every round, and every match begins on the other side.',
    'Plums fall on the middle line or in mirrored pairs, so no side gets more.',
    'Losing costs a fly brain nothing. Rewards are never negative.',
    'Scores are read from the state of the game, not from the picture.',
    'One match proves nothing about a brain. Many matches on both sides may.',
  ],
} satisfies Partial<TaskPresentation>;

export const DUEL_PRESENTATION: TaskPresentation = { ...COMMON, wordmark: 'TWO FLY BRAINS ONE ORCHARD' };

export const CORNERS_PRESENTATION: TaskPresentation = {
  ...COMMON,
  wordmark: 'FOUR FLY BRAINS ONE ORCHARD',
  disclosures: COMMON.disclosures.map((line) =>
    line.startsWith('Sides change')
      ? 'Everybody moves on one corner after every round.'
      : line.startsWith('Plums fall')
        ? 'Plums fall in the middle or one for every corner.'
        : line,
  ),
};
