import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactDuration, runClock, runDay } from '../../../scenes/format/duration.ts';
import { honestyCards } from '../../../scenes/format/honesty.ts';
import { marquee } from '../../../scenes/format/marquee.ts';
import { grouped, signedValue } from '../../../scenes/format/number.ts';
import { isSafeLine } from '../../../scenes/format/safe-line.ts';
import { fakeDescriptor } from '../fixture.ts';

test('durations are compact and the run clock goes past 24 h (show.md 27, 31)', () => {
  expect([5, 38 * 60, 72 * 60, 6 * 3_600 + 120, 2 * 86_400 + 4 * 3_600].map(compactDuration)).toEqual([
    '5s',
    '38m',
    '1h 12m',
    '6h 02m',
    '2d 4h',
  ]);
  expect(runClock(71 * 3_600 + 24 * 60 + 9)).toBe('71:24:09');
  expect([0, 86_399, 86_400, 257_049].map(runDay)).toEqual([1, 1, 2, 3]);
});

test('event values are signed, two decimals below 1, else one (show.md 76)', () => {
  expect([0.25, 0.1, 1, 12.34, -0.5].map(signedValue)).toEqual(['+0.25', '+0.10', '+1.0', '+12.3', '-0.50']);
});

test('grouping only adds commas', () => {
  expect(grouped(139_255)).toBe('139,255');
  fc.assert(fc.property(fc.nat(), (value) => grouped(value).replaceAll(',', '') === String(value)));
});

test('long words scroll in a window of fixed width and short ones stand still (show.md 26)', () => {
  expect(marquee('Fig row', 10, 99_999)).toBe('Fig row');
  fc.assert(fc.property(fc.nat(1e6), (nowMs) => marquee('a very long rung label', 9, nowMs).length === 9));
  expect(marquee('a very long rung label', 9, 0)).toBe('a very lo');
});

test('viewer lines are whole or nothing (twitch.md 32 to 35)', () => {
  for (const line of ['day 3, respect', 'e.g. 3.14 pass', 'cr\u00e8me br\u00fbl\u00e9e!', 'a'.repeat(200)])
    expect(isSafeLine(line), line).toBe(true);
  for (const line of [
    '',
    '   ',
    'a'.repeat(201),
    'see http://x',
    'www.x',
    'MR.MIME',
    'bell\u0007',
    'zero\u200bwidth',
    '\u202eabc',
    '<b>',
    'a|b',
    '`x`',
    '$5',
    '\ud83d\ude00',
  ]) {
    expect(isSafeLine(line), line).toBe(false);
  }
});

test('the check of a viewer line never throws', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (line) => typeof isSafeLine(line) === 'boolean'));
});

test('every honesty item has a card, with the numbers of the loaded data set (show.md 9, 68, 189)', () => {
  const words = honestyCards(fakeDescriptor())
    .map(({ sentence }) => sentence)
    .join(' ');
  for (const item of [
    /not a measured wiring/,
    /legs drive nothing/,
    /no path from chat to a button/,
    /do not claim that learning improves play/,
    /optics of a fly/,
    /separate paths/,
    /unpaid stretch means nothing/,
    /positive only/,
    /event log/,
    /Only ground never reached before pays/,
    /139,255 neurons, 2,700,513 connections/,
  ]) {
    expect(words).toMatch(item);
  }
  expect(words).not.toMatch(/feels|wants|tries to|happy/);
});
