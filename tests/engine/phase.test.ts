import { expect, test } from 'vitest';
import { createPhaseState, enterPhase, requirePhase, stampStep } from '../../engine/phase.ts';
import type { PhaseName } from '../../engine/phase.ts';

const walk = (...steps: PhaseName[]): string => {
  const phase = createPhaseState('e1');
  for (const step of steps) enterPhase(phase, step);
  return phase.name;
};

test('a transition walks ready, preparing, applying, observing, committing, ready (session.md 5)', () => {
  expect(walk('ready', 'preparing', 'applying', 'observing', 'committing', 'ready')).toBe('ready');
});

test.each<[PhaseName[], PhaseName]>([
  [['ready'], 'applying'],
  [['ready', 'preparing'], 'ready'],
  [['ready', 'preparing', 'applying'], 'capturing'],
  [['ready', 'paused'], 'preparing'],
  [['failed'], 'ready'],
  [['ready', 'rolling-back'], 'paused'],
])('after %j the phase cannot become %s (session.md 5: INVALID_PHASE)', (steps, next) => {
  expect(() => walk(...steps, next)).toThrow(expect.objectContaining({ code: 'INVALID_PHASE' }));
});

test('a capture returns to the state it came from (session.md 5)', () => {
  expect(walk('ready', 'paused', 'capturing', 'paused')).toBe('paused');
  expect(() => walk('ready', 'paused', 'capturing', 'ready')).toThrow(
    expect.objectContaining({ code: 'INVALID_PHASE' }),
  );
});

test('only ready(0) may be restored without having failed', () => {
  const phase = createPhaseState('e1');
  enterPhase(phase, 'ready');
  phase.step = 5n;
  expect(() => enterPhase(phase, 'restoring')).toThrow(expect.objectContaining({ code: 'INVALID_PHASE' }));
  phase.step = 0n;
  enterPhase(phase, 'restoring');
  expect(phase.name).toBe('restoring');
});

test('asking for another phase than the present one names both', () => {
  expect(() => requirePhase(createPhaseState('e1'), 'ready')).toThrow('expected ready(0), the session is starting');
});

test('the same step cannot pass an entity twice (session.md 5: CONFLICT)', () => {
  const stamps = new BigInt64Array(4).fill(-1n);
  stampStep(stamps, 2, 7n, 'Prepare');
  expect(() => stampStep(stamps, 2, 7n, 'Prepare')).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  stampStep(stamps, 2, 8n, 'Prepare');
  expect(stamps[2]).toBe(8n);
});
