import { open } from 'node:fs/promises';
import { DataError } from '../../../engine/errors.ts';
import { sha256Hex } from '../../../engine/identity/digest.ts';
import { parseCartridgeHeader } from './cartridge-header.ts';
import type { CartridgeHeader } from './cartridge-header.ts';
import { recogniseFile } from './recognise-file.ts';

/** A Game Boy cartridge whose header holds what the file holds. */
export type Cartridge = CartridgeHeader & {
  readonly platform: 'gb';
  /** SHA-256 of the whole file, lowercase hex: the identity of the cartridge. */
  readonly sha256: string;
  /** The whole file. Never modified. */
  readonly bytes: Uint8Array;
  /** Facts worth a line to the operator; none of them stops the game. */
  readonly warnings: readonly string[];
};

/** Largest ROM a Game Boy cartridge header can declare (size code 8). */
const MAX_ROM_BYTES = 8 * 1024 * 1024;

/**
 * Reads and validates a cartridge before any emulator sees it: a damaged header can crash a native core.
 * @throws DataError ROM_UNREADABLE, ROM_EMPTY, ROM_TOO_LARGE, ROM_PLATFORM, ROM_SHORT, ROM_CHECKSUM, ROM_MAPPER,
 * ROM_SIZE_CODE, ROM_RAM_CODE, ROM_TRUNCATED, ROM_OVERLONG
 */
export async function readCartridge(path: string): Promise<Cartridge> {
  return parseCartridge(await readRomFile(path), path);
}

/** @param path only for messages. @throws DataError as `readCartridge`, but ROM_UNREADABLE */
export function parseCartridge({ bytes, fileBytes }: RomFile, path: string): Cartridge {
  if (fileBytes === 0) throw new DataError('ROM_EMPTY', `${path} is empty. Copy the ROM file again.`);
  const looksLike = recogniseFile(bytes);
  if (looksLike !== null && looksLike !== 'Game Boy ROM') {
    throw new DataError('ROM_PLATFORM', `${path} looks like a ${looksLike}. Point the show at a Game Boy ROM (.gb).`);
  }
  if (fileBytes > MAX_ROM_BYTES) {
    throw new DataError(
      'ROM_TOO_LARGE',
      `${path} is ${fileBytes} bytes; the largest Game Boy cartridge has ${MAX_ROM_BYTES}. ` +
        'Point the show at a Game Boy ROM (.gb).',
    );
  }
  const header = parseCartridgeHeader(bytes, path);
  const warnings: string[] = [];
  if (globalChecksum(bytes) !== header.globalChecksum) {
    warnings.push(`${path}: its global checksum disagrees with its header; the file may be modified or damaged.`);
  }
  return { ...header, platform: 'gb', sha256: sha256Hex(bytes), bytes, warnings };
}

/** A file that may be a cartridge. `bytes` is only its start when it is larger than any cartridge. */
export type RomFile = { readonly bytes: Uint8Array; readonly fileBytes: number };

/** Never loads a disc image whole. @throws DataError ROM_UNREADABLE */
export async function readRomFile(path: string): Promise<RomFile> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    if (size <= MAX_ROM_BYTES) {
      const bytes = new Uint8Array(await file.readFile());
      return { bytes, fileBytes: bytes.byteLength };
    }
    const bytes = new Uint8Array(RECOGNISED_BYTES);
    await file.read(bytes, 0, bytes.byteLength, 0);
    return { bytes, fileBytes: size };
  } catch (cause) {
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? String(cause);
    throw new DataError('ROM_UNREADABLE', `${path} cannot be read: ${reason}. Check the path and its permissions.`, {
      cause,
    });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission is denied',
  EISDIR: 'it is a folder',
};
/** Enough for every signature of `recogniseFile`; the furthest is a SNES header behind a copier header. */
const RECOGNISED_BYTES = 0x10400;

/** Sum of all bytes but its own two, modulo 65,536 ($014E, big-endian). */
function globalChecksum(bytes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i++) sum += bytes[i]!;
  return (sum - bytes[0x14e]! - bytes[0x14f]!) & 0xffff;
}
