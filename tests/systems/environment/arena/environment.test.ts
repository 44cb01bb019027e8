import { expect, test } from 'vitest';
import type { Observation } from '../../../../engine/contract/environment.ts';
import { isFlyError } from '../../../../engine/errors.ts';
import { createMatch } from '../../../../systems/environment/arena/begin-match.ts';
import { createArena, environmentModule } from '../../../../systems/environment/arena/environment.ts';
import { createArenaPicture } from '../../../../systems/environment/arena/draw-arena.ts';
import { WORD, readState } from '../../../../systems/environment/arena/state-map.ts';
import { createRandomPlayer } from './arena-players.ts';
import { batchOf, openTestArena } from './arena-controls.ts';

test('the arena describes one shared view, one sound and a Game Boy joypad per player', async () => {
  const { descriptor } = await environmentModule.open({
    environmentId: 'arena',
    contentPath: null,
    slotIds: [],
    portIds: ['player-1', 'player-2', 'player-3'],
    coresFolder: '',
    report: () => undefined,
  });
  expect(descriptor.ports.map(({ portId }) => portId)).toEqual(['player-1', 'player-2', 'player-3']);
  expect(descriptor.ports[0]!.buttons).toEqual(['up', 'down', 'left', 'right', 'a', 'b', 'start', 'select']);
  expect(descriptor.stepDuration).toEqual({ numerator: 8_572_265_625n, denominator: 512n }); // session.md 4
  expect(descriptor.views).toMatchObject([{ widthPx: 160, heightPx: 144, observationDelaySteps: 0 }]);
  expect(descriptor.audio).toEqual([{ streamId: 'world', sampleRateHz: 32_768, channels: 2 }]);
  expect(descriptor.recovery).toBe('exact-checkpoint');
  expect(descriptor.backendDigest).toMatch(/^[0-9a-f]{64}$/);
});

test('the same buttons give the same bytes: state, picture and sound', async () => {
  const [one, two] = [openTestArena(), openTestArena()];
  expect(copy(await one.boot())).toEqual(copy(await two.boot()));
  expect(await play(one, 7, 0, 400)).toEqual(await play(two, 7, 0, 400));
});

test('a restored capture goes on exactly as the world it was taken from, slots included', async () => {
  const one = openTestArena(2, ['best']);
  await one.boot();
  await play(one, 3, 0, 150);
  await one.saveSlot('best');
  await play(one, 3, 150, 350);
  const bytes = await one.capture();
  const two = openTestArena(2, ['best']);
  const restored = await two.restore(bytes);
  expect(restored.audio[0]).toHaveLength(0);
  expect(await play(two, 5, 0, 300)).toEqual(await play(one, 5, 0, 300));
  expect(copy(await two.restoreSlot('best'))).toEqual(copy(await one.restoreSlot('best')));
  expect(await play(two, 9, 0, 50)).toEqual(await play(one, 9, 0, 50));
});

test('taking a capture changes nothing', async () => {
  const [one, two] = [openTestArena(), openTestArena()];
  await one.boot();
  await two.boot();
  for (let step = 0; step < 200; step++) {
    await one.capture();
    expect(copy(await one.advance(batchOf(8, 4)))).toEqual(copy(await two.advance(batchOf(8, 4))));
  }
});

test('a damaged or foreign capture is refused and the world goes on', async () => {
  const arena = openTestArena();
  await arena.boot();
  await play(arena, 1, 0, 30);
  const bytes = await arena.capture();
  const damaged = bytes.slice();
  damaged[damaged.length - 100]! ^= 1;
  const others = openTestArena(4);
  await others.boot();
  const ofAnotherBuild = createArena({ environmentId: 'arena', contentPath: null, slotIds: [] }, 'e'.repeat(64));
  await ofAnotherBuild.boot();
  const foreign = [
    damaged,
    bytes.slice(0, 500),
    new Uint8Array(10),
    await others.capture(),
    await ofAnotherBuild.capture(),
  ];
  for (const state of foreign) expect(await codeOf(arena.restore(state))).toBe('ENVIRONMENT_STATE');
  expect(await arena.capture()).toEqual(bytes);
});

test('a batch that is not whole is refused before anything moves', async () => {
  const arena = openTestArena();
  await arena.boot();
  const before = await arena.capture();
  const whole = batchOf(0, 0);
  const batches = [
    { ...whole, ports: whole.ports.slice(0, 1) },
    { ...whole, ports: [...whole.ports].reverse() },
    { ...whole, ports: [whole.ports[0]!, { ...whole.ports[1]!, buttons: [] }] },
    batchOf(0, 0, 0),
  ];
  for (const batch of batches) expect(await codeOf(arena.advance(batch))).toBe('CONTROL_BATCH');
  expect(await arena.capture()).toEqual(before);
});

test('a show that gives the arena a file, a gap between ports or one player is refused', () => {
  const open = (change: object): string => {
    try {
      createArena({ environmentId: 'arena', contentPath: null, slotIds: [], ...change }, '');
    } catch (error) {
      if (isFlyError(error)) return error.code;
      throw error;
    }
    return 'opened';
  };
  expect(open({})).toBe('opened');
  expect(open({ contentPath: '/some.gb' })).toBe('CONTENT_PATH');
  expect(open({ portIds: ['player-1', 'player-3'] })).toBe('ARENA_PORTS');
  expect(open({ portIds: ['player-1'] })).toBe('ARENA_PORTS');
  expect(open({ slotIds: ['a', 'a'] })).toBe('SLOTS');
});

test('each boot begins the next match, and a restore continues the count', async () => {
  const arena = openTestArena();
  const numbers = [readState((await arena.boot()).inspection)[WORD.matchNumber]];
  numbers.push(readState((await arena.boot()).inspection)[WORD.matchNumber]);
  const bytes = await arena.capture();
  const other = openTestArena();
  await other.restore(bytes);
  numbers.push(readState((await other.boot()).inspection)[WORD.matchNumber]);
  expect(numbers).toEqual([1, 2, 3]);
});

test('an observation stays as it is until the next but one', async () => {
  const arena = openTestArena();
  await arena.boot();
  await play(arena, 2, 0, 130);
  const held = await arena.advance(batchOf(8, 4));
  const kept = copy(held);
  await arena.advance(batchOf(8, 4));
  expect(copy(held)).toEqual(kept);
});

test('sound keeps to the clock: 548 5/8 samples a step, never silent in play, never clipped', async () => {
  const arena = openTestArena();
  await arena.boot();
  const lengths: number[] = [];
  let peak = 0;
  let energy = 0;
  for (let step = 0; step < 800; step++) {
    const [samples] = (await arena.advance(batchOf(step % 96 < 48 ? 24 : 4, step % 90 < 45 ? 36 : 8))).audio;
    lengths.push(samples!.length / 2);
    for (const sample of samples!) {
      peak = Math.max(peak, Math.abs(sample));
      energy += sample * sample;
    }
  }
  expect(lengths.slice(0, 8)).toEqual([548, 549, 548, 549, 549, 548, 549, 549]);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(800 * 548.625);
  expect(peak).toBeLessThan(0.7);
  const rmsDb = 10 * Math.log10(energy / (2 * 800 * 548.625));
  expect(rmsDb).toBeGreaterThan(-32);
  expect(rmsDb).toBeLessThan(-16);
});

test('the picture has exactly the four shades of the show', () => {
  const rgba = new Uint32Array(160 * 144);
  createArenaPicture(2).draw(createMatch(2, 1), rgba);
  const bytes = new Uint8Array(rgba.buffer);
  const colours = new Set<string>();
  for (let i = 0; i < bytes.length; i += 4) colours.add(Buffer.from(bytes.subarray(i, i + 4)).toString('hex'));
  expect([...colours].sort()).toEqual(['16291fff', '4a7a58ff', 'a3bf6cff', 'e8efc4ff']);
});

async function play(
  arena: ReturnType<typeof openTestArena>,
  seed: number,
  from: number,
  to: number,
): Promise<object[]> {
  const players = [createRandomPlayer(seed), createRandomPlayer(seed + 1)];
  const seen: object[] = [];
  const none = new Int32Array();
  for (let step = 0; step < to; step++) {
    const masks = players.map((player, i) => player.buttons(none, i));
    if (step >= from) seen.push(copy(await arena.advance(batchOf(...masks))));
  }
  return seen.filter((_, i) => i % 10 === 0 || i === seen.length - 1);
}

function copy({ engineFrame, views, audio, inspection }: Observation): object {
  return {
    engineFrame,
    view: Buffer.from(views[0]!).toString('base64'),
    audio: Buffer.from(audio[0]!.slice().buffer).toString('base64'),
    state: Buffer.from(inspection).toString('base64'),
  };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (isFlyError(error)) return error.code;
    throw error;
  }
  return 'nothing thrown';
}
