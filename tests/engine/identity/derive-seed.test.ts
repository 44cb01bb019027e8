import { expect, test } from 'vitest';
import { deriveSeed, resolveSeeds, seedFromMaterial } from '../../../engine/identity/derive-seed.ts';

const AGENTS = ['fly-a', 'fly-b', 'fly-c', 'fly-d'].map((id) => ({ id }));

// The twenty published vectors: session.md 28 and brain.md 11.
test.each([
  { master: '0', seeds: [1828176714, 1218785088, 1403534381, -234729153] },
  { master: '1', seeds: [1856740717, 1137843, -1349040096, 276935240] },
  { master: '42', seeds: [-184946063, 535504990, -1247653395, -479367616] },
  { master: '9223372036854775808', seeds: [-710979269, -924939104, 894095852, 1491475947] },
  { master: '18446744073709551615', seeds: [-125244523, -750526716, -2013172958, -642400537] },
])('SCH-15 master seed $master gives the published seeds (brain.md 11, session.md 28)', ({ master, seeds }) => {
  expect(resolveSeeds(master, AGENTS, false)).toEqual(seeds);
});

test.each(['Fly-A', ''])('the agent id "%s" is refused (brain.md 11, session.md 28)', (agentId) => {
  expect(() => deriveSeed('1', agentId)).toThrow(expect.objectContaining({ code: 'SEED' }));
});

test('SCH-15 a repeated agent id is refused, for it would be the same fly (brain.md 11, session.md 28)', () => {
  for (const equalSeeds of [false, true]) {
    expect(() => resolveSeeds('1', [AGENTS[0]!, AGENTS[1]!, AGENTS[0]!], equalSeeds)).toThrow(
      expect.objectContaining({ code: 'SEED' }),
    );
  }
});

// -184946063 is what master seed 42 gives fly-a (session.md 28)
test.each([-184946063, -184946063 + 2 ** 32])(
  'SCH-15 a fly given the derived seed of another, as %d, is refused unless that is declared (session.md 3.3)',
  (seed) => {
    const agents = [{ id: 'fly-a' }, { id: 'fly-b', seed }];
    expect(() => resolveSeeds('42', agents, false)).toThrow(
      expect.objectContaining({
        code: 'SEED_EQUAL',
        message: expect.stringMatching(/fly-a and fly-b both have seed -184946063/) as unknown,
      }),
    );
    expect(resolveSeeds('42', agents, true)).toEqual([-184946063, seed]);
    expect(resolveSeeds('43', agents, false)[1]).toBe(seed);
  },
);

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
