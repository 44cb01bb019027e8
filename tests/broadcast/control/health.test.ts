import { expect, test } from 'vitest';
import { judgeHealth } from '../../../broadcast/control/health.ts';
import { sampleReport, standing } from './fake-session.ts';

test('PRO-11 the show stands as its session says it does, with whom that is about (session.md 20)', () => {
  const dead = {
    state: 'dead-agent',
    alive: false,
    participants: ['fly-b'],
    reason: "fly-b's brain is gone.",
  } as const;
  expect(judgeHealth(sampleReport({ standing: dead }))).toEqual(dead);
});

test('a swap is alive however the leaving and the coming session stand, and says what happens', () => {
  const swap = { from: 'windfall', to: 'two-fly', phase: 'starting' } as const;
  for (const state of ['running', 'booting', 'paused', 'recovering', 'failed'] as const) {
    expect(judgeHealth(sampleReport({ ...standing(state), swap }))).toEqual({
      state: 'swapping',
      alive: true,
      participants: [],
      reason: 'Swapping from windfall to two-fly: the next session starts.',
    });
  }
});
