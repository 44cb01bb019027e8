import { expect, test } from 'vitest';
import { TABS, createTabDirector } from '../../../scenes/direction/tab-director.ts';
import type { TabSignals } from '../../../scenes/direction/tab-director.ts';

const QUIET: TabSignals = { rankRose: false, rewarded: false, sensesBusy: false, newChatter: false, moment: null };

test('tabs take turns after 45 to 60 s each, and two directors agree (show.md 37)', () => {
  const a = createTabDirector(TABS);
  const b = createTabDirector(TABS);
  const stays: number[] = [];
  let since = 0;
  let shown = a.current();
  const order: string[] = [shown];
  for (let nowMs = 0; nowMs < 400_000; nowMs += 50) {
    a.step(QUIET, nowMs);
    b.step(QUIET, nowMs);
    expect(b.current()).toBe(a.current());
    if (a.current() === shown) continue;
    stays.push(nowMs - since);
    since = nowMs;
    shown = a.current();
    order.push(shown);
  }
  expect(order.slice(0, 6)).toEqual(['CONNECTOME', 'LADDER', 'DESCRIBE', 'MACROS', 'SENSES', 'CONNECTOME']);
  for (const stay of stays) {
    expect(stay).toBeGreaterThanOrEqual(45_000);
    expect(stay).toBeLessThanOrEqual(60_050);
  }
});

test('a steer acts after 12 s on the tab and is lost before; rank wins over reward (show.md 38)', () => {
  const director = createTabDirector(TABS);
  director.step(QUIET, 0);
  director.step({ ...QUIET, rankRose: true }, 11_999);
  director.step(QUIET, 13_000);
  expect(director.current()).toBe('CONNECTOME');
  director.step({ ...QUIET, rankRose: true, rewarded: true }, 13_001);
  expect(director.current()).toBe('LADDER');
});

test('rewards on CONNECTOME do not keep the tour from moving on', () => {
  const director = createTabDirector(TABS);
  for (let nowMs = 0; nowMs <= 60_000; nowMs += 1_000) director.step({ ...QUIET, rewarded: nowMs < 40_000 }, nowMs);
  expect(director.current()).toBe('LADDER');
});

test('a moment takes the slot for its own length, then the earlier tab returns (show.md 40)', () => {
  const director = createTabDirector(TABS);
  director.step(QUIET, 0);
  director.step({ ...QUIET, moment: { tab: 'LADDER', lengthMs: 9_000 } }, 1_000);
  expect(director.current()).toBe('LADDER');
  director.step({ ...QUIET, newChatter: true }, 5_000);
  expect(director.current()).toBe('LADDER');
  director.step(QUIET, 10_000);
  expect(director.current()).toBe('CONNECTOME');
  director.step({ ...QUIET, newChatter: true }, 10_001); // the refused trigger did not spend the cooldown (show.md 41)
  expect(director.current()).toBe('DESCRIBE');
});

test('new chatters hold DESCRIBE 8 s and no more often than every 120 s (show.md 41)', () => {
  const director = createTabDirector(TABS);
  director.step({ ...QUIET, newChatter: true }, 0);
  director.step({ ...QUIET, newChatter: true }, 7_999);
  expect(director.current()).toBe('DESCRIBE');
  director.step({ ...QUIET, newChatter: true }, 8_000);
  expect(director.current()).toBe('CONNECTOME');
  director.step({ ...QUIET, newChatter: true }, 120_000);
  expect(director.current()).toBe('DESCRIBE');
});

test('busy senses are preferred at the next boundary (show.md 39)', () => {
  const director = createTabDirector(TABS);
  for (let nowMs = 0; nowMs <= 60_000; nowMs += 500) director.step({ ...QUIET, sensesBusy: true }, nowMs);
  expect(director.current()).toBe('SENSES');
});
