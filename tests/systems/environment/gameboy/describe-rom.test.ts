import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Hex } from '../../../../engine/identity/digest.ts';
import { describeRom } from '../../../../systems/environment/gameboy/describe-rom.ts';
import { createTinyCartridge } from './tiny-cartridge.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fly-rom-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a cartridge is described in full', async () => {
  const path = join(folder, 'tiny.gb');
  const rom = createTinyCartridge({ title: 'TINY', type: 0x13, romCode: 2, ramCode: 3 });
  await writeFile(path, rom);
  expect(await describeRom(path)).toEqual({
    path,
    fileBytes: 131_072,
    sha256: sha256Hex(rom),
    looksLike: 'Game Boy ROM',
    cartridge: {
      title: 'TINY',
      platform: 'gb',
      colour: 'none',
      mapper: 'MBC3',
      battery: true,
      timer: false,
      romBytes: 131_072,
      ramBytes: 32_768,
      version: 0,
    },
    refusal: null,
    warnings: [],
  });
});

test('a file of another console is described with the reason it is not played', async () => {
  const path = join(folder, 'other.nes');
  await writeFile(path, Uint8Array.of(0x4e, 0x45, 0x53, 0x1a, 2, 1));
  const description = await describeRom(path);
  expect(description).toMatchObject({ fileBytes: 6, looksLike: 'NES ROM', cartridge: null });
  expect(description.refusal?.code).toBe('ROM_PLATFORM');
});

test('a file that cannot be read is an error, not a description', async () => {
  await expect(describeRom(join(folder, 'absent.gb'))).rejects.toMatchObject({ code: 'ROM_UNREADABLE' });
});
