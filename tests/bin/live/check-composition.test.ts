import { expect, test } from 'vitest';
import { checkComposition } from '../../../bin/live/check-composition.ts';
import { describeArena } from '../../../systems/environment/arena/describe-arena.ts';

const WORLD = describeArena({ backendDigest: '0'.repeat(64), players: 2, slotIds: [] });
const MATCH = { id: 'a-match', decoderPreset: 'gameboy', episodePolicy: 'round-reset-keep-gains-v1' } as const;
const LADDER = { ...MATCH, id: 'a-ladder', episodePolicy: 'legacy-ratchet-rollback-v1' } as const;
const [A, B] = ['a', 'b'].map((letter, i) => ({
  id: `fly-${letter}`,
  port: `player-${i + 1}`,
  connectome: 'twin',
}));

test('a match of two flies and a ladder game of one fit the arena', () => {
  checkComposition({ agents: [A!, B!] }, MATCH, WORLD);
  checkComposition({ agents: [A!] }, LADDER, WORLD);
});

test('M1 a readout that presses what the pad does not have is refused with both names (arena.md 4)', () => {
  const [left, right] = WORLD.ports;
  const buttons = right!.buttons.filter((button) => button !== 'b' && button !== 'up');
  const world = { ...WORLD, ports: [left!, { ...right!, buttons }] };
  checkComposition({ agents: [A!] }, MATCH, world); // nobody plays on that pad
  expect(() => checkComposition({ agents: [A!, B!] }, MATCH, world)).toThrow(
    expect.objectContaining({
      name: 'ConfigError',
      code: 'COMPOSITION',
      message: expect.stringMatching(
        /gameboy of fly-b presses up, b, which port player-2 of arena does not/,
      ) as unknown,
    }),
  );
});

test('macro channels press no button, so a pad need not have them', () => {
  checkComposition({ agents: [A!] }, { ...LADDER, decoderPreset: 'gameboy-macros' }, WORLD);
});

test('E6 a world that cannot be saved does not fit a program that continues shows (arena.md 3)', () => {
  expect(() => checkComposition({ agents: [A!] }, LADDER, { ...WORLD, recovery: 'episode-restart' })).toThrow(
    expect.objectContaining({
      code: 'COMPOSITION',
      message: expect.stringMatching(/arena is episode-restart/) as unknown,
    }),
  );
});

test('a task that sets the world back is for one fly alone (session.md 14)', () => {
  expect(() => checkComposition({ agents: [A!, B!] }, LADDER, WORLD)).toThrow(
    expect.objectContaining({
      code: 'COMPOSITION',
      message: expect.stringMatching(/legacy-ratchet-rollback-v1.*fly-a, fly-b/) as unknown,
    }),
  );
});
