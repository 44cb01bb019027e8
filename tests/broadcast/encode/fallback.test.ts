import { expect, test } from 'vitest';
import { shouldFallBack } from '../../../broadcast/encode/fallback.ts';

const LOST = {
  backend: 'nvenc',
  ageMs: 3_000,
  fallbacks: 0,
  choice: 'auto',
} as const;

test('rule 26, 28: x264 takes over from NVENC once, within 15 s, and only where the show leaves the choice', () => {
  expect(shouldFallBack(LOST)).toBe(true);
  expect(shouldFallBack({ ...LOST, ageMs: 15_000 })).toBe(true);
  expect(shouldFallBack({ ...LOST, ageMs: 15_001 })).toBe(false);
  expect(shouldFallBack({ ...LOST, fallbacks: 1 })).toBe(false);
  expect(shouldFallBack({ ...LOST, choice: 'nvenc' })).toBe(false);
  expect(shouldFallBack({ ...LOST, backend: 'x264' })).toBe(false);
});
