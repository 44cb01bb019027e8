import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RUNG_LABELS, climb, clearedRung, halfwayRung, rankOf } from '../../../../systems/task/windfall/ladder.ts';
import { createLedger } from '../../../../systems/task/windfall/ledger.ts';
import { GAME_MODES } from '../../../../systems/task/windfall/memory-map.ts';
import { ORCHARDS } from '../../../../assets/games/windfall/levels/orchards.ts';
import { ORCHARD_NAMES } from '../../../../systems/task/windfall/orchard-names.ts';
import { collect } from '../../../../systems/task/windfall/rewards.ts';
import { readSample } from '../../../../systems/task/windfall/sample.ts';
import { memoryOf } from './windfall-memory.ts';

test('nineteen rungs, each at most 24 characters without punctuation (show.md rule 133)', () => {
  expect(RUNG_LABELS).toHaveLength(19);
  for (const label of RUNG_LABELS) expect(label).toMatch(/^[A-Za-z ]{1,24}$/);
});

test('the names on the ladder are the names on the cartridge', () => {
  expect(ORCHARDS.map(({ name }) => name.trim())).toEqual(ORCHARD_NAMES.map((name) => name.toUpperCase()));
});

test('half of the columns is halfway, and the last orchard is the top', () => {
  const ledger = createLedger(RUNG_LABELS.length);
  const at = (column: number): number => {
    const reading = readSample(memoryOf({ column }));
    if (reading.kind !== 'valid') throw new Error(reading.reason);
    collect(ledger, reading.sample);
    climb(ledger.earned, ledger, reading.sample);
    return rankOf(ledger.earned);
  };
  expect(at(100)).toBe(1);
  expect(at(135)).toBe(1);
  expect(at(136)).toBe(halfwayRung(0));
  expect(clearedRung(7)).toBe(RUNG_LABELS.length - 1);
});

test('a rank never falls and an earned rung never goes out, whatever the game shows', () => {
  const scene = fc.record({
    mode: fc.constantFrom(...GAME_MODES),
    orchard: fc.integer({ min: 0, max: 7 }),
    column: fc.integer({ min: 0, max: 272 }),
    section: fc.integer({ min: 0, max: 3 }),
    round: fc.integer({ min: 0, max: 2 }),
  });
  fc.assert(
    fc.property(fc.array(scene, { maxLength: 60 }), (scenes) => {
      const ledger = createLedger(RUNG_LABELS.length);
      let rank = -1;
      for (const shown of scenes) {
        const before = ledger.earned.slice();
        const reading = readSample(memoryOf(shown));
        if (reading.kind !== 'valid') throw new Error(reading.reason);
        collect(ledger, reading.sample);
        climb(ledger.earned, ledger, reading.sample);
        expect(rankOf(ledger.earned)).toBeGreaterThanOrEqual(rank);
        rank = rankOf(ledger.earned);
        before.forEach((earned, rung) => expect(!earned || ledger.earned[rung]).toBe(true));
      }
    }),
  );
});
