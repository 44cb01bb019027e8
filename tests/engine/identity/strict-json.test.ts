import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCanonicalJson, parseStrictJson } from '../../../engine/identity/strict-json.ts';

const strict = expect.objectContaining({ code: 'STRICT_JSON' }) as Error;

test.each([
  ['a repeated key', '{"a":1,"a":1}'],
  ['a repeated key deep inside', '[{"x":{"a":1,"b":2,"a":3}}]'],
  ['a repeated key spelled with an escape', '{"a":1,"\\u0061":2}'],
  ['NaN', '[NaN]'],
  ['Infinity', '[-Infinity]'],
  ['a number that overflows', '[1e999]'],
  ['a control character inside a string', '["a\tb"]'],
  ['a raw newline inside a string', '["a\nb"]'],
  ['trailing data', '{} {}'],
  ['a trailing comma in a list', '[1,]'],
  ['a trailing comma in an object', '{"a":1,}'],
  ['a leading zero', '[01]'],
  ['a plus sign', '[+1]'],
  ['a bare decimal point', '[1.]'],
  ['a single quote', "['a']"],
  ['a comment', '[1/*x*/]'],
  ['an unknown escape', '["\\x41"]'],
  ['a string that never ends', '["abc'],
  ['half a surrogate pair', '["\\ud800"]'],
  ['a key that is no string', '{1:2}'],
  ['an unfinished word', '[tru]'],
  ['an unclosed object', '{"a":1'],
  ['an unclosed list', '[1'],
  ['nothing', ''],
  ['only white space', ' \n'],
  ['a no-break space', '\u00a0[]'],
  ['nesting without end', '['.repeat(100_000)],
])('PRO-01 %s is refused (session.md 2.3)', (_what, text) => {
  expect(() => parseStrictJson(text)).toThrow(strict);
});

test('PRO-01 bytes that are not UTF-8 are refused, and so is a byte order mark (session.md 2.3)', () => {
  expect(() => parseStrictJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(strict);
  expect(() => parseStrictJson(Uint8Array.of(0x22, 0xc0, 0x80, 0x22))).toThrow(strict);
  expect(() => parseStrictJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toThrow(strict);
});

test('a string of ten million characters is read, closed or not', () => {
  const long = 'x'.repeat(10_000_000);
  expect(parseStrictJson(`"${long}"`)).toBe(long);
  expect(() => parseStrictJson(`"${long}`)).toThrow(strict);
});

test('a __proto__ key is data, not a prototype (session.md 2.3)', () => {
  const value = parseStrictJson('{"__proto__":{"admin":true},"a":1}') as Record<string, unknown>;
  expect(Object.getPrototypeOf(value)).toBeNull();
  expect(value['admin']).toBeUndefined();
  expect(Object.keys(value)).toEqual(['__proto__', 'a']);
});

test('whatever JSON.parse reads without repeated keys, the strict parser reads alike', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom('', '  '), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent);
      expect(JSON.parse(JSON.stringify(parseStrictJson(spaced)))).toEqual(JSON.parse(JSON.stringify(JSON.parse(text))));
    }),
  );
});

test('text that JSON.parse refuses is refused', () => {
  const soup = fc.string({ unit: fc.constantFrom(...Array.from('{}[]:,"\\ua01.-+eEtfn \n\t')), maxLength: 12 });
  fc.assert(
    fc.property(soup, (text) => {
      try {
        JSON.parse(text);
      } catch {
        expect(() => parseStrictJson(text)).toThrow(strict);
      }
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['white space', '{"a": 1}'],
  ['keys out of order', '{"b":1,"a":2}'],
  ['an escape that is not needed', '["\\u0061"]'],
  ['an upper case escape', '["\\u001F"]'],
  ['another spelling of a number', '[1.0]'],
  ['an exponent that is not needed', '[1e2]'],
  ['minus zero', '[-0]'],
  ['a trailing newline', '{}\n'],
])('a canonical document with %s is refused (session.md 2.3)', (_what, text) => {
  expect(() => parseCanonicalJson(text)).toThrow(expect.objectContaining({ code: 'NOT_CANONICAL' }));
});

test('a canonical document with a number nobody may write is refused (session.md 2.3)', () => {
  expect(() => parseCanonicalJson('[9007199254740992]')).toThrow(expect.objectContaining({ code: 'CANONICAL_JSON' }));
});
