import { DeviceError } from '../../../engine/errors.ts';
import type { MemoryRegion } from '../libretro/environment-calls.ts';
import type { LibretroCore } from '../libretro/open-core.ts';
import type { CartridgeHeader } from './cartridge-header.ts';

export const MEMORY_IMAGE_BYTES = 65_536;

/** Fills a 64 KiB image of the address space (spec: session.md 10). Reading changes nothing in the core. */
export type MemoryReader = {
  /** @param image `MEMORY_IMAGE_BYTES`; every byte is written */
  readInto(image: Uint8Array): void;
  /** Offset in the ROM of what is mapped at $0000. Not 0 only with some MBC1 cartridges. */
  romLowOffset(): number;
};

/** What cannot be read without disturbing the core reads as this: video RAM, sprites and registers. */
const UNCAPTURED = 0xff;
/** $FEA0..$FEFF has no memory behind it; a Game Boy between two frames reads zeros there. */
const UNUSABLE = 0x00;
const ROM_BANK_BYTES = 0x4000;
const RAM_BANK_BYTES = 0x2000;

/**
 * Binds to the game that `core` has loaded; bind again after every reload, before its first frame.
 * MBC2's half bytes are not plain memory and read $FF.
 * @throws DeviceError CORE_LAYOUT when the core does not keep its bank registers where mGBA 0.10 does
 */
export function createMemoryReader(core: LibretroCore, cartridge: CartridgeHeader): MemoryReader {
  const ramBytes = cartridge.mapper === 'MBC2' ? 0 : cartridge.ramBytes;
  const rom = region(core, 0x0000);
  const workLow = core.memoryAt(region(core, 0xc000).address, 0x1000);
  const work = region(core, 0xc000).address;
  const high = core.memoryAt(region(core, 0xff80).address, 0x7f);
  const interruptEnable = core.memoryAt(region(core, 0xffff).address, 1);
  const ram = ramBytes === 0 ? null : region(core, 0xa000);
  const banks = findBankPointers(core, rom.address, work, ram?.address ?? null);
  const romBytes = core.memoryAt(rom.address, cartridge.romBytes);
  const workBytes = core.memoryAt(work, cartridge.cgb === 'required' ? 0x8000 : 0x2000);
  const ramBytesView = ram === null ? null : core.memoryAt(ram.address, ram.length);

  return {
    romLowOffset: banks.romLowOffset,
    readInto(image) {
      copyInto(image, 0x0000, romBytes, banks.romLowOffset(), ROM_BANK_BYTES);
      copyInto(image, 0x4000, romBytes, banks.romHighOffset(), ROM_BANK_BYTES);
      image.fill(UNCAPTURED, 0x8000, 0xc000);
      if (ramBytesView !== null && banks.ramEnabled()) {
        const length = Math.min(RAM_BANK_BYTES, ramBytes);
        for (let at = 0xa000; at < 0xc000; at += length) {
          copyInto(image, at, ramBytesView, banks.ramOffset(), length);
        }
      }
      image.set(workLow, 0xc000);
      copyInto(image, 0xd000, workBytes, banks.workOffset(), 0x1000);
      image.copyWithin(0xe000, 0xc000, 0xde00);
      image.fill(UNCAPTURED, 0xfe00, 0xfea0);
      image.fill(UNUSABLE, 0xfea0, 0xff00);
      image.fill(UNCAPTURED, 0xff00, 0xff80);
      image.set(high, 0xff80);
      image[0xffff] = interruptEnable[0]!;
    },
  };
}

function copyInto(image: Uint8Array, at: number, source: Uint8Array, offset: number, length: number): void {
  image.set(source.subarray(offset, offset + length), at);
}

type BankPointers = {
  /** Offsets of what is mapped now, from the start of the ROM, of work RAM and of cartridge RAM. */
  romLowOffset(): number;
  romHighOffset(): number;
  workOffset(): number;
  ramOffset(): number;
  ramEnabled(): boolean;
};

/**
 * The memory map that a core declares is that of power-on: it does not follow bank switches. mGBA keeps what is
 * mapped in pointers a few words before its high RAM (`struct GBMemory`), in this order: ROM, ROM at $0000, ROM at
 * $4000; work RAM, work RAM at $D000; cartridge RAM, cartridge RAM at $A000, with the enable flag eight bytes before.
 * They are found by the values they have right after a load. Only the page that holds high RAM is searched: it exists.
 */
function findBankPointers(core: LibretroCore, rom: bigint, work: bigint, ram: bigint | null): BankPointers {
  const high = region(core, 0xff80).address;
  const page = high & ~0xfffn;
  const bytes = core.memoryAt(page, Number(high - page) & ~7);
  const words = new BigUint64Array(bytes.buffer);
  const low = new Uint32Array(bytes.buffer);

  const romAt = findRun(words, [rom, rom, rom + BigInt(ROM_BANK_BYTES)], 0);
  const workAt = findRun(words, [work, work + 0x1000n], romAt);
  const ramAt = ram === null ? workAt : findRun(words, [ram, ram], workAt);
  if (romAt < 0 || workAt < 0 || ramAt < 0) {
    throw new DeviceError(
      'CORE_LAYOUT',
      `${core.name} ${core.version} keeps its bank registers where this program cannot read them. ` +
        'Use mGBA 0.10 (package libretro-mgba), or set FLY_MGBA_CORE to such a core.',
    );
  }
  const difference = (index: number, base: bigint): number => (low[index * 2]! - Number(base & 0xffff_ffffn)) >>> 0;
  return {
    romLowOffset: () => difference(romAt + 1, rom),
    romHighOffset: () => difference(romAt + 2, rom),
    workOffset: () => difference(workAt + 1, work),
    ramOffset: () => difference(ramAt + 1, ram ?? 0n),
    ramEnabled: () => bytes[ramAt * 8 - 8] === 1,
  };
}

/** First index at or after `from` where `run` stands; -1 when it does not, or `from` is -1 already. */
function findRun(words: BigUint64Array, run: readonly bigint[], from: number): number {
  if (from < 0) return -1;
  for (let i = from; i + run.length <= words.length; i++) {
    if (run.every((word, k) => words[i + k] === word)) return i;
  }
  return -1;
}

function region(core: LibretroCore, start: number): MemoryRegion {
  const found = core.regions.find((candidate) => candidate.start === start);
  if (found !== undefined) return found;
  throw new DeviceError(
    'CORE_LAYOUT',
    `${core.name} ${core.version} declares no memory at $${start.toString(16).toUpperCase().padStart(4, '0')}. ` +
      'Use mGBA 0.10 (package libretro-mgba), or set FLY_MGBA_CORE to such a core.',
  );
}
