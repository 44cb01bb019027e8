import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSugarRequest } from '../../../broadcast/control/sugar-request.ts';

test('a missing or null duration keeps the default of the session (feed-control.md 46)', () => {
  for (const body of [{ by: 'ada' }, { by: 'ada', durationMs: null }]) {
    expect(parseSugarRequest(body)).toEqual({
      kind: 'request',
      request: { by: 'ada', source: 'operator', durationMs: null, agentId: null },
    });
  }
});

test.each([0.2, 250.4, 400, 90_000])(
  'a duration of %s ms is passed on as asked: only the limiter rounds and clamps (feed-control.md 46)',
  (durationMs) => {
    expect(parseSugarRequest({ by: 'ada', durationMs })).toMatchObject({ request: { durationMs } });
  },
);

test.each([0, -5, Number.NaN, Infinity, '400', true])(
  'a duration of %s is refused (feed-control.md 46)',
  (durationMs) => {
    expect(parseSugarRequest({ by: 'ada', durationMs }).kind).toBe('refused');
  },
);

test.each([undefined, '', ' ada', '<b>ada</b>', 'a'.repeat(26), 'ada\n', 7, null])(
  'the name %s is refused: by is validated (feed-control.md 52)',
  (by) => {
    expect(parseSugarRequest({ by }).kind).toBe('refused');
  },
);

test('only an operator comes this way: chat and points are refused', () => {
  expect(parseSugarRequest({ by: 'ada', source: 'operator' }).kind).toBe('request');
  expect(parseSugarRequest({ by: 'ada', source: 'chat' }).kind).toBe('refused');
  expect(parseSugarRequest({ by: 'ada', source: 'points' }).kind).toBe('refused');
});

test('an unknown field is named, so that nobody believes it did something', () => {
  expect(parseSugarRequest({ by: 'ada', buttons: 5 })).toEqual({
    kind: 'refused',
    error: '"buttons" is not a field of sugar',
  });
});

test('no JSON value makes it throw or lets a bad request through', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      const parsed = parseSugarRequest(body);
      if (parsed.kind === 'refused') return;
      expect(parsed.request.by).toMatch(/^[\w .-]{1,25}$/);
      expect(parsed.request.durationMs ?? 1).toBeGreaterThanOrEqual(1);
    }),
  );
});
