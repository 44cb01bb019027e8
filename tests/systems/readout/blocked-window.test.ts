import { expect, test } from 'vitest';
import { createBlockedWindow } from '../../../systems/readout/blocked-window.ts';

const HOME = { area: 1, x: 4, y: 5 };
const AWAY = { area: 1, x: 4, y: 6 };

test('a winner that moved nothing for 800 ms is reported (session.md 9.2)', () => {
  const window = createBlockedWindow(800);
  window.noteWinner(1_000, 'left');
  expect(window.blockedChannel(1_799, 'left')).toBeNull();
  expect(window.blockedChannel(1_800, 'left')).toBe('left');
});

test('another winner restarts the window, the same one does not (session.md 9.2)', () => {
  const window = createBlockedWindow(800);
  window.noteWinner(1_000, 'left');
  window.noteWinner(1_400, 'left');
  expect(window.blockedChannel(1_800, 'left')).toBe('left');
  window.noteWinner(1_800, 'up');
  expect(window.blockedChannel(2_599, 'up')).toBeNull();
});

test('a step taken restarts the window; standing still and no information do not (session.md 9.2)', () => {
  const window = createBlockedWindow(800);
  window.noteWinner(1_000, 'left');
  window.noteLocation(1_100, HOME);
  window.noteLocation(1_500, { ...HOME });
  window.noteLocation(1_600, null);
  window.noteLocation(1_700, HOME);
  expect(window.blockedChannel(1_900, 'left')).toBe('left');
  window.noteLocation(1_900, AWAY);
  expect(window.blockedChannel(2_000, 'left')).toBeNull();
});

test('the same spot of another area is another place (session.md 9.1)', () => {
  const window = createBlockedWindow(800);
  window.noteLocation(1_000, HOME);
  window.noteLocation(1_500, { ...HOME, area: 2 });
  expect(window.blockedChannel(1_900, 'left')).toBeNull();
});

test('the first winner after a rollback restarts the window even if it is the one held before (session.md 9.2)', () => {
  const window = createBlockedWindow(800);
  window.noteWinner(500, 'left');
  window.restartAt(1_000, HOME);
  window.noteWinner(1_500, 'left');
  expect(window.blockedChannel(1_800, 'left')).toBeNull();
  expect(window.blockedChannel(2_300, 'left')).toBe('left');
});

test('what is reported is the present winner, even when the hold has run out (session.md 9.2)', () => {
  const window = createBlockedWindow(800);
  expect(window.blockedChannel(800, null)).toBeNull();
  expect(window.blockedChannel(800, 'down')).toBe('down');
});

test('a window of 0 ms never reports (session.md 9.2)', () => {
  expect(createBlockedWindow(0).blockedChannel(1e9, 'left')).toBeNull();
});

test('after a restore the window starts at 0, so the restored winner is reported at once (session.md 9.2)', () => {
  const window = createBlockedWindow(800);
  window.noteWinner(60_000, 'left');
  window.noteLocation(60_000, HOME);
  window.reset();
  expect(window.blockedChannel(60_100, 'right')).toBe('right');
  window.noteLocation(60_100, HOME); // the place before the restore is forgotten: this is a first adoption
  expect(window.blockedChannel(60_200, 'right')).toBeNull();
});

test('after a rollback the window starts now, at the restored place (session.md 9.2)', () => {
  const window = createBlockedWindow(800);
  window.noteWinner(1_000, 'left');
  window.restartAt(60_000, AWAY);
  expect(window.blockedChannel(60_799, null)).toBeNull();
  window.noteLocation(60_700, { ...AWAY });
  expect(window.blockedChannel(60_800, 'up')).toBe('up');
});
