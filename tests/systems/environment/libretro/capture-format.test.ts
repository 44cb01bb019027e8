import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DataError } from '../../../../engine/errors.ts';
import { decodeCapture, encodeCapture } from '../../../../systems/environment/libretro/capture-format.ts';
import type { Capture } from '../../../../systems/environment/libretro/capture-format.ts';

const IDENTITY = {
  backendDigest: 'a'.repeat(64),
  contentDigest: 'b'.repeat(64),
  configurationDigest: 'c'.repeat(64),
};

const bytes = fc.uint8Array({ maxLength: 40 });
const machine = fc.record({ core: bytes, ram: bytes, frame: bytes });
const capture: fc.Arbitrary<Capture> = fc.record({
  engineFrame: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map(String),
  world: machine,
  slots: fc
    .uniqueArray(fc.tuple(fc.constantFrom('best', 'last', 'a', 'b'), machine), { selector: ([id]) => id })
    .map((entries) => new Map(entries)),
});

test('what was captured comes back', () => {
  fc.assert(
    fc.property(capture, (given) => {
      expect(decodeCapture(IDENTITY, encodeCapture(IDENTITY, given))).toEqual(given);
    }),
  );
});

test('the order in which slots were filled leaves no trace in the bytes', () => {
  const slot = { core: Uint8Array.of(1), ram: Uint8Array.of(2), frame: Uint8Array.of(3) };
  const one: Capture = {
    engineFrame: '7',
    world: slot,
    slots: new Map([
      ['a', slot],
      ['b', slot],
    ]),
  };
  const two: Capture = {
    ...one,
    slots: new Map([
      ['b', slot],
      ['a', slot],
    ]),
  };
  expect(encodeCapture(IDENTITY, one)).toEqual(encodeCapture(IDENTITY, two));
});

test('every damaged byte is refused as ENVIRONMENT_STATE', () => {
  fc.assert(
    fc.property(capture, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, at, change) => {
      const encoded = encodeCapture(IDENTITY, given);
      encoded[at % encoded.length]! ^= change;
      expect(refusalOf(encoded).code).toBe('ENVIRONMENT_STATE');
    }),
  );
});

test('every shortened capture is refused', () => {
  fc.assert(
    fc.property(capture, fc.double({ min: 0, max: 0.999, noNaN: true }), (given, part) => {
      const encoded = encodeCapture(IDENTITY, given);
      expect(refusalOf(encoded.slice(0, Math.floor(encoded.length * part))).code).toBe('ENVIRONMENT_STATE');
    }),
  );
});

test.each([
  ['backendDigest', 'the emulator core'],
  ['contentDigest', 'the cartridge'],
  ['configurationDigest', 'the configuration'],
] as const)('a capture with another %s is refused by that name (session.md 13)', (key, words) => {
  const empty = { core: new Uint8Array(0), ram: new Uint8Array(0), frame: new Uint8Array(0) };
  const other = { ...IDENTITY, [key]: 'd'.repeat(64) };
  const encoded = encodeCapture(other, { engineFrame: '1', world: empty, slots: new Map() });
  expect(refusalOf(encoded).message).toContain(words);
});

function refusalOf(encoded: Uint8Array): DataError {
  try {
    decodeCapture(IDENTITY, encoded);
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
  throw new Error('the capture was accepted');
}
