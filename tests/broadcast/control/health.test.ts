import { expect, test } from 'vitest';
import { createHealthWatch, judgeHealth } from '../../../broadcast/control/health.ts';
import { createFakeClock } from '../../../engine/clock.ts';
import { sampleReport } from './fake-session.ts';

test('a session that commits steps at real time is running (feed-control.md 45, GET /healthz)', () => {
  expect(judgeHealth(sampleReport(), 0)).toEqual({ state: 'running', alive: true, reason: '', stillMs: 0 });
});

test('paused, slow and dead are told apart (feed-control.md 120, PRO-11)', () => {
  const still = 3_600_000;
  expect(judgeHealth(sampleReport({ status: 'paused' }), still)).toMatchObject({ state: 'paused', alive: true });
  expect(judgeHealth(sampleReport({ realTimeFactor: 0.71, lagMs: 2_300 }), 0)).toMatchObject({
    state: 'slow',
    alive: true,
    reason: 'Runs at 0.71x real time, 2.3 s behind.',
  });
  expect(judgeHealth(sampleReport(), 2_001)).toMatchObject({
    state: 'dead',
    alive: false,
    reason: 'No step for 2.0 s; the last one is 15352870.',
  });
});

test('a loop that advanced within exactly two seconds is alive (feed-control.md 45)', () => {
  expect(judgeHealth(sampleReport(), 2_000).alive).toBe(true);
});

test('a booting session is alive however long it grows a brain; a recovering or failed one is not', () => {
  expect(judgeHealth(sampleReport({ status: 'booting' }), 60_000).alive).toBe(true);
  expect(judgeHealth(sampleReport({ status: 'recovering' }), 0)).toMatchObject({ alive: false, state: 'recovering' });
  const failed = sampleReport({ status: 'error', statusReason: 'The emulator ended twice.' });
  expect(judgeHealth(failed, 0)).toMatchObject({ alive: false, reason: 'The emulator ended twice.' });
});

test('the watch measures stillness from the last change of the step, not from the last question', () => {
  const clock = createFakeClock();
  const watch = createHealthWatch(clock);
  watch.observe(sampleReport({ step: '10' }));
  clock.advanceMs(1_500);
  expect(watch.observe(sampleReport({ step: '10' }))).toMatchObject({ state: 'running', stillMs: 1_500 });
  clock.advanceMs(1_500);
  expect(watch.observe(sampleReport({ step: '10' }))).toMatchObject({ state: 'dead', stillMs: 3_000 });
  expect(watch.observe(sampleReport({ step: '11' }))).toMatchObject({ state: 'running', stillMs: 0 });
});

test('a session resumed after a long pause gets its two seconds', () => {
  const clock = createFakeClock();
  const watch = createHealthWatch(clock);
  watch.observe(sampleReport({ status: 'paused' }));
  clock.advanceMs(600_000);
  expect(watch.observe(sampleReport({ status: 'running' })).state).toBe('running');
});

test('a swap is alive however long the session stands still, and says what happens', () => {
  const swap = { from: 'windfall', to: 'two-fly', phase: 'starting' } as const;
  for (const status of ['running', 'booting', 'paused', 'recovering'] as const) {
    expect(judgeHealth(sampleReport({ status, swap }), 60_000)).toMatchObject({
      state: 'swapping',
      alive: true,
      reason: 'Swapping from windfall to two-fly: the next session starts.',
    });
  }
  expect(judgeHealth(sampleReport({ status: 'error', swap }), 0)).toMatchObject({ state: 'error', alive: false });
});

test('the session that comes after a swap gets its two seconds', () => {
  const clock = createFakeClock();
  const watch = createHealthWatch(clock);
  watch.observe(sampleReport({ swap: { from: 'windfall', to: 'two-fly', phase: 'starting' } }));
  clock.advanceMs(120_000);
  expect(watch.observe(sampleReport({ showId: 'two-fly' })).state).toBe('running');
  clock.advanceMs(2_001);
  expect(watch.observe(sampleReport({ showId: 'two-fly' })).state).toBe('dead');
});
