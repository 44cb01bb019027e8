import { expect, test } from 'vitest';
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDuration,
  formatKnown,
  formatMs,
  formatUtc,
} from '../../../../broadcast/control/page/format.ts';

test('durations keep two digits and let hours grow', () => {
  expect([0, 59.9, 7_746, 360_000].map(formatDuration)).toEqual(['00:00:00', '00:00:59', '02:09:06', '100:00:00']);
});

test('times of day are UTC, wherever the browser is', () => {
  expect(formatUtc(1_700_000_000_000)).toBe('22:13:20');
});

test('bytes use decimal units as disks do', () => {
  expect([0, 999, 1_500, 853_000_000, 6_800_000_000].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1.5 kB',
    '853 MB',
    '6.8 GB',
  ]);
});

test('zero is a number and unknown is not', () => {
  expect(formatKnown(0, 2, 'x')).toBe('0.00x');
  expect(formatKnown(null, 2, 'x')).toBe('--');
  expect(formatCount(29_547)).toBe('29,547');
});

test('milliseconds become seconds where four digits would begin', () => {
  expect([0, 15.84, 999.94, 999.96, 1_530.1].map((ms) => formatMs(ms, 1))).toEqual([
    '0.0 ms',
    '15.8 ms',
    '999.9 ms',
    '1.00 s',
    '1.53 s',
  ]);
  expect(formatMs(null, 1)).toBe('-- ms');
});

test('an age is told in its largest whole unit and is never negative', () => {
  expect([-1, 3.9, 59.9, 60, 3_599, 3_600, 4_000_000].map(formatAge)).toEqual([
    '0 s',
    '3 s',
    '59 s',
    '1 min',
    '59 min',
    '1 h',
    '1,111 h',
  ]);
});
