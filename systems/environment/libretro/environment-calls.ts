import koffi from 'koffi';

/** One range of the console's address space and the core's own bytes behind it. */
export type MemoryRegion = {
  /** First address in the console's address space. */
  readonly start: number;
  readonly length: number;
  /** Where the bytes are in this process. */
  readonly address: bigint;
};

export type PixelFormat = 'rgb565' | 'xrgb8888' | 'rgb1555';

/** What a core asks of and tells its front end through its one environment callback. */
export type EnvironmentCalls = {
  /** The callback itself: command number, pointer to its argument; true when it was answered. */
  handle(command: number, data: unknown): boolean;
  pixelFormat(): PixelFormat;
  regions(): readonly MemoryRegion[];
  /**
   * Forgets the last game's regions, and tells the core at its first frame that options changed: mGBA reads
   * `mgba_allow_opposing_directions` at no other time.
   */
  beginGame(): void;
};

/** Command numbers of the libretro interface, without their private and experimental bits. */
const Command = {
  GetCanDupe: 3,
  GetSystemDirectory: 9,
  SetPixelFormat: 10,
  GetVariable: 15,
  GetVariableUpdate: 17,
  GetSaveDirectory: 31,
  SetSystemAvInfo: 32,
  SetMemoryMaps: 36,
  SetGeometry: 37,
  GetAudioVideoEnable: 47,
  GetInputBitmasks: 51,
  GetCoreOptionsVersion: 52,
} as const;

const PIXEL_FORMATS: readonly PixelFormat[] = ['rgb1555', 'xrgb8888', 'rgb565'];
/** A folder that can hold no file: no boot ROM and no save file is ever picked up from the machine. */
const NO_FOLDER = '/dev/null';
const ENABLE_VIDEO_AND_AUDIO = 3;

const MemoryDescriptor = koffi.struct({
  flags: 'uint64_t',
  address: 'void *',
  offset: 'size_t',
  start: 'size_t',
  select: 'size_t',
  disconnect: 'size_t',
  length: 'size_t',
  space: 'void *',
});
const MemoryMap = koffi.struct({ descriptors: 'void *', count: 'unsigned int' });

/**
 * Answers with `coreOptions` and nothing else: an option without an entry has the core's built-in default. The log
 * interface is refused, which keeps the core silent.
 */
export function createEnvironmentCalls(coreOptions: Readonly<Record<string, string>>): EnvironmentCalls {
  const values = new Map(Object.entries(coreOptions).map(([key, value]) => [key, nativeString(value)]));
  const noFolder = nativeString(NO_FOLDER);
  let pixelFormat: PixelFormat = 'rgb1555';
  let regions: MemoryRegion[] = [];
  let areOptionsNews = true;
  return {
    handle(command, data) {
      switch (command & 0xffff) {
        case Command.SetPixelFormat:
          pixelFormat = PIXEL_FORMATS[Number(koffi.decode(data, 'int'))] ?? 'rgb1555';
          return true;
        case Command.GetSystemDirectory:
        case Command.GetSaveDirectory:
          koffi.encode(data, 'void *', noFolder);
          return true;
        case Command.GetVariable: {
          const key = String(koffi.decode(koffi.decode(data, 'void *'), 'char', -1));
          const value = values.get(key) ?? null;
          koffi.encode(data, 8, 'void *', value);
          return value !== null;
        }
        case Command.GetVariableUpdate:
          koffi.encode(data, 'bool', areOptionsNews);
          areOptionsNews = false;
          return true;
        case Command.GetCoreOptionsVersion:
          koffi.encode(data, 'unsigned int', 0);
          return true;
        case Command.GetCanDupe:
          koffi.encode(data, 'bool', true);
          return true;
        case Command.GetAudioVideoEnable:
          koffi.encode(data, 'int', ENABLE_VIDEO_AND_AUDIO);
          return true;
        case Command.SetMemoryMaps:
          regions = decodeRegions(data);
          return true;
        case Command.SetGeometry:
        case Command.SetSystemAvInfo:
        case Command.GetInputBitmasks:
          return true;
        default:
          return false;
      }
    },
    pixelFormat: () => pixelFormat,
    regions: () => regions,
    beginGame: () => {
      regions = [];
      areOptionsNews = true;
    },
  };
}

function decodeRegions(data: unknown): MemoryRegion[] {
  const map = koffi.decode(data, MemoryMap) as { descriptors: unknown; count: number };
  const size = koffi.sizeof(MemoryDescriptor);
  const regions: MemoryRegion[] = [];
  for (let i = 0; i < map.count; i++) {
    const descriptor = koffi.decode(map.descriptors, i * size, MemoryDescriptor) as Record<string, unknown>;
    if (descriptor.address === null) continue;
    regions.push({
      start: Number(descriptor.start),
      length: Number(descriptor.length),
      address: koffi.address(descriptor.address) + BigInt(descriptor.offset as number),
    });
  }
  return regions;
}

/** A C string that lives as long as the process, as the core may keep the pointer. */
function nativeString(text: string): unknown {
  const bytes = Buffer.from(`${text}\0`);
  const memory: unknown = koffi.alloc('uint8_t', bytes.byteLength);
  new Uint8Array(koffi.view(memory, bytes.byteLength)).set(bytes);
  return memory;
}
