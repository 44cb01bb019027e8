import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawEnding, drawTitle } from './art/pictures.ts';
import { generateSource } from './generate-source.ts';
import { ORCHARDS } from './levels/orchards.ts';
import { packOrchard, packPicture } from './pack-orchard.ts';

const HOME = fileURLToPath(new URL('.', import.meta.url));
const BANK_BYTES = 0x4000;
const BANKS = 4;
/** Code and tables end below this address; orchards may begin here. */
const PROGRAM_LIMIT = 0x5800;
/** Link order matters: crt0 and orchard.c must lie below 4000 (orchard.c switches what is above). */
const SOURCES = ['orchard', 'main', 'objects', 'sound', 'hud', 'fly', 'creatures', 'screens'];

export function hasCompiler(): boolean {
  return spawnSync('sdcc', ['--version']).status === 0;
}

/**
 * Compiles the cartridge: art and tunes drawn by TypeScript, code by sdcc 4.2 (`--no-peep`: its sm83 peephole pass
 * drops address loads between stores to neighbouring constant addresses). The logo area of the header stays zero.
 * @returns 65,536 bytes, MBC1 without RAM
 */
export function buildRom(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'windfall-'));
  try {
    const rom = new Uint8Array(BANK_BYTES * BANKS).fill(0xff);
    const data = [
      ...[drawTitle(), drawEnding()].map((picture, i) => ({
        bytes: packPicture(picture, `picture ${i}`),
        group: 'picture' as const,
      })),
      ...ORCHARDS.map((plan) => ({ bytes: packOrchard(plan), group: 'orchard' as const })),
    ];
    const places = placeInBanks(
      rom,
      data.map(({ bytes }) => bytes),
    );
    const pick = (group: string): { bank: number; address: number }[] =>
      places.filter((_, i) => data[i]!.group === group);
    const { header, source } = generateSource(pick('orchard'), pick('picture'));
    writeFileSync(join(folder, 'generated.h'), header);
    writeFileSync(join(folder, 'generated.c'), source);
    link(folder);
    placeProgram(rom, readFileSync(join(folder, 'windfall.ihx'), 'latin1'));
    writeHeader(rom);
    return rom;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Largest first into banks 2 and 3, then what the program leaves of bank 1. */
function placeInBanks(rom: Uint8Array, blobs: readonly Uint8Array[]): { bank: number; address: number }[] {
  const free = [BANK_BYTES, PROGRAM_LIMIT - BANK_BYTES, 0, 0];
  const places = blobs.map(() => ({ bank: 0, address: 0 }));
  const order = blobs.map((_, i) => i).sort((a, b) => blobs[b]!.byteLength - blobs[a]!.byteLength || a - b);
  for (const i of order) {
    const blob = blobs[i]!;
    const bank = [2, 3, 1].find((candidate) => free[candidate]! + blob.byteLength <= BANK_BYTES);
    if (bank === undefined) {
      const total = blobs.reduce((sum, { byteLength }) => sum + byteLength, 0);
      throw new Error(
        `windfall: ${total} bytes of orchards and pictures do not fit behind ${PROGRAM_LIMIT.toString(16)}`,
      );
    }
    rom.set(blob, bank * BANK_BYTES + free[bank]!);
    places[i] = { bank, address: BANK_BYTES + free[bank]! };
    free[bank]! += blob.byteLength;
  }
  return places;
}

function link(folder: string): void {
  const run = (command: string, args: string[]): void => {
    execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  run('sdasgb', ['-plosgff', '-o', 'crt0.rel', join(HOME, 'source/crt0.s')]);
  const options = ['-msm83', '--std-c11', '--no-peep', '--opt-code-speed', `-I${folder}`, `-I${join(HOME, 'source')}`];
  for (const name of SOURCES) run('sdcc', [...options, '-c', join(HOME, `source/${name}.c`), '-o', `${name}.rel`]);
  run('sdcc', [...options, '-c', 'generated.c', '-o', 'generated.rel']);
  const objects = ['crt0', ...SOURCES, 'generated'].map((name) => `${name}.rel`);
  run('sdcc', [
    '-msm83',
    '--no-std-crt0',
    '--code-loc',
    '0x200',
    '--data-loc',
    '0xC200',
    ...objects,
    '-o',
    'windfall.ihx',
  ]);
}

/** Intel hex into banks 0 and 1. */
function placeProgram(rom: Uint8Array, hex: string): void {
  for (const line of hex.split(/\r?\n/)) {
    if (!line.startsWith(':')) continue;
    const bytes = Buffer.from(line.slice(1), 'hex');
    const length = bytes[0]!;
    const address = bytes.readUInt16BE(1);
    if (bytes[3] !== 0) continue;
    if (address + length > PROGRAM_LIMIT) {
      throw new Error(`windfall: the program reaches ${address.toString(16)}; raise PROGRAM_LIMIT in build.ts`);
    }
    rom.set(bytes.subarray(4, 4 + length), address);
  }
}

/** Cartridge header (Pan Docs): title, MBC1, 64 KiB, no RAM, both checksums. No logo: it is not ours to ship. */
function writeHeader(rom: Uint8Array): void {
  rom.fill(0, 0x104, 0x150);
  rom.set(Buffer.from('WINDFALL', 'latin1'), 0x134);
  rom[0x147] = 0x01;
  rom[0x148] = 0x01;
  rom[0x14a] = 0x01;
  rom[0x14b] = 0x33;
  let check = 0;
  for (let i = 0x134; i <= 0x14c; i++) check = (check - rom[i]! - 1) & 255;
  rom[0x14d] = check;
  let sum = 0;
  for (let i = 0; i < rom.length; i++) if (i !== 0x14e && i !== 0x14f) sum = (sum + rom[i]!) & 0xffff;
  rom[0x14e] = sum >> 8;
  rom[0x14f] = sum & 255;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(HOME, 'windfall.gb'), buildRom());
