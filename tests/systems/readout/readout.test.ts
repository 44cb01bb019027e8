import { expect, test } from 'vitest';
import type { DecisionContext } from '../../../engine/contract/task.ts';
import type { Readout } from '../../../engine/contract/readout.ts';
import { createReadout } from '../../../systems/readout/readout.ts';
import { MACRO_ROLES, decoderPreset } from '../../../systems/readout/presets.ts';

const ROLES = [...[0, 1, 2, 3, 4, 5, 6, 7].map((k) => `command_${k}`), ...MACRO_ROLES];
const HOME = { area: 1, x: 1, y: 1 };

function rates(above: Record<string, number> = {}): Float64Array {
  return Float64Array.from(ROLES, (role) => above[role] ?? 5);
}

function context(change: Partial<DecisionContext> = {}): DecisionContext {
  return { boot: false, bound: [], location: HOME, ...change };
}

function calibrated(preset = 'gameboy'): Readout {
  const readout = createReadout(decoderPreset(preset), ROLES);
  readout.calibrate(rates());
  return readout;
}

const fatigueOf = (readout: Readout): Record<string, number> =>
  (readout.exportState() as { fatigue: Record<string, number> }).fatigue;

test('a readout that was never calibrated holds nothing and has no scores', () => {
  const readout = createReadout(decoderPreset('gameboy'), ROLES);
  expect(readout.decide(rates({ command_0: 60 }), 0, context())).toEqual({ active: [], macro: null });
  expect(readout.scores()).toBeNull();
});

test('held channels come in decoder order and leave when their time is over', () => {
  const readout = calibrated();
  const strong = rates({ command_4: 30, command_2: 30 });
  expect(readout.decide(strong, 0, context()).active).toEqual(['left', 'a']);
  expect(readout.decide(rates({ command_2: 30 }), 85, context()).active).toEqual(['left']);
});

test('a decision that changed nothing is the same object, so nothing is allocated', () => {
  const readout = calibrated();
  const first = readout.decide(rates({ command_2: 30 }), 0, context());
  expect(readout.decide(rates({ command_2: 30 }), 16, context())).toBe(first);
});

test('a direction held a whole window on one spot is tired out; a step taken spares it (session.md 9.2)', () => {
  const stuck = calibrated();
  const walking = calibrated();
  for (const [readout, x] of [[stuck, 0] as const, [walking, 1] as const]) {
    for (let now = 0; now <= 800; now += 16) {
      readout.decide(rates({ command_2: 30 }), now, context());
      readout.retain(context({ location: { ...HOME, x: HOME.x + x * now } }), now);
    }
    readout.decide(rates({ command_2: 30 }), 802, context());
  }
  // One win each at 0 and 802: 0.08, then either 0.35 first or not. The stuck one is reported before its second win.
  expect(fatigueOf(stuck)['left']).toBeCloseTo(0.43, 12);
  expect(fatigueOf(walking)['left']).toBeCloseTo(0.16, 12);
});

test('the macro is the first bound channel that is held, and none when none is bound (session.md 9.3)', () => {
  const readout = calibrated('gameboy-macros');
  const talk = rates({ macro_talk: 50 });
  expect(readout.decide(talk, 0, context()).macro).toBeNull();
  expect(readout.decide(talk, 16, context({ bound: ['macro_menu', 'macro_talk'] })).macro).toBe('macro_talk');
  expect(readout.decide(talk, 32, context({ bound: ['macro_menu'] })).macro).toBeNull();
});

test('clearing releases everything and takes the place the world jumped to (session.md 9.2)', () => {
  const readout = calibrated();
  readout.decide(rates({ command_2: 30, command_4: 30 }), 0, context());
  readout.clear(context(), 10_000);
  expect(readout.exportState()).toMatchObject({ current: null, heldUntil: { left: 0, a: 0 } });
  expect(readout.decide(rates({ command_4: 30 }), 10_016, context()).active).toEqual(['up']);
});

test('after a clear the place it jumped to is known, so standing there is standing still (session.md 9.2)', () => {
  const readout = calibrated();
  readout.clear(context(), 10_000);
  readout.decide(rates({ command_2: 30 }), 10_000, context());
  readout.retain(context(), 10_400);
  readout.decide(rates({ command_2: 30 }), 10_800, context());
  expect(fatigueOf(readout)['left']).toBeCloseTo(0.43, 12);
});

test('a restored readout whose state lacks the window reports its restored winner at once (session.md 9.2)', () => {
  const before = calibrated();
  before.decide(rates({ command_2: 30 }), 60_000, context());
  const after = calibrated();
  after.decide(rates({ command_2: 30 }), 60_000, context());
  const decoderOnly = { ...(before.exportState() as Record<string, unknown>) };
  delete decoderOnly['host'];
  after.importState(decoderOnly);
  after.decide(rates({ command_2: 30 }), 60_016, context());
  expect(fatigueOf(after)['left']).toBe(0.35);
});

test('a restored readout continues as the one it was saved from: window, choices and decisions (session.md 16)', () => {
  const before = calibrated();
  const turn = (readout: Readout, now: number): unknown[] => {
    const strongest = `command_${Math.floor(now / 900) % 4}`;
    const decision = readout.decide(rates({ [strongest]: 30 }), now, context());
    readout.retain(context({ location: { ...HOME, x: Math.floor(now / 1_700) } }), now);
    return [decision, readout.entropy(), readout.exportState()];
  };
  for (let now = 0; now < 20_000; now += 16) turn(before, now);
  const after = calibrated();
  after.importState(structuredClone(before.exportState()));
  expect(after.exportState()).toEqual(before.exportState());
  for (let now = 20_000; now < 30_000; now += 16) expect(turn(after, now)).toEqual(turn(before, now));
});

test.each([
  ['another version', { version: 2 }],
  ['no window', { version: 1, choices: { lastDecisionMs: null, winners: [], orders: [] } }],
  ['a held channel nobody has', { version: 1, window: { heldChannel: 'jump', sinceMs: 0, lastLocation: null } }],
  [
    'unequal lists',
    {
      version: 1,
      window: { heldChannel: null, sinceMs: 0, lastLocation: null },
      choices: { lastDecisionMs: 1, winners: [0], orders: [] },
    },
  ],
])('a host state with %s is refused and nothing has changed', (_what, host) => {
  const readout = calibrated();
  readout.decide(rates({ command_2: 30 }), 60_000, context());
  const before = readout.exportState();
  expect(() => readout.importState({ ...(before as object), host })).toThrow(
    expect.objectContaining({ code: 'DECODER_STATE' }),
  );
  expect(readout.exportState()).toEqual(before);
});

test('the entropy monitor counts decisions, not transitions, and starts anew after a clear (brain.md 14.8)', () => {
  const readout = calibrated();
  for (let now = 0; now < 80 * 800; now += 100) readout.decide(rates({ command_2: 30 }), now, context());
  expect(readout.entropy()).toMatchObject({ decisions: 80, frozen: true });
  readout.clear(context(), 80 * 800);
  expect(readout.entropy()).toMatchObject({ decisions: 0, frozen: false });
});
