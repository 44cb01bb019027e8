import type { TaskPresentation } from '../../../engine/contract/task.ts';
import { RUNG_LABELS } from './ladder.ts';
import type { GameMode } from './memory-map.ts';

export const PRESENTATION: TaskPresentation = {
  wordmark: 'A FLY BRAIN PLAYS WINDFALL',
  rungs: RUNG_LABELS,
  stuckSeconds: 7_200,
  disclosures: [
    'Being caught costs the fly brain nothing. Rewards are never negative.',
    'Only ground never reached before pays, once in each orchard and round.',
    'The wind pushes the fly along by itself, and a gust frees it when it is stuck.',
    'The title screen starts with any button that the fly happens to press.',
    'After ten minutes without new ground the game goes back to its best point. The brain does not.',
    'Progress is read from the memory of the game, not from the picture.',
  ],
};

/** Plain words for the mode chip. */
export const MODE_WORDS: Readonly<Record<GameMode, string>> = {
  boot: '',
  title: 'title',
  intro: 'next orchard',
  playing: 'in the orchard',
  caught: 'caught',
  'game-over': 'orchard again',
  clear: 'cleared',
  ending: 'ending',
};
