import { headerChecksum } from './cartridge-header.ts';

/** What a file looks like from its first bytes, for a message an operator understands. Null is unknown. */
export type RecognisedFile =
  | 'Game Boy ROM'
  | 'Game Boy Advance ROM'
  | 'NES ROM'
  | 'SNES ROM'
  | 'Nintendo 64 ROM'
  | 'GameCube disc image'
  | 'Wii disc image'
  | 'GameCube program'
  | 'ZIP archive'
  | 'gzip archive'
  | '7-Zip archive'
  | 'RAR archive'
  | 'PDF document'
  | 'web page'
  | 'program for this computer';

type Signature = { readonly kind: RecognisedFile; readonly at: number; readonly bytes: readonly number[] };

/** Magic numbers of the formats' own public documentation. */
const SIGNATURES: readonly Signature[] = [
  { kind: 'ZIP archive', at: 0, bytes: [0x50, 0x4b, 0x03, 0x04] },
  { kind: 'gzip archive', at: 0, bytes: [0x1f, 0x8b, 0x08] },
  { kind: '7-Zip archive', at: 0, bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { kind: 'RAR archive', at: 0, bytes: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07] },
  { kind: 'NES ROM', at: 0, bytes: [0x4e, 0x45, 0x53, 0x1a] },
  { kind: 'Nintendo 64 ROM', at: 0, bytes: [0x80, 0x37, 0x12, 0x40] },
  { kind: 'Nintendo 64 ROM', at: 0, bytes: [0x37, 0x80, 0x40, 0x12] },
  { kind: 'Nintendo 64 ROM', at: 0, bytes: [0x40, 0x12, 0x37, 0x80] },
  { kind: 'GameCube disc image', at: 0x1c, bytes: [0xc2, 0x33, 0x9f, 0x3d] },
  { kind: 'Wii disc image', at: 0x18, bytes: [0x5d, 0x1c, 0x9e, 0xa3] },
  { kind: 'PDF document', at: 0, bytes: [0x25, 0x50, 0x44, 0x46] },
  { kind: 'program for this computer', at: 0, bytes: [0x7f, 0x45, 0x4c, 0x46] },
];

export function recogniseFile(bytes: Uint8Array): RecognisedFile | null {
  for (const { kind, at, bytes: magic } of SIGNATURES) {
    if (magic.every((byte, i) => bytes[at + i] === byte)) return kind;
  }
  if (isGbaHeader(bytes)) return 'Game Boy Advance ROM';
  if (isGameBoyHeader(bytes)) return 'Game Boy ROM';
  if (isSnesHeader(bytes, 0x7fc0) || isSnesHeader(bytes, 0xffc0)) return 'SNES ROM';
  if (isSnesHeader(bytes, 0x81c0) || isSnesHeader(bytes, 0x101c0)) return 'SNES ROM'; // behind a 512-byte copier header
  if (isDolHeader(bytes)) return 'GameCube program';
  const start = String.fromCharCode(...bytes.subarray(0, 64)).toLowerCase();
  return start.includes('<html') || start.includes('<!doctype') ? 'web page' : null;
}

function isGameBoyHeader(bytes: Uint8Array): boolean {
  return bytes.byteLength >= 0x150 && headerChecksum(bytes) === bytes[0x14d];
}

/** $B2 is the fixed byte $96; $BD complements $A0..$BC. */
function isGbaHeader(bytes: Uint8Array): boolean {
  if (bytes.byteLength < 0xc0 || bytes[0xb2] !== 0x96) return false;
  let checksum = 0;
  for (let at = 0xa0; at <= 0xbc; at++) checksum = (checksum - bytes[at]!) & 0xff;
  return ((checksum - 0x19) & 0xff) === bytes[0xbd];
}

/** Checksum and its complement at +$1C, and a plausible map mode. */
function isSnesHeader(bytes: Uint8Array, at: number): boolean {
  if (bytes.byteLength < at + 0x40 || (bytes[at + 0x15]! & 0xe0) !== 0x20) return false;
  const complement = bytes[at + 0x1c]! | (bytes[at + 0x1d]! << 8);
  const checksum = bytes[at + 0x1e]! | (bytes[at + 0x1f]! << 8);
  return (checksum ^ complement) === 0xffff;
}

/** A DOL starts with the file offset of its first code section, $100 behind its header, and loads at $80000000 up. */
function isDolHeader(bytes: Uint8Array): boolean {
  if (bytes.byteLength < 0x100) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 0x100);
  const loadsHigh = view.getUint32(0x48) >>> 24 === 0x80 && view.getUint32(0xe0) >>> 24 === 0x80;
  return view.getUint32(0) === 0x100 && loadsHigh;
}
