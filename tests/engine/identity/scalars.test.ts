import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatRational,
  isChannelName,
  isDigest,
  isId,
  isRequestId,
  isU64,
  parseAssetRef,
  parseRational,
  parseSchemaRef,
  parseScope,
  parseTypedValue,
  parseU64,
} from '../../../engine/identity/scalars.ts';
import { rationalNs } from '../../../engine/rational.ts';

const scalar = expect.objectContaining({ code: 'SCALAR' }) as Error;
const DIGEST = 'ab'.repeat(32);

test('an Id is 1 to 64 lowercase letters, digits, dots, dashes and underscores (session.md 2.1)', () => {
  for (const good of ['a', '0', 'fly-a', 'epoch-1.rb2', 'command_0', 'a'.repeat(64)]) expect(isId(good)).toBe(true);
  for (const bad of ['', 'Fly-A', '-a', '.a', '_a', 'a b', 'a\n', 'ä', 'a'.repeat(65), 1, null]) {
    expect(isId(bad)).toBe(false);
  }
});

test('every channel name is an Id that starts with a letter (session.md 2.1)', () => {
  expect(isChannelName('macro_go_npc')).toBe(true);
  for (const bad of ['0up', 'a-b', 'a.b', 'A', '', 'a'.repeat(65)]) expect(isChannelName(bad)).toBe(false);
});

test('a U64 has no sign, space, exponent or leading zero and ends at 2^64 - 1 (session.md 2.1)', () => {
  for (const good of ['0', '7', '18446744073709551615']) expect(isU64(good)).toBe(true);
  for (const bad of ['', '-1', '+1', '00', '01', '1e3', ' 1', '1 ', '1.0', '18446744073709551616', '9'.repeat(21), 7]) {
    expect(isU64(bad)).toBe(false);
  }
  expect(parseU64('18446744073709551615', 'step')).toBe(2n ** 64n - 1n);
  expect(() => parseU64(7, 'step')).toThrow(scalar);
});

test('digests are 64 lowercase hex digits and request ids carry a U64 (session.md 2.1)', () => {
  expect(isDigest(DIGEST)).toBe(true);
  for (const bad of [DIGEST.toUpperCase(), DIGEST.slice(1), `${DIGEST}0`, `${DIGEST}\n`]) {
    expect(isDigest(bad)).toBe(false);
  }
  expect(isRequestId('req-0')).toBe(true);
  for (const bad of ['req-', 'req-01', 'req--1', 'REQ-1', 'req-18446744073709551616']) {
    expect(isRequestId(bad)).toBe(false);
  }
});

test('SCH-06 a span that is not in lowest terms, has a zero denominator or a sign is refused (session.md 2.1)', () => {
  expect(parseRational({ numerator: '0', denominator: '1' }, 'span')).toEqual(rationalNs(0n));
  for (const [numerator, denominator] of [
    ['2', '4'],
    ['0', '2'],
    ['1', '0'],
    ['-1', '1'],
    ['1', '18446744073709551616'],
  ]) {
    expect(() => parseRational({ numerator, denominator }, 'span')).toThrow(scalar);
  }
});

test('a span written and read back is the same span', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }), (n, d) => {
      const span = rationalNs(n, d);
      expect(parseRational(formatRational(span), 'span')).toEqual(span);
    }),
  );
});

test('a field that is missing or unknown is refused with its path (session.md 2.1)', () => {
  const scope = { sessionId: 'demo', epoch: 'epoch-1', step: '41' };
  expect(parseScope(scope, 'scope')).toEqual(scope);
  expect(() => parseScope({ ...scope, wall: 1 }, 'scope')).toThrow('scope.wall');
  expect(() => parseScope({ sessionId: 'demo', epoch: 'epoch-1' }, 'scope')).toThrow('scope.step');
  expect(() => parseScope({ ...scope, step: 41 }, 'scope')).toThrow(scalar);
  expect(() => parseScope({ ...scope, epoch: 'Epoch' }, 'scope')).toThrow(scalar);
});

test('a schema version lies between 1 and 65535 (session.md 2.1)', () => {
  const ref = { id: 'gameboy-joypad-v1', version: 1, digest: DIGEST };
  expect(parseSchemaRef(ref, 'schema')).toEqual(ref);
  for (const version of [0, 65_536, 1.5, '1'])
    expect(() => parseSchemaRef({ ...ref, version }, 'schema')).toThrow(scalar);
});

test('a typed value ends at 32,768 bytes of canonical JSON, both sides of the limit (session.md 2.1)', () => {
  const schema = { id: 's', version: 1, digest: DIGEST };
  const frame = new TextEncoder().encode(JSON.stringify({ schema, value: { t: '' } })).byteLength;
  const sized = (bytes: number): unknown => ({ schema, value: { t: 'x'.repeat(bytes - frame) } });
  expect(parseTypedValue(sized(32_768), 'value')).toBeDefined();
  expect(() => parseTypedValue(sized(32_769), 'value')).toThrow(scalar);
  expect(() => parseTypedValue({ schema, value: [] }, 'value')).toThrow(scalar);
});

test('an asset has content; it never is a path (session.md 2.1)', () => {
  const asset = { id: 'pokered-rom', digest: DIGEST, byteLength: '1048576', format: 'gb-rom' };
  expect(parseAssetRef(asset, 'rom')).toEqual(asset);
  expect(() => parseAssetRef({ ...asset, byteLength: '0' }, 'rom')).toThrow(scalar);
  expect(() => parseAssetRef({ ...asset, id: '/roms/red.gb' }, 'rom')).toThrow(scalar);
});
