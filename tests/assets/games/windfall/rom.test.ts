import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { buildRom, hasCompiler } from '../../../../assets/games/windfall/build.ts';
import { ORCHARDS } from '../../../../assets/games/windfall/levels/orchards.ts';
import { PIECE_COLUMNS, SECTION_PIECES, layOut } from '../../../../assets/games/windfall/levels/pieces.ts';

const rom = readFileSync(fileURLToPath(new URL('../../../../assets/games/windfall/windfall.gb', import.meta.url)));

test.skipIf(!hasCompiler())('the committed cartridge is what its sources build, byte for byte (needs sdcc)', () => {
  expect(Buffer.from(buildRom()).equals(rom)).toBe(true);
});

test('the header is an MBC1 cartridge of 64 KiB with true checksums and no boot picture', () => {
  expect(rom.length).toBe(65_536);
  expect(rom.subarray(0x104, 0x134).every((byte) => byte === 0)).toBe(true);
  expect([rom[0x147], rom[0x148], rom[0x149]]).toEqual([1, 1, 0]);
  let check = 0;
  for (let i = 0x134; i <= 0x14c; i++) check = (check - rom[i]! - 1) & 255;
  expect(rom[0x14d]).toBe(check);
  const sum = rom.reduce((total, byte, at) => (at === 0x14e || at === 0x14f ? total : (total + byte) & 0xffff), 0);
  expect(rom.readUInt16BE(0x14e)).toBe(sum);
});

test('every orchard has four sections with three checkpoint flags, a goal and enough fruit', () => {
  for (const { name, pieces } of ORCHARDS) {
    const { entities } = layOut(pieces);
    expect(pieces, name).toHaveLength(SECTION_PIECES * 4 + 1);
    const flags = entities.filter(({ kind }) => kind === 'flag');
    expect(
      flags.map(({ parameter, column }) => [parameter, column]),
      name,
    ).toEqual([1, 2, 3].map((section) => [section, section * SECTION_PIECES * PIECE_COLUMNS + 2]));
    const fruit = entities.filter(({ kind }) => kind === 'fruit').length;
    expect(fruit, name).toBeGreaterThanOrEqual(15);
    expect(fruit, name).toBeLessThanOrEqual(64);
    expect(entities.length, name).toBeLessThanOrEqual(100);
  }
});

test('no orchard can wall the fly in: nothing solid stands above the sixth row', () => {
  for (const { name, pieces } of ORCHARDS) {
    for (const { row } of layOut(pieces).overlays) expect(row, name).toBeGreaterThanOrEqual(2);
  }
});

test('all eight orchards bring something the ones before do not have', () => {
  const seen = new Set<string>();
  for (const { name, pieces, weather, gale, theme } of ORCHARDS) {
    const layout = layOut(pieces);
    const parts = [...layout.overlays, ...layout.entities].map(({ kind }) => kind);
    const features = [...parts, weather, gale > 0 ? 'gale' : 'steady', theme.clouds].filter((part) => !seen.has(part));
    expect(features.length, name).toBeGreaterThan(0);
    for (const feature of features) seen.add(feature);
  }
});
