import { DeviceError } from '../../../engine/errors.ts';

/** Bytes of mGBA 0.10's fixed state structure per console; tagged extra blocks follow it. */
const FIXED_STATE_BYTES = { gb: 0x11800, gba: 0x61000 } as const;
/** `tag u32, size i32, offset i64`, little-endian; a zero tag ends the list. */
const BLOCK_HEADER_BYTES = 16;
const SAVEDATA_TAG = 2;
const VERSION_MASK = 0xffff0000;
const VERSION_MAGIC = { gb: 0x00400000, gba: 0x01000000 } as const;

/**
 * A copy of an mGBA save state without its cartridge RAM block. A state that carries the block makes mGBA shadow the
 * live RAM, which then no longer changes; the RAM travels beside the state instead.
 * @throws DeviceError CORE_STATE when it is not a state of the known form
 */
export function stripSavedata(state: Uint8Array, console: 'gb' | 'gba'): Uint8Array {
  const fixedBytes = FIXED_STATE_BYTES[console];
  const source = new DataView(state.buffer, state.byteOffset, state.byteLength);
  const magic = state.byteLength < fixedBytes ? 0 : source.getUint32(0, true) & VERSION_MASK;
  if (magic !== VERSION_MAGIC[console]) {
    throw new DeviceError(
      'CORE_STATE',
      `the core wrote a save state of ${state.byteLength} bytes in an unknown form; use mGBA 0.10 (libretro-mgba).`,
    );
  }
  const out = state.slice();
  let written = fixedBytes;
  let read = fixedBytes;
  for (; read + BLOCK_HEADER_BYTES <= state.byteLength; read += BLOCK_HEADER_BYTES) {
    const tag = source.getUint32(read, true);
    if (tag === 0) break;
    if (tag === SAVEDATA_TAG) continue;
    out.copyWithin(written, read, read + BLOCK_HEADER_BYTES);
    written += BLOCK_HEADER_BYTES;
  }
  out.fill(0, written, read);
  return out;
}
