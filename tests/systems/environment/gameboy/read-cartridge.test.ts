import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataError } from '../../../../engine/errors.ts';
import { sha256Hex } from '../../../../engine/identity/digest.ts';
import { parseCartridge, readCartridge } from '../../../../systems/environment/gameboy/read-cartridge.ts';
import { createTinyCartridge, sealHeader } from './tiny-cartridge.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fly-cartridge-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function save(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

async function refusalOf(path: string): Promise<DataError> {
  try {
    await readCartridge(path);
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
  throw new Error(`${path} was accepted`);
}

test('a sound cartridge is described by its own header', async () => {
  const rom = createTinyCartridge({ title: 'FLY TEST', type: 0x1b, romCode: 3, ramCode: 3 });
  const cartridge = await readCartridge(await save('sound.gb', rom));
  expect(cartridge).toMatchObject({
    title: 'FLY TEST',
    platform: 'gb',
    cgb: 'none',
    mapper: 'MBC5',
    battery: true,
    timer: false,
    romBytes: 262_144,
    ramBytes: 32_768,
    sha256: sha256Hex(rom),
    warnings: [],
  });
  expect(cartridge.bytes).toEqual(rom);
});

test.each([
  [0x00, 'ROM', 0, false, false],
  [0x03, 'MBC1', 8192, true, false],
  [0x06, 'MBC2', 512, true, false],
  [0x10, 'MBC3', 8192, true, true],
  [0x13, 'MBC3', 8192, true, false],
  [0x19, 'MBC5', 0, false, false],
] as const)('cartridge type %i is %s with %i bytes of RAM', (type, mapper, ramBytes, battery, timer) => {
  const bytes = createTinyCartridge({ type, romCode: 1, ramCode: 2 });
  expect(parse(bytes)).toMatchObject({ mapper, ramBytes, battery, timer });
});

test.each([
  [0x00, 'none'],
  [0x80, 'optional'],
  [0xc0, 'required'],
] as const)('colour flag %i means colour hardware is %s', (cgbFlag, cgb) => {
  expect(parse(createTinyCartridge({ cgbFlag })).cgb).toBe(cgb);
});

test('a wrong global checksum is a warning and nothing more', () => {
  const rom = createTinyCartridge();
  rom[0x7000] = 9;
  const [warning] = parse(rom).warnings;
  expect(warning).toBe('tiny.gb: its global checksum disagrees with its header; the file may be modified or damaged.');
});

describe('a file that is not a playable cartridge is refused with one line that says what it is', () => {
  const changed = (at: number, value: number): Uint8Array => {
    const rom = createTinyCartridge();
    rom[at] = value;
    return sealHeader(rom);
  };
  const unsealed = createTinyCartridge();
  unsealed[0x134] = 0x5a;
  const start = (...bytes: number[]): Uint8Array => Uint8Array.from([...bytes, ...new Array<number>(64).fill(0)]);
  const placed = (length: number, at: number, bytes: readonly number[]): Uint8Array => {
    const file = new Uint8Array(length);
    file.set(bytes, at);
    return file;
  };
  const gba = new Uint8Array(0x200);
  gba[0xb2] = 0x96;
  gba[0xbd] = (0x100 - 0x96 - 0x19) & 0xff;
  const snes = placed(0x10000, 0x7fd5, [0x20, 0, 0, 0, 0, 0, 0, 0xcb, 0xed, 0x34, 0x12]);
  const dol = placed(0x200, 0, [0, 0, 1, 0]);
  dol.set([0x80, 0x00, 0x31, 0x00], 0x48);
  dol.set([0x80, 0x00, 0x31, 0x00], 0xe0);

  test.each<[string, Uint8Array, string, string]>([
    ['an empty file', new Uint8Array(0), 'ROM_EMPTY', 'is empty'],
    ['a short file', new Uint8Array(100), 'ROM_SHORT', 'is 100 bytes'],
    ['half a cartridge', createTinyCartridge({ romCode: 1 }).slice(0, 0x8000), 'ROM_TRUNCATED', 'declares 65536'],
    ['a padded cartridge', placed(0x8001, 0, [...createTinyCartridge()]), 'ROM_OVERLONG', 'is 32769 bytes'],
    ['a wrong header checksum', unsealed, 'ROM_CHECKSUM', 'header checksum is $'],
    ['an unknown mapper', changed(0x147, 0x22), 'ROM_MAPPER', 'cartridge type $22'],
    ['an impossible ROM size', changed(0x148, 0x52), 'ROM_SIZE_CODE', 'ROM size code $52'],
    ['an impossible RAM size', changed(0x149, 0x06), 'ROM_RAM_CODE', 'RAM size code $06'],
    ['a zip archive', start(0x50, 0x4b, 0x03, 0x04), 'ROM_PLATFORM', 'ZIP archive'],
    ['a gzip archive', start(0x1f, 0x8b, 0x08), 'ROM_PLATFORM', 'gzip archive'],
    ['an NES ROM', start(0x4e, 0x45, 0x53, 0x1a), 'ROM_PLATFORM', 'NES ROM'],
    ['an N64 ROM', start(0x80, 0x37, 0x12, 0x40), 'ROM_PLATFORM', 'Nintendo 64 ROM'],
    ['a byte-swapped N64 ROM', start(0x37, 0x80, 0x40, 0x12), 'ROM_PLATFORM', 'Nintendo 64 ROM'],
    ['a GameCube disc', placed(0x200, 0x1c, [0xc2, 0x33, 0x9f, 0x3d]), 'ROM_PLATFORM', 'GameCube disc image'],
    ['a GameCube program', dol, 'ROM_PLATFORM', 'GameCube program'],
    ['a GBA ROM', gba, 'ROM_PLATFORM', 'Game Boy Advance ROM'],
    ['a SNES ROM', snes, 'ROM_PLATFORM', 'SNES ROM'],
    ['a web page saved as a ROM', new TextEncoder().encode('<!DOCTYPE html><html>'), 'ROM_PLATFORM', 'web page'],
  ])('%s', async (name, bytes, code, words) => {
    const refusal = await refusalOf(await save(`${name.replaceAll(' ', '-')}.gb`, bytes));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(words);
    expect(refusal.message).not.toContain('\n');
  });

  test('a file that is not there', async () => {
    const refusal = await refusalOf(join(folder, 'absent.gb'));
    expect(refusal).toMatchObject({ code: 'ROM_UNREADABLE' });
    expect(refusal.message).toContain('there is no such file');
  });

  test('a folder', async () => {
    expect((await refusalOf(folder)).message).toContain('it is a folder');
  });

  test('a file larger than any cartridge, without loading it', async () => {
    const path = await save('large.gb', createTinyCartridge());
    await truncate(path, 3 * 1024 ** 3); // sparse
    expect(await refusalOf(path)).toMatchObject({ code: 'ROM_TOO_LARGE' });
  });

  test('a disc image larger than any cartridge is named, not called too large', async () => {
    const path = await save('disc.iso', placed(0x200, 0x1c, [0xc2, 0x33, 0x9f, 0x3d]));
    await truncate(path, 1_459_978_240);
    expect((await refusalOf(path)).message).toContain('GameCube disc image');
  });
});

test('any damage to a header is refused or harmless, and never anything but a DataError', () => {
  const rom = createTinyCartridge({ type: 0x03, ramCode: 2 });
  const damage = fc.array(fc.tuple(fc.integer({ min: 0x100, max: 0x14f }), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(damage, fc.integer({ min: 0, max: 0x8000 }), fc.boolean(), (changes, length, isSealed) => {
      const bytes = rom.slice();
      for (const [at, value] of changes) bytes[at] = value;
      if (isSealed) sealHeader(bytes);
      const file = bytes.slice(0, length);
      try {
        const { romBytes, ramBytes } = parse(file);
        expect(romBytes).toBe(file.byteLength);
        expect(ramBytes).toBeLessThanOrEqual(128 * 1024);
      } catch (error) {
        expect(error).toBeInstanceOf(DataError);
      }
    }),
    { numRuns: 500 },
  );
});

function parse(bytes: Uint8Array): ReturnType<typeof parseCartridge> {
  return parseCartridge({ bytes, fileBytes: bytes.byteLength }, 'tiny.gb');
}
