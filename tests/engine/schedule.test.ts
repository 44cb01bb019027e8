import { expect, test } from 'vitest';
import { checkSchedule, formatSchedule } from '../../engine/schedule.ts';
import type { SystemEntry } from '../../engine/schedule.ts';
import { testSchedule } from '../fixture/test-schedule.ts';

type Entry = SystemEntry<unknown>;

const system = (name: string, contract: Partial<Entry>): Entry => ({
  name,
  rows: [1],
  phase: 'prepare',
  run: () => undefined,
  ...contract,
});
const refusal = (entries: readonly Entry[], given: readonly string[] = []): string => {
  try {
    checkSchedule(entries, given);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

test('a read that nobody writes is refused by the names of system and datum', () => {
  expect(refusal([system('decide', { reads: ['Rates'] })])).toBe(
    'schedule refused: decide reads Rates, which no system writes.',
  );
});

test('a read before its writer is refused and the message offers "carries"', () => {
  const message = refusal([system('decide', { reads: ['Rates'] }), system('advance', { writes: ['Rates'] })]);
  expect(message).toContain('decide reads Rates before advance writes it');
  expect(message).toContain('carries');
});

test('a carried read may come before its writer', () => {
  expect(refusal([system('decide', { carries: ['Rates'] }), system('advance', { writes: ['Rates'] })])).toBe(
    'accepted',
  );
});

test('a carried datum that nobody ever writes is refused', () => {
  expect(refusal([system('decide', { carries: ['Rates'] })])).toContain('decide carries Rates, which no system writes');
});

test('two writers that do not know of each other are refused by name', () => {
  const entries = [system('first', { writes: ['World'] }), system('second', { writes: ['World'] })];
  expect(refusal(entries)).toContain('first and second both write World');
});

test('a second writer that also reads the datum builds on the first and is accepted', () => {
  const entries = [system('first', { writes: ['World'] }), system('second', { reads: ['World'], writes: ['World'] })];
  expect(refusal(entries)).toBe('accepted');
});

test('a ring of systems that need each other is refused by their names', () => {
  const entries = [system('a', { reads: ['Y'], writes: ['X'] }), system('b', { reads: ['X'], writes: ['Y'] })];
  expect(refusal(entries, ['Y'])).toContain('a needs b needs a');
});

test('a system of an earlier phase cannot stand after a later one', () => {
  const entries = [system('publish', { phase: 'boundary' }), system('decide', { phase: 'prepare' })];
  expect(refusal(entries)).toContain('decide (prepare) stands after publish (boundary)');
});

test('two systems cannot share a name', () => {
  expect(refusal([system('decide', {}), system('decide', {})])).toContain('two systems are called decide');
});

test('the product schedule passes its own check and owns all 32 rows of session.md 7 in order', () => {
  const entries = testSchedule();
  const rows = new Set(entries.flatMap((entry) => entry.rows));
  expect([...rows].sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, i) => i + 1));
});

test('the product schedule waits only for the kernel, the environment and the deadline (architecture 4)', () => {
  const waits = testSchedule().flatMap((entry) => (entry.awaits === undefined ? [] : [entry.awaits]));
  expect(new Set(waits)).toEqual(new Set(['kernel', 'environment', 'deadline']));
});

test('the printed schedule has one line per system with its contract', () => {
  const lines = formatSchedule(testSchedule()).split('\n');
  expect(lines).toHaveLength(testSchedule().length);
  expect(lines.find((line) => line.includes('advanceBrains'))).toMatch(
    /prepare +advanceBrains +\[6, 8\] +awaits kernel/,
  );
});
