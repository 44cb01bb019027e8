import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RUNG_LABELS } from '../../../../systems/task/windfall/ladder.ts';
import type { Ledger } from '../../../../systems/task/windfall/ledger.ts';
import { createLedger } from '../../../../systems/task/windfall/ledger.ts';
import { REWARD_RULES, collect, countPlaces } from '../../../../systems/task/windfall/rewards.ts';
import { readSample } from '../../../../systems/task/windfall/sample.ts';
import { memoryOf } from './windfall-memory.ts';
import type { Scene } from './windfall-memory.ts';

function show(ledger: Ledger, scene: Scene): string[] {
  const reading = readSample(memoryOf(scene));
  if (reading.kind !== 'valid') throw new Error(reading.reason);
  return collect(ledger, reading.sample).map(({ ruleId }) => ruleId);
}

test('every reward is positive and every pulse is whole milliseconds up to 800 (brain.md 7)', () => {
  for (const { value, stimulationMs } of Object.values(REWARD_RULES)) {
    expect(value).toBeGreaterThan(0);
    expect(Number.isInteger(stimulationMs) && stimulationMs > 0 && stimulationMs <= 800).toBe(true);
  }
});

test('the first step of play pays the start once, and the ground it begins on is free', () => {
  const ledger = createLedger(RUNG_LABELS.length);
  expect(show(ledger, { mode: 'title' })).toEqual([]);
  expect(show(ledger, { column: 5 })).toEqual(['started']);
  expect(show(ledger, { column: 6 })).toEqual([]);
});

test('a band of eight columns pays when it is reached and never again', () => {
  const ledger = createLedger(RUNG_LABELS.length);
  show(ledger, { column: 5 });
  expect(show(ledger, { column: 8 })).toEqual(['ground']);
  expect(show(ledger, { column: 3 })).toEqual([]);
  expect(show(ledger, { column: 15 })).toEqual([]);
  expect(show(ledger, { column: 25 })).toEqual(['ground', 'ground']);
});

test('being caught pays nothing and takes nothing', () => {
  const ledger = createLedger(RUNG_LABELS.length);
  show(ledger, { column: 40 });
  expect(show(ledger, { mode: 'caught', hearts: 0, column: 40, deaths: 1 })).toEqual([]);
  expect(show(ledger, { column: 5, deaths: 1 })).toEqual([]);
  expect(show(ledger, { column: 48, deaths: 1 })).toEqual(['ground']);
});

test('a fruit pays once however often its orchard begins again', () => {
  const ledger = createLedger(RUNG_LABELS.length);
  show(ledger, {});
  expect(show(ledger, { eaten: [0b101] })).toEqual(['fruit', 'fruit']);
  expect(show(ledger, { eaten: [0] })).toEqual([]);
  expect(show(ledger, { eaten: [0b111] })).toEqual(['fruit']);
});

test('checkpoint trees, cleared orchards and the ending pay once in each round', () => {
  const ledger = createLedger(RUNG_LABELS.length);
  show(ledger, { orchard: 7, column: 64 });
  expect(show(ledger, { orchard: 7, column: 65, section: 1 })).toEqual(['checkpoint']);
  expect(show(ledger, { orchard: 7, column: 66, section: 0 })).toEqual([]);
  expect(show(ledger, { orchard: 7, mode: 'clear', column: 266 })).toEqual(['cleared']);
  expect(show(ledger, { orchard: 7, mode: 'clear', column: 266 })).toEqual([]);
  expect(show(ledger, { orchard: 7, mode: 'ending', endings: 1 })).toEqual(['ending']);
  expect(show(ledger, { orchard: 7, mode: 'ending', endings: 1 })).toEqual([]);
  show(ledger, { orchard: 7, round: 1, column: 5 });
  expect(show(ledger, { orchard: 7, round: 1, mode: 'clear' })).toEqual(['cleared']);
});

test('ground paid never exceeds the bands there are, however the fly wanders', () => {
  const columns = fc.array(fc.integer({ min: 0, max: 271 }), { maxLength: 200 });
  fc.assert(
    fc.property(columns, (walk) => {
      const ledger = createLedger(RUNG_LABELS.length);
      show(ledger, { column: 0 });
      const paid = walk.flatMap((column) => show(ledger, { column })).filter((rule) => rule === 'ground').length;
      expect(paid).toBe(Math.floor(Math.max(0, ...walk) / 8));
      expect(countPlaces(ledger)).toBe(paid + 1);
    }),
  );
});
