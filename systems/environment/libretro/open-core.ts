import { dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import koffi from 'koffi';
import type { LibraryHandle, TypeObject } from 'koffi';
import { DataError, DeviceError } from '../../../engine/errors.ts';
import { createEnvironmentCalls } from './environment-calls.ts';
import type { MemoryRegion, PixelFormat } from './environment-calls.ts';

/**
 * One libretro core with one game in it. Cores keep their state in globals: open one per process.
 * Nothing here is safe to call from inside a sink.
 */
export type LibretroCore = {
  readonly name: string;
  readonly version: string;
  /** Known once a game is loaded. */
  readonly pixelFormat: PixelFormat;
  readonly sampleRateHz: number;
  /** Declared by the core for the loaded game; addresses are the core's own memory and stay valid until `loadGame`. */
  readonly regions: readonly MemoryRegion[];
  /** Loads or reloads the game: a cold start. @throws DataError CORE_REFUSED */
  loadGame(): void;
  /** Runs exactly one frame with `buttons` held (bit = libretro joypad id); the sinks are called inside. */
  runFrame(buttons: number): void;
  /** A copy of the core's own save state. @throws DeviceError CORE_FAULT */
  serialize(): Uint8Array;
  /** Takes a save state back; false when the core refuses it. */
  unserialize(state: Uint8Array): boolean;
  /** Battery or work RAM of the cartridge, live; null when it has none. */
  saveRam(): Uint8Array | null;
  /** `length` bytes of the process's memory, live. The caller knows that they exist. */
  memoryAt(address: bigint, length: number): Uint8Array<ArrayBuffer>;
};

export type OpenCoreOptions = {
  readonly corePath: string;
  readonly content: Uint8Array;
  /** Its extension tells the core which console the game belongs to. */
  readonly contentName: string;
  readonly coreOptions: Readonly<Record<string, string>>;
  /** One picture: the core's own pixels, `pitchBytes` a row. Valid only inside the call. */
  readonly onVideo: (pixels: Uint8Array<ArrayBuffer>, widthPx: number, heightPx: number, pitchBytes: number) => void;
  /** Interleaved stereo samples. Valid only inside the call. */
  readonly onAudio: (samples: Int16Array) => void;
};

/** Joypad identifiers of the libretro interface: the bit each button has in `runFrame`. */
export const LibretroButton = {
  b: 0,
  y: 1,
  select: 2,
  start: 3,
  up: 4,
  down: 5,
  left: 6,
  right: 7,
  a: 8,
  x: 9,
  l: 10,
  r: 11,
} as const;

const LIBRETRO_API_VERSION = 1;
const JOYPAD_DEVICE = 1;
const JOYPAD_MASK_ID = 256;
const SAVE_RAM_ID = 0;

/** Starts the core; `loadGame` comes next. @throws DeviceError CORE_LOAD when the file is no libretro core */
export function openCore(options: OpenCoreOptions): LibretroCore {
  const library = loadLibrary(options.corePath);
  const run = library.func('void retro_run()');
  const serializeSize = library.func('size_t retro_serialize_size()');
  const serializeInto = library.func('bool retro_serialize(void *data, size_t size)');
  const unserializeFrom = library.func('bool retro_unserialize(const void *data, size_t size)');
  const memoryData = library.func('void *retro_get_memory_data(unsigned int id)');
  const memorySize = library.func('size_t retro_get_memory_size(unsigned int id)');
  const unload = library.func('void retro_unload_game()');
  const load = library.func('retro_load_game', 'bool', [koffi.pointer(GameInfo)]);

  const calls = createEnvironmentCalls(options.coreOptions);
  let buttons = 0;
  let loaded = false;
  let sampleRateHz = 0;

  let videoAddress: unknown = null;
  let videoView = new Uint8Array(0);
  const onVideo = (data: unknown, widthPx: number, heightPx: number, pitchBytes: number): void => {
    if (data === null) return; // the core repeats its last picture
    const byteLength = pitchBytes * heightPx;
    if (data !== videoAddress || videoView.byteLength !== byteLength) {
      videoAddress = data;
      videoView = new Uint8Array(koffi.view(data, byteLength));
    }
    options.onVideo(videoView, widthPx, heightPx, pitchBytes);
  };
  let audioAddress: unknown = null;
  let audioView = new Int16Array(0);
  const onAudioBatch = (data: unknown, frames: number): number => {
    if (data !== audioAddress || audioView.length !== frames * 2) {
      audioAddress = data;
      audioView = new Int16Array(koffi.view(data, frames * 4));
    }
    options.onAudio(audioView);
    return frames;
  };
  const onSample = (left: number, right: number): void => options.onAudio(Int16Array.of(left, right));
  const onState = (port: number, device: number, _index: number, id: number): number => {
    if (port !== 0 || device !== JOYPAD_DEVICE) return 0;
    return id === JOYPAD_MASK_ID ? buttons : (buttons >> id) & 1;
  };

  const install = (name: string, type: TypeObject, callback: (...values: never[]) => unknown): void => {
    const pointer = koffi.pointer(type);
    library.func(name, 'void', [pointer])(koffi.register(callback, pointer));
  };
  install('retro_set_environment', EnvironmentCallback, calls.handle);
  library.func('void retro_init()')();
  install('retro_set_video_refresh', VideoCallback, onVideo);
  install('retro_set_audio_sample', SampleCallback, onSample);
  install('retro_set_audio_sample_batch', SampleBatchCallback, onAudioBatch);
  install('retro_set_input_poll', PollCallback, () => undefined);
  install('retro_set_input_state', StateCallback, onState);

  const info: Record<string, unknown> = {};
  library.func('retro_get_system_info', 'void', [koffi.out(koffi.pointer(SystemInfo))])(info);
  const content: unknown = koffi.alloc('uint8_t', options.content.byteLength);
  new Uint8Array(koffi.view(content, options.content.byteLength)).set(options.content);

  const loadGame = (): void => {
    if (loaded) unload();
    loaded = false;
    videoAddress = null;
    audioAddress = null;
    calls.beginGame();
    const game = { path: options.contentName, data: content, size: options.content.byteLength, meta: null };
    if (load(game) !== true) {
      throw new DataError('CORE_REFUSED', `${options.contentName}: ${String(info.name)} refused this cartridge.`);
    }
    loaded = true;
    const timing: Record<string, unknown> = {};
    library.func('retro_get_system_av_info', 'void', [koffi.out(koffi.pointer(SystemTiming))])(timing);
    sampleRateHz = Number(timing.sampleRate);
    library.func('void retro_set_controller_port_device(unsigned int port, unsigned int device)')(0, JOYPAD_DEVICE);
  };

  return {
    name: String(info.name),
    version: String(info.version),
    get pixelFormat() {
      return calls.pixelFormat();
    },
    get sampleRateHz() {
      return sampleRateHz;
    },
    get regions() {
      return calls.regions();
    },
    loadGame,
    runFrame(held) {
      buttons = held;
      run();
    },
    serialize() {
      const state = new Uint8Array(Number(serializeSize()));
      if (serializeInto(state, state.byteLength) === true) return state;
      throw new DeviceError('CORE_FAULT', `${String(info.name)} wrote no save state; restart the emulator.`);
    },
    unserialize: (state) => unserializeFrom(state, state.byteLength) === true,
    saveRam() {
      const size = Number(memorySize(SAVE_RAM_ID));
      const data: unknown = size === 0 ? null : memoryData(SAVE_RAM_ID);
      return data === null ? null : new Uint8Array(koffi.view(data, size));
    },
    memoryAt: (address, length) => new Uint8Array(koffi.view(address, length)),
  };
}

const EnvironmentCallback = koffi.proto('bool', ['unsigned int', 'void *']);
const VideoCallback = koffi.proto('void', ['void *', 'unsigned int', 'unsigned int', 'size_t']);
const SampleCallback = koffi.proto('void', ['int16_t', 'int16_t']);
const SampleBatchCallback = koffi.proto('size_t', ['void *', 'size_t']);
const PollCallback = koffi.proto('void', []);
const StateCallback = koffi.proto('int16_t', ['unsigned int', 'unsigned int', 'unsigned int', 'unsigned int']);
const GameInfo = koffi.struct({ path: 'const char *', data: 'void *', size: 'size_t', meta: 'const char *' });
const SystemInfo = koffi.struct({
  name: 'const char *',
  version: 'const char *',
  extensions: 'const char *',
  needFullPath: 'bool',
  blockExtract: 'bool',
});
const SystemTiming = koffi.struct({
  baseWidth: 'unsigned int',
  baseHeight: 'unsigned int',
  maxWidth: 'unsigned int',
  maxHeight: 'unsigned int',
  aspect: 'float',
  fps: 'double',
  sampleRate: 'double',
});

/**
 * A core unpacked from a package does not find its companion library by itself: loading the companion first, by path,
 * satisfies the dynamic linker, for it compares names of loaded libraries.
 */
function loadLibrary(corePath: string): LibraryHandle {
  try {
    for (const companion of companionPaths(corePath)) koffi.load(companion, { global: true });
    const library = koffi.load(corePath);
    const version: unknown = library.func('unsigned int retro_api_version()')();
    if (version === LIBRETRO_API_VERSION) return library;
    throw new Error(`it speaks version ${String(version)} of the interface, not ${LIBRETRO_API_VERSION}`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DeviceError('CORE_LOAD', `${corePath} does not load as a libretro core: ${reason}`, { cause });
  }
}

/** Debian keeps cores in `<libraries>/libretro` and what they link to in `<libraries>`. */
function companionPaths(corePath: string): readonly string[] {
  const beside = join(dirname(dirname(corePath)), 'libinih.so.1');
  return existsSync(beside) ? [beside] : [];
}
