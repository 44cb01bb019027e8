import { expect, test } from 'vitest';
import { nearest } from '../../engine/nearest.ts';

test.each([
  ['windfal', 'windfall'],
  ['widnfall', 'windfall'],
  ['--recrod', '--record'],
])('%s most likely means %s', (word, meant) => {
  expect(nearest(word, ['windfall', 'two-fly', '--record', '--rtmp'])).toBe(meant);
});

test('a word that is close to nothing has no suggestion', () => {
  expect(nearest('pokemon', ['windfall', 'two-fly'])).toBeNull();
});
