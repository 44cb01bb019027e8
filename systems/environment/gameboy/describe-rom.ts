import { isFlyError } from '../../../engine/errors.ts';
import { sha256Hex } from '../../../engine/identity/digest.ts';
import type { Mapper } from './cartridge-header.ts';
import { parseCartridge, readRomFile } from './read-cartridge.ts';
import { recogniseFile } from './recognise-file.ts';

/** What a file is, as plain data for `fly rom FILE`. */
export type RomDescription = {
  readonly path: string;
  readonly fileBytes: number;
  /** SHA-256 of the file; null when it is too large to be a cartridge. */
  readonly sha256: string | null;
  /** What it looks like; null is unknown. */
  readonly looksLike: string | null;
  /** Set when it is a Game Boy cartridge that this program plays. */
  readonly cartridge: RomFacts | null;
  /** Why it is not played; null when it is. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
  readonly warnings: readonly string[];
};

export type RomFacts = {
  readonly title: string;
  readonly platform: 'gb';
  readonly colour: 'none' | 'optional' | 'required';
  readonly mapper: Mapper;
  readonly battery: boolean;
  readonly timer: boolean;
  readonly romBytes: number;
  readonly ramBytes: number;
  readonly version: number;
};

/** @throws DataError ROM_UNREADABLE; everything that can be read is described, played or not */
export async function describeRom(path: string): Promise<RomDescription> {
  const file = await readRomFile(path);
  const isWhole = file.bytes.byteLength === file.fileBytes;
  const common = {
    path,
    fileBytes: file.fileBytes,
    sha256: isWhole ? sha256Hex(file.bytes) : null,
    looksLike: recogniseFile(file.bytes),
  };
  try {
    const { title, cgb, mapper, battery, timer, romBytes, ramBytes, version, warnings } = parseCartridge(file, path);
    const cartridge: RomFacts = {
      title,
      platform: 'gb',
      colour: cgb,
      mapper,
      battery,
      timer,
      romBytes,
      ramBytes,
      version,
    };
    return { ...common, cartridge, refusal: null, warnings };
  } catch (error) {
    if (!isFlyError(error)) throw error;
    return { ...common, cartridge: null, refusal: { code: error.code, message: error.message }, warnings: [] };
  }
}
