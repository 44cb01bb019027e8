import { DataError } from '../../../engine/errors.ts';
import type { MachineState } from '../libretro/capture-format.ts';
import { LibretroButton, openCore } from '../libretro/open-core.ts';
import { stripSavedata } from '../libretro/mgba-state.ts';
import type { CartridgeHeader } from './cartridge-header.ts';
import { coreOptions } from './core-options.ts';
import { MEMORY_IMAGE_BYTES, createMemoryReader } from './memory-image.ts';
import type { MemoryReader } from './memory-image.ts';
import { FRAME_BYTES, createScreenConverter, lcdBlank } from './screen-colours.ts';
import type { LcdPalette } from './screen-colours.ts';

/** One Game Boy, stepped frame by frame. The live arrays change with every call below them. */
export type Emulator = {
  readonly coreName: string;
  readonly sampleRateHz: number;
  /** RGBA of the newest frame, `FRAME_BYTES`. */
  readonly frame: Uint8Array;
  /** Memory image after the newest call, `MEMORY_IMAGE_BYTES`. */
  readonly memory: Uint8Array;
  /** Interleaved stereo of the newest frame, the first `audioFrames() * 2` entries, -1..1. */
  readonly audio: Float32Array;
  audioFrames(): number;
  /** A cold start: factory memory, blank screen. */
  reset(): void;
  /** Runs one frame with `mask` held: bit i is the i-th of up, down, left, right, a, b, start, select. */
  runFrame(mask: number): void;
  /** A copy of the whole machine. Changes nothing, not even the sound that follows. */
  save(): MachineState;
  /** Continues from `state` without running a frame. @throws DataError ENVIRONMENT_STATE; the machine is as before */
  load(state: MachineState): void;
};

/** A frame of sound is about 550 samples; a core may hand over a little more after a load. */
export const MAX_AUDIO_FRAMES = 4096;
/** Libretro joypad bit of each button in port order (spec: session.md 9.4). */
const PORT_BUTTONS = ['up', 'down', 'left', 'right', 'a', 'b', 'start', 'select'] as const;
/** mGBA knows a Game Boy ROM by these four bytes at $0104, the start of the boot picture. */
const KNOWN_HEADER = Uint8Array.of(0xce, 0xed, 0x66, 0x66);
const KNOWN_HEADER_AT = 0x104;

export type OpenEmulatorOptions = {
  readonly corePath: string;
  readonly cartridge: CartridgeHeader & { readonly bytes: Uint8Array };
  readonly palette: LcdPalette;
};

/** @throws DeviceError CORE_LOAD, CORE_LAYOUT; DataError CORE_REFUSED */
export function openEmulator(options: OpenEmulatorOptions): Emulator {
  const { cartridge } = options;
  const frame = new Uint8Array(FRAME_BYTES);
  const frameWords = new Uint32Array(frame.buffer);
  const memory = new Uint8Array(MEMORY_IMAGE_BYTES);
  const audio = new Float32Array(MAX_AUDIO_FRAMES * 2);
  let audioEntries = 0;

  // A cartridge of our own carries no boot picture. The core gets a copy with the four bytes it looks for; the memory
  // image shows the cartridge as it is, and the file is never touched.
  const content = cartridge.bytes.slice();
  const original = content.slice(KNOWN_HEADER_AT, KNOWN_HEADER_AT + KNOWN_HEADER.length);
  content.set(KNOWN_HEADER, KNOWN_HEADER_AT);

  const core = openCore({
    corePath: options.corePath,
    content,
    contentName: 'cartridge.gb',
    coreOptions: coreOptions(cartridge),
    onVideo: (pixels, _widthPx, _heightPx, pitchBytes) => convert(pixels, pitchBytes, frameWords),
    onAudio: (samples) => {
      const take = Math.min(samples.length, audio.length - audioEntries);
      for (let i = 0; i < take; i++) audio[audioEntries + i] = samples[i]! / 32768;
      audioEntries += take;
    },
  });
  const blankWord = lcdBlank(options.palette);
  let reader: MemoryReader | null = null;

  const readMemory = (): void => {
    if (reader === null) return;
    reader.readInto(memory);
    if (reader.romLowOffset() === 0) memory.set(original, KNOWN_HEADER_AT);
  };
  /** A cold start with `ram` in the cartridge; null is erased RAM, which a load leaves. */
  const reload = (ram: Uint8Array | null): void => {
    core.loadGame();
    if (ram !== null) core.saveRam()?.set(ram);
    core.serialize(); // the core puts cartridge RAM in place at its first call after a load, not at the load
    reader = createMemoryReader(core, cartridge);
    audioEntries = 0;
  };
  const install = (state: MachineState): boolean => {
    reload(state.ram);
    if (!core.unserialize(state.core)) return false;
    frame.set(state.frame);
    readMemory();
    return true;
  };
  const save = (): MachineState => ({
    core: stripSavedata(core.serialize(), 'gb'),
    ram: core.saveRam()?.slice() ?? new Uint8Array(0),
    frame: frame.slice(),
  });

  reload(null);
  const convert = createScreenConverter(core.pixelFormat, cartridge.cgb === 'required' ? null : options.palette);

  return {
    coreName: `${core.name} ${core.version}`,
    sampleRateHz: core.sampleRateHz,
    frame,
    memory,
    audio,
    audioFrames: () => audioEntries >> 1,
    reset() {
      reload(null);
      frameWords.fill(blankWord);
      readMemory();
    },
    runFrame(mask) {
      audioEntries = 0;
      core.runFrame(toLibretroButtons(mask));
      readMemory();
    },
    save,
    load(state) {
      const ramBytes = core.saveRam()?.byteLength ?? 0;
      const before = save();
      const fits =
        state.core.byteLength === before.core.byteLength &&
        state.ram.byteLength === ramBytes &&
        state.frame.byteLength === FRAME_BYTES;
      if (fits && install(state)) return;
      if (fits) install(before);
      throw new DataError(
        'ENVIRONMENT_STATE',
        `a state of ${state.core.byteLength} + ${state.ram.byteLength} bytes does not fit this cartridge and core ` +
          `(${before.core.byteLength} + ${ramBytes}); take an older checkpoint.`,
      );
    },
  };
}

function toLibretroButtons(mask: number): number {
  let buttons = 0;
  for (let i = 0; i < PORT_BUTTONS.length; i++) {
    if ((mask >> i) & 1) buttons |= 1 << LibretroButton[PORT_BUTTONS[i]!];
  }
  return buttons;
}
