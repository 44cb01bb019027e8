import { expect, test } from 'vitest';
import { deriveSeed, deriveSeeds, seedFromMaterial } from '../../../engine/identity/derive-seed.ts';

const AGENTS = ['fly-a', 'fly-b', 'fly-c', 'fly-d'];

// The twenty published vectors: session.md 28 and brain.md 11.
test.each([
  { master: '0', seeds: [1828176714, 1218785088, 1403534381, -234729153] },
  { master: '1', seeds: [1856740717, 1137843, -1349040096, 276935240] },
  { master: '42', seeds: [-184946063, 535504990, -1247653395, -479367616] },
  { master: '9223372036854775808', seeds: [-710979269, -924939104, 894095852, 1491475947] },
  { master: '18446744073709551615', seeds: [-125244523, -750526716, -2013172958, -642400537] },
])('SCH-15 master seed $master gives the published seeds (brain.md 11, session.md 28)', ({ master, seeds }) => {
  expect(deriveSeeds(master, AGENTS)).toEqual(seeds);
});

test.each(['Fly-A', ''])('the agent id "%s" is refused (brain.md 11, session.md 28)', (agentId) => {
  expect(() => deriveSeed('1', agentId)).toThrow(expect.objectContaining({ code: 'SEED' }));
});

test('SCH-15 a repeated agent id is refused, for it would be the same fly (brain.md 11, session.md 28)', () => {
  expect(() => deriveSeeds('1', ['fly-a', 'fly-b', 'fly-a'])).toThrow(expect.objectContaining({ code: 'SEED' }));
});

test.each(['-1', '01', '1.5', '18446744073709551616', ''])(
  'the master seed "%s" is refused (brain.md 11)',
  (master) => {
    expect(() => deriveSeed(master, 'fly-a')).toThrow(expect.objectContaining({ code: 'SEED' }));
  },
);

test('lanes of zero are skipped and the first other one counts, with its sign (brain.md 11, session.md 3.3)', () => {
  const bytes = new Uint8Array(32);
  bytes[11] = 7;
  bytes[12] = 0x80;
  expect(seedFromMaterial('m\n', () => bytes)).toBe(7);
  bytes[11] = 0;
  expect(seedFromMaterial('m\n', () => bytes)).toBe(-(2 ** 31));
});

test('only zeros rehash with a counter line, added to the last; the fourth time is an error (brain.md 11, session.md 3.3)', () => {
  const asked: string[] = [];
  const zeros = (text: string): Uint8Array => {
    asked.push(text);
    return new Uint8Array(32);
  };
  expect(() => seedFromMaterial('m\n', zeros)).toThrow(expect.objectContaining({ code: 'SEED_EXHAUSTED' }));
  expect(asked).toEqual(['m\n', 'm\n1\n', 'm\n1\n2\n', 'm\n1\n2\n3\n']);
});
