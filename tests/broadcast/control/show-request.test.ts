import { expect, test } from 'vitest';
import { parseShowRequest } from '../../../broadcast/control/show-request.ts';

test('a show request is an id and who asks; nobody named is the operator', () => {
  expect(parseShowRequest({ id: 'two-fly', by: 'ada' })).toEqual({
    kind: 'request',
    request: { id: 'two-fly', by: 'ada' },
  });
  expect(parseShowRequest({ id: 'two-fly' })).toMatchObject({ request: { by: 'operator' } });
});

test.each<[string, unknown, string]>([
  ['text', '"two-fly"', 'the body must be a JSON object'],
  ['a list', [], 'the body must be a JSON object'],
  ['nothing', null, 'the body must be a JSON object'],
  ['no id', {}, '"id" must be the id of a show'],
  ['an id that is a path', { id: '../secrets' }, '"id" must be the id of a show'],
  ['an id with capitals', { id: 'Two-Fly' }, '"id" must be the id of a show'],
  ['an id of 65 characters', { id: 'a'.repeat(65) }, '"id" must be the id of a show'],
  ['an id that is a number', { id: 2 }, '"id" must be the id of a show'],
  ['a name with markup', { id: 'two-fly', by: '<b>' }, '"by" must be'],
  ['a name that is no text', { id: 'two-fly', by: null }, '"by" must be'],
  ['a field too many', { id: 'two-fly', seed: 7 }, '"seed" is not a field of a show request'],
])('%s is refused and says why', (_what, body, error) => {
  const parsed = parseShowRequest(body);
  expect(parsed).toMatchObject({ kind: 'refused', error: expect.stringContaining(error) as string });
});
