import { DataError } from '../../../engine/errors.ts';

/** What a cartridge says about itself at $0100..$014F. */
export type CartridgeHeader = {
  /** Printable ASCII of $0134..$0142, trimmed. */
  readonly title: string;
  /** Colour hardware: not used, used when there, or required. */
  readonly cgb: 'none' | 'optional' | 'required';
  readonly mapper: Mapper;
  readonly battery: boolean;
  /** The cartridge has a clock of its own: what it reads depends on wall time. */
  readonly timer: boolean;
  readonly romBytes: number;
  readonly ramBytes: number;
  readonly version: number;
  readonly headerChecksum: number;
  readonly globalChecksum: number;
};

export type Mapper = 'ROM' | 'MBC1' | 'MBC2' | 'MBC3' | 'MBC5';

/** Cartridge type byte at $0147 (public hardware documentation). Types this program does not play are left out. */
const CARTRIDGE_TYPES: Readonly<Record<number, { mapper: Mapper; ram?: true; battery?: true; timer?: true }>> = {
  0x00: { mapper: 'ROM' },
  0x01: { mapper: 'MBC1' },
  0x02: { mapper: 'MBC1', ram: true },
  0x03: { mapper: 'MBC1', ram: true, battery: true },
  0x05: { mapper: 'MBC2' },
  0x06: { mapper: 'MBC2', battery: true },
  0x08: { mapper: 'ROM', ram: true },
  0x09: { mapper: 'ROM', ram: true, battery: true },
  0x0f: { mapper: 'MBC3', battery: true, timer: true },
  0x10: { mapper: 'MBC3', ram: true, battery: true, timer: true },
  0x11: { mapper: 'MBC3' },
  0x12: { mapper: 'MBC3', ram: true },
  0x13: { mapper: 'MBC3', ram: true, battery: true },
  0x19: { mapper: 'MBC5' },
  0x1a: { mapper: 'MBC5', ram: true },
  0x1b: { mapper: 'MBC5', ram: true, battery: true },
  0x1c: { mapper: 'MBC5' },
  0x1d: { mapper: 'MBC5', ram: true },
  0x1e: { mapper: 'MBC5', ram: true, battery: true },
};

/** RAM size byte at $0149, bytes. */
const RAM_BYTES: readonly number[] = [0, 2 * 1024, 8 * 1024, 32 * 1024, 128 * 1024, 64 * 1024];
/** MBC2 carries 512 half bytes of its own. */
const MBC2_RAM_BYTES = 512;
const HEADER_END = 0x150;
const MIN_ROM_BYTES = 32 * 1024;
const MAX_ROM_CODE = 8;

/**
 * Parses and checks the header against the file it came from.
 * @param path only for messages
 * @throws DataError ROM_SHORT, ROM_CHECKSUM, ROM_MAPPER, ROM_SIZE_CODE, ROM_RAM_CODE, ROM_TRUNCATED, ROM_OVERLONG
 */
export function parseCartridgeHeader(bytes: Uint8Array, path: string): CartridgeHeader {
  if (bytes.byteLength < HEADER_END) {
    throw new DataError(
      'ROM_SHORT',
      `${path} is ${bytes.byteLength} bytes; a Game Boy ROM has at least ${MIN_ROM_BYTES}. Copy the file again.`,
    );
  }
  const checksum = headerChecksum(bytes);
  if (checksum !== bytes[0x14d]) {
    throw new DataError(
      'ROM_CHECKSUM',
      `${path}: header checksum is ${hex(bytes[0x14d]!)}, its header adds up to ${hex(checksum)}. ` +
        'The file is damaged or not a Game Boy ROM.',
    );
  }
  const type = CARTRIDGE_TYPES[bytes[0x147]!];
  if (type === undefined) {
    throw new DataError(
      'ROM_MAPPER',
      `${path} has cartridge type ${hex(bytes[0x147]!)}; this program plays plain ROM, MBC1, MBC2, MBC3 and MBC5.`,
    );
  }
  const romCode = bytes[0x148]!;
  if (romCode > MAX_ROM_CODE) {
    throw new DataError('ROM_SIZE_CODE', `${path} has ROM size code ${hex(romCode)}; known codes are $00 to $08.`);
  }
  const ramCode = bytes[0x149]!;
  const declaredRam = RAM_BYTES[ramCode];
  if (declaredRam === undefined) {
    throw new DataError('ROM_RAM_CODE', `${path} has RAM size code ${hex(ramCode)}; known codes are $00 to $05.`);
  }
  const romBytes = MIN_ROM_BYTES << romCode;
  if (bytes.byteLength !== romBytes) throw wrongLength(path, bytes.byteLength, romBytes);
  return {
    title: readTitle(bytes),
    cgb: bytes[0x143] === 0xc0 ? 'required' : bytes[0x143] === 0x80 ? 'optional' : 'none',
    mapper: type.mapper,
    battery: type.battery === true,
    timer: type.timer === true,
    romBytes,
    ramBytes: type.mapper === 'MBC2' ? MBC2_RAM_BYTES : type.ram === true ? declaredRam : 0,
    version: bytes[0x14c]!,
    headerChecksum: checksum,
    globalChecksum: bytes[0x14e]! * 256 + bytes[0x14f]!,
  };
}

/** $0134..$014C: every byte and one more subtracted from zero, modulo 256. */
export function headerChecksum(bytes: Uint8Array): number {
  let checksum = 0;
  for (let at = 0x134; at <= 0x14c; at++) checksum = (checksum - bytes[at]! - 1) & 0xff;
  return checksum;
}

function readTitle(bytes: Uint8Array): string {
  const cgbFlag = bytes[0x143]! >= 0x80;
  let title = '';
  for (let at = 0x134; at < (cgbFlag ? 0x143 : 0x144); at++) {
    const byte = bytes[at]!;
    if (byte === 0) break;
    title += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '?';
  }
  return title.trim();
}

function wrongLength(path: string, byteLength: number, romBytes: number): DataError {
  const isShort = byteLength < romBytes;
  return new DataError(
    isShort ? 'ROM_TRUNCATED' : 'ROM_OVERLONG',
    `${path} is ${byteLength} bytes; its header declares ${romBytes}. ` +
      (isShort ? 'It is cut short: copy the file again.' : 'Remove what follows the ROM.'),
  );
}

function hex(byte: number): string {
  return `$${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
