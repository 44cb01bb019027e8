import { expect, test } from 'vitest';
import { createDecoder } from '../../../systems/readout/decoder.ts';
import type { Decoder } from '../../../systems/readout/decoder.ts';
import { decoderPreset } from '../../../systems/readout/presets.ts';

const ROLES = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => `command_${k}`);
const BUTTONS = ['up', 'down', 'left', 'right', 'a', 'b', 'start', 'select'];

function decoder(preset = 'gameboy-macros'): Decoder {
  const made = createDecoder(decoderPreset(preset), ROLES);
  made.calibrate(new Float64Array(8).fill(5));
  return made;
}

const each = (value: number, names: readonly string[] = BUTTONS): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, value]));

/** A legal version 4 state without macro parts. */
const STATE = {
  version: 4,
  calibrated: true,
  baseline: each(7, ROLES),
  heldUntil: each(100),
  nextAllowed: each(200),
  nextDecision: 900,
  current: 'left',
  fatigue: { up: 0.1, down: 0.2, left: 0.3, right: 0.4 },
};
const { nextDecision, current, fatigue, ...REST } = STATE;
const OLD = { ...REST, nextDirectionDecision: nextDecision, direction: current };

test('version 4 is read as written and macro parts take their defaults (brain.md 8.5)', () => {
  const taker = decoder();
  taker.importState(STATE);
  expect(taker.exportState()).toMatchObject({
    ...STATE,
    macroNextDecision: 0,
    macroCurrent: null,
    macroFatigue: { macro_talk: 0, macro_leave: 0 },
  });
});

test('version 3 renames the direction fields and keeps fatigue (brain.md 8.5)', () => {
  const taker = decoder();
  taker.importState({ ...OLD, version: 3, fatigue });
  expect(taker.exportState()).toMatchObject(STATE);
});

test.each([2, undefined])('version %s renames the direction fields and starts rested (brain.md 8.5)', (version) => {
  const taker = decoder();
  taker.importState({ ...OLD, version });
  expect(taker.exportState()).toMatchObject({ ...STATE, fatigue: each(0, ['up', 'down', 'left', 'right']) });
});

const WITHOUT_FATIGUE = { ...REST, nextDecision, current };
const refusals: readonly [what: string, state: unknown][] = [
  ['null', null],
  ['a list', []],
  ['version 1', { ...STATE, version: 1 }],
  ['version 5', { ...STATE, version: 5 }],
  ['version null', { ...OLD, version: null }],
  ['a calibration that is no boolean', { ...STATE, calibrated: 1 }],
  ['a decision time that is infinite', { ...STATE, nextDecision: Infinity }],
  ['a version 4 with the old names', { ...OLD, version: 4, fatigue }],
  ['no baseline', { ...STATE, baseline: undefined }],
  ['a baseline that is not finite, even of a stranger', { ...STATE, baseline: { ...STATE.baseline, other: NaN } }],
  ['a hold that is text', { ...STATE, heldUntil: { ...each(0), up: '0' } }],
  ['a missing hold of a pulse', { ...STATE, heldUntil: each(0, BUTTONS.slice(0, 7)) }],
  ['a missing cooldown of a direction', { ...STATE, nextAllowed: each(0, BUTTONS.slice(1)) }],
  ['no fatigue', WITHOUT_FATIGUE],
  ['a missing fatigue', { ...STATE, fatigue: { up: 0, down: 0, left: 0 } }],
  ['fatigue above 1', { ...STATE, fatigue: { ...fatigue, up: 1.0001 } }],
  ['fatigue below 0', { ...STATE, fatigue: { ...fatigue, up: -0.0001 } }],
  ['a version 3 without fatigue', { ...OLD, version: 3 }],
  ['a winner that is a pulse', { ...STATE, current: 'a' }],
  ['a winner nobody knows', { ...STATE, current: 'sideways' }],
  ['a macro winner that is a direction', { ...STATE, macroCurrent: 'up' }],
  ['a macro clock that is not finite', { ...STATE, macroNextDecision: NaN }],
  ['a macro fatigue out of range', { ...STATE, macroFatigue: { macro_talk: 2 } }],
];

test.each(refusals)('%s is refused and the decoder stays as it was (brain.md 8.5)', (_what, state) => {
  const taker = decoder();
  taker.decode(Float64Array.of(30, 5, 5, 5, 9, 5, 5, 5), 50, false);
  const before = taker.exportState();
  expect(() => taker.importState(state)).toThrow(expect.objectContaining({ code: 'DECODER_STATE' }));
  expect(taker.exportState()).toEqual(before);
});

test('an unknown macro fatigue is ignored whatever it says (brain.md 8.5)', () => {
  const taker = decoder();
  taker.importState({ ...STATE, macroFatigue: { macro_talk: 0.5, macro_gone: 99 } });
  expect(taker.exportState().macroFatigue).toMatchObject({ macro_talk: 0.5, macro_menu: 0 });
});

test('holds and cooldowns a checkpoint lacks keep their present value (brain.md 8.5, 17.8)', () => {
  const taker = decoder();
  taker.decode(new Float64Array(8).fill(5), 0, false);
  const held = taker.exportState().heldUntil['macro_go_objective'];
  expect(held).toBe(800);
  taker.importState(STATE);
  expect(taker.exportState().heldUntil['macro_go_objective']).toBe(held);
  expect(taker.macroWinner()).toBeNull();
});

test('a role absent from the checkpoint keeps its baseline until the next decode takes the present rate (brain.md 8.5)', () => {
  const taker = decoder('gameboy');
  taker.importState({ ...STATE, baseline: each(7, ROLES.slice(1)) });
  expect(taker.pendingRoles()).toEqual(['command_0']);
  expect(taker.exportState().baseline['command_0']).toBe(5);
  taker.decode(Float64Array.of(31, 7, 7, 7, 7, 7, 7, 7), 1_000);
  expect(taker.lastScores[0]).toBe(1);
  expect(taker.exportState().baseline['command_0']).toBe(31);
});

test('pending roles wait for a calibrated decoder (brain.md 8.5)', () => {
  const taker = decoder('gameboy');
  taker.importState({ ...STATE, calibrated: false, baseline: {} });
  taker.decode(new Float64Array(8).fill(9), 1_000);
  expect(taker.pendingRoles()).toEqual(ROLES);
});

test('an uncalibrated state leaves nothing active, whatever was held before (brain.md 8.2)', () => {
  const taker = decoder('gameboy');
  taker.decode(new Float64Array(8).fill(5), 0, false);
  expect(taker.activeNames()).toEqual(['up']);
  taker.importState({ ...STATE, calibrated: false });
  expect(Array.from(taker.decode(new Float64Array(8).fill(5), 1, false))).toEqual(new Array(8).fill(0));
});

test('entries of channels this readout lacks survive a restore and a save by name', () => {
  const raw = decoder('gameboy');
  raw.importState({
    ...STATE,
    baseline: { ...STATE.baseline, macro_talk: 41 },
    heldUntil: { ...each(0), macro_talk: 3 },
  });
  expect(raw.exportState()).toMatchObject({ baseline: { macro_talk: 41 }, heldUntil: { macro_talk: 3 } });
});
