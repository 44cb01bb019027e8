import { expect, test } from 'vitest';
import { describeSwap, listShowCards } from '../../../../broadcast/control/page/show-cards.ts';
import type { SwapReport } from '../../../../broadcast/control/controlled-session.ts';
import { sampleShows } from '../fake-session.ts';

const [FROM, TO, OTHER] = ['orchard-one-fly', 'orchard-two-flies', 'mario-one-fly'];

test('the show on air says program; the others say nothing and can be taken', () => {
  expect(listShowCards(sampleShows(), { showId: FROM, swap: null })).toEqual([
    { id: FROM, detail: '1 fly, windfall', isCurrent: true, mark: 'ok', word: 'program' },
    { id: TO, detail: '2 flies, orchard-match', isCurrent: false, mark: 'idle', word: '' },
    { id: OTHER, detail: '1 fly, super-mario-land', isCurrent: false, mark: 'idle', word: '' },
  ]);
});

test('the status is believed before a list that was fetched earlier', () => {
  const cards = listShowCards(sampleShows(FROM), { showId: TO, swap: null });
  expect(cards.map(({ isCurrent }) => isCurrent)).toEqual([false, true, false]);
});

test.each<[SwapReport['phase'], string, string, string]>([
  ['sealing', 'sealing', 'next', 'step 1 of 3: sealing the run'],
  ['intermission', 'sealed', 'next', 'step 2 of 3: intermission on air'],
  ['starting', 'sealed', 'starting', 'step 3 of 3: starting the next session'],
])('in phase %s the leaving show is %s and the coming one %s', (phase, leaving, coming, note) => {
  const swap = { from: FROM, to: TO, phase };
  for (const showId of [FROM, TO]) {
    const cards = listShowCards(sampleShows(), { showId, swap });
    expect(cards.map(({ word }) => word)).toEqual([leaving, coming, '']);
    expect(cards.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);
  }
  expect(describeSwap(swap)).toBe(note);
});

test('without a swap the panel says what Take does', () => {
  expect(describeSwap(null)).toBe('Take seals run, shows intermission');
});
