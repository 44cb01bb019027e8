import { expect, test } from 'vitest';
import { createSilence } from '../../engine/silence.ts';

test('silence counts looks since the last word, not the time between them', () => {
  const silence = createSilence(3_000);
  const looks = (count: number): boolean[] => Array.from({ length: count }, () => silence.look());
  expect(looks(4)).toEqual([false, false, false, true]); // the first look may come right after the word
  silence.heard();
  expect(looks(3)).toEqual([false, false, false]);
  silence.heard();
  expect(looks(4).indexOf(true)).toBe(3);
});
