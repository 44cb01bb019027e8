import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyText, createBodyIndex } from '../../../../../../systems/kernel/connectome/import/malecns/body-index.ts';
import { hexToPlane } from '../../../../../../systems/kernel/connectome/import/malecns/l1-columns.ts';
import { MALECNS_SIGNS, decideSign } from '../../../../../../systems/kernel/connectome/import/malecns/sign-policy.ts';
import { MALECNS_SOURCES } from '../../../../../../systems/kernel/connectome/import/malecns/release.ts';
import { territoryOf } from '../../../../../../systems/kernel/connectome/import/malecns/territories.ts';

test('lattice axes are 120 degrees apart and all six neighbours are equally far (brain.md 3.2)', () => {
  const [ax, ay] = hexToPlane(1, 0);
  const [bx, by] = hexToPlane(0, 1);
  const cosine = (ax * bx + ay * by) / (Math.hypot(ax, ay) * Math.hypot(bx, by));
  expect((Math.acos(cosine) * 180) / Math.PI).toBeCloseTo(120, 9);
  for (const [h1, h2] of [
    [1, 0],
    [0, 1],
    [1, 1],
    [-1, 0],
    [0, -1],
    [-1, -1],
  ] as const) {
    expect(Math.hypot(...hexToPlane(h1, h2))).toBeCloseTo(1, 12);
  }
});

test('vertical is (h1 + h2) / 2, horizontal is (h2 - h1) x sqrt(3) / 2 (brain.md 3.2)', () => {
  expect(hexToPlane(3, 8)).toEqual([5 * (Math.sqrt(3) / 2), 5.5]);
});

test.each([
  ['acetylcholine', '', 0, 1, 'consensus'],
  ['GABA', '', 0, -1, 'consensus'],
  ['histamine', '', 0, -1, 'consensus'],
  ['glutamate', 'acetylcholine', 1, -1, 'consensus'],
  ['octopamine', '', 0, 1, 'consensus'],
  ['unclear', 'gaba', 0.5, -1, 'predicted'],
  ['', 'gaba', 0.499, 1, 'low-confidence'],
  ['', 'gaba', Number.NaN, 1, 'low-confidence'],
  ['mixed', 'unknown', 1, 1, 'no-label'],
  ['', '', Number.NaN, 1, 'no-label'],
])(
  'consensus "%s", prediction "%s" at %d: sign %d by %s (brain.md 3.5)',
  (consensus, predicted, confidence, sign, source) => {
    expect(decideSign(consensus, predicted, confidence, MALECNS_SIGNS)).toMatchObject({ sign, source });
  },
);

test('the sign policy states every label that brain.md 3.5 asks for', () => {
  const text = MALECNS_SIGNS.reasons.join(' ');
  for (const word of ['histamine', 'dopamine', 'serotonin', 'octopamine', 'mixed', 'unknown', 'confidence']) {
    expect(text).toContain(word);
  }
  expect(MALECNS_SIGNS.scope).toBe('per neuron');
});

test('an id is found by its two halves, and an id that is not there is not', () => {
  const id = fc.bigInt({ min: 0n, max: (1n << 63n) - 1n });
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 200 }), fc.array(id), (known, others) => {
      const halves = (value: bigint): [number, number] => [Number(value & 0xffff_ffffn), Number(value >> 32n)];
      const index = createBodyIndex(
        Uint32Array.from(known, (value) => halves(value)[0]),
        Uint32Array.from(known, (value) => halves(value)[1]),
      );
      known.forEach((value, i) => expect(index.find(...halves(value))).toBe(i));
      for (const value of others) expect(index.find(...halves(value))).toBe(known.indexOf(value));
      for (const value of known) expect(bodyText(...halves(value))).toBe(String(value));
    }),
  );
});

test('the published tables, byte counts and digests (brain.md 3.2)', () => {
  expect(MALECNS_SOURCES.annotations).toMatchObject({ bytes: 14_483_314, rows: 211_577 });
  expect(MALECNS_SOURCES.weightsTracedOnly).toMatchObject({ bytes: 508_025_642, rows: 25_563_197 });
  expect(MALECNS_SOURCES.weights.sha256).toBe('e35da783d1c686b2b58b3b87cd6a403ae43bfcfba8bff28e08ef752c1a56afc1');
});

test.each([
  ['ol_intrinsic', 0],
  ['cb_motor', 1],
  ['visual_projection', 2],
  ['descending_neuron', 3],
  ['vnc_sensory', 4],
  ['', 5],
])('superclass "%s" lies in territory %i', (superclass, territory) => {
  expect(territoryOf(superclass)).toBe(territory);
});
