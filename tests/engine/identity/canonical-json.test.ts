import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_JSON_DEPTH, canonicalJson, canonicalJsonBytes } from '../../../engine/identity/canonical-json.ts';
import { parseCanonicalJson } from '../../../engine/identity/strict-json.ts';

test('PRO-01 keys are sorted by UTF-16 code unit, not by locale or code point (session.md 2.3, RFC 8785 3.2.3)', () => {
  // The property order of the RFC's own example: a surrogate pair sorts before U+FB33.
  const keys = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
  const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
  expect(Object.keys(JSON.parse(text) as object)).toEqual([
    '1',
    '\r',
    '\u0080',
    '\u00f6',
    '\u20ac',
    '\u{1f600}',
    '\ufb33',
  ]);
  expect(canonicalJson({ b: 1, a: 2, B: 3 })).toBe('{"B":3,"a":2,"b":1}');
});

test('PRO-01 numbers print as ECMAScript prints them (session.md 2.3)', () => {
  expect(canonicalJson([1e-7, 5e-324, -0, 800.0, 0.1, -1.5])).toBe('[1e-7,5e-324,0,800,0.1,-1.5]');
});

test('PRO-01 the largest safe integer passes; 2^53, 1e21 and the largest double are refused (session.md 2.3)', () => {
  expect(canonicalJson(Number.MAX_SAFE_INTEGER)).toBe('9007199254740991');
  for (const value of [2 ** 53, -(2 ** 53), 1e21, 1.7976931348623157e308, NaN, Infinity, -Infinity]) {
    expect(() => canonicalJson({ value })).toThrow(expect.objectContaining({ code: 'CANONICAL_JSON' }));
  }
});

test('PRO-01 strings use the short escapes, lowercase hex for other controls and nothing else (session.md 2.3)', () => {
  expect(canonicalJson('"\\\b\t\n\f\r\u0000\u001f\u007f/\u20ac')).toBe(
    '"\\"\\\\\\b\\t\\n\\f\\r\\u0000\\u001f\u007f/\u20ac"',
  );
});

test('there is no white space and no newline, and lists keep their order (session.md 2.3)', () => {
  expect(canonicalJson({ list: [3, 1, 2], empty: {}, none: null, yes: true })).toBe(
    '{"empty":{},"list":[3,1,2],"none":null,"yes":true}',
  );
});

test.each([
  ['an undefined member', { a: undefined }],
  ['a hole in a list', [, 1]],
  ['a bigint', { a: 1n }],
  ['a date', { a: new Date(0) }],
  ['bytes', { a: new Uint8Array(1) }],
  ['a function', { a: () => 1 }],
  ['half a surrogate pair', ['\ud800']],
  ['half a surrogate pair in a key', { '\udc00': 1 }],
])('%s is refused (session.md 2.3)', (_what, value) => {
  expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: 'CANONICAL_JSON' }));
});

test('a document that refers to itself is refused, not followed', () => {
  const loop: unknown[] = [];
  loop.push(loop);
  expect(() => canonicalJson(loop)).toThrow(expect.objectContaining({ code: 'CANONICAL_JSON' }));
});

test('the message names the place', () => {
  expect(() => canonicalJson({ a: [{ b: NaN }] })).toThrow('$.a[0].b is NaN');
});

/** Any JSON value the writer takes. */
const anyJson = fc
  .jsonValue({ maxDepth: 5, stringUnit: 'grapheme' })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  .filter((value) => isWritable(value));

function isWritable(value: unknown): boolean {
  try {
    canonicalJson(value);
    return true;
  } catch {
    return false;
  }
}

test('what was written reads back as the same value, and writing it again gives the same bytes', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const read = parseCanonicalJson(canonicalJsonBytes(value));
      expect(canonicalJson(read)).toBe(canonicalJson(value));
      expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(canonicalJson(value)));
    }),
  );
});

test('the depth limit is the same for writing and reading', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  expect(parseCanonicalJson(canonicalJson(nested(MAX_JSON_DEPTH)))).toBeDefined();
  expect(() => canonicalJson(nested(MAX_JSON_DEPTH + 1))).toThrow(expect.objectContaining({ code: 'CANONICAL_JSON' }));
});
