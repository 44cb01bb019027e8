import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { batchId, eventId, rollbackEpoch } from '../../../engine/identity/event-ids.ts';
import { isId } from '../../../engine/identity/scalars.ts';

test('a batch is named after its epoch and step (session.md 2.4)', () => {
  expect(batchId('epoch-1', 41n)).toBe('batch-epoch-1-41');
});

test('an event is named by the first 16 hex digits over epoch, step, rule and ordinal, a line each (session.md 2.4)', () => {
  const hex = createHash('sha256').update('epoch-1\n41\nexplore\n0\n').digest('hex');
  expect(eventId('epoch-1', 41n, 'explore', 0)).toBe(`ev-${hex.slice(0, 16)}`);
});

test('every part of an event changes its name', () => {
  const ids = [
    eventId('e1', 1n, 'a', 0),
    eventId('e2', 1n, 'a', 0),
    eventId('e1', 2n, 'a', 0),
    eventId('e1', 1n, 'b', 0),
    eventId('e1', 1n, 'a', 1),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every(isId)).toBe(true);
});

test('two runs name the epochs of their rollbacks alike (session.md 2.4)', () => {
  expect(rollbackEpoch('e1', 3)).toBe('e1.rb3');
});
