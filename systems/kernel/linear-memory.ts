import { DeviceError } from '../../engine/errors.ts';

const PAGE_BYTES = 65_536;
/** 1 GiB: the most the kernel may grow to. Address space only; pages cost memory once they are written. */
const MAXIMUM_PAGES = 16_384;
/** A cache line, so that neighbouring arrays share none. */
const ALIGNMENT = 64;

/** Blocks of one shared WebAssembly memory. Blocks come zeroed; a released one serves the next request of its size. */
export type LinearMemory = {
  readonly memory: WebAssembly.Memory;
  /** The buffer as it is now; views over an older one stay valid. */
  readonly buffer: () => SharedArrayBuffer;
  /** @returns address of `bytes` zeroed bytes; @throws DeviceError KERNEL_MEMORY */
  allocate(bytes: number): number;
  release(address: number, bytes: number): void;
  usedBytes(): number;
};

export function createLinearMemory(expectedBytes: number): LinearMemory {
  const pages = Math.min(MAXIMUM_PAGES, Math.ceil(expectedBytes / PAGE_BYTES) + 1);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: MAXIMUM_PAGES, shared: true });
  const released = new Map<number, number[]>();
  // address 0 stays unused, so that an address that was never set is seen as such
  let top = ALIGNMENT;

  const buffer = (): SharedArrayBuffer => memory.buffer;

  function allocate(bytes: number): number {
    const again = released.get(bytes)?.pop();
    if (again !== undefined) {
      new Uint8Array(buffer(), again, bytes).fill(0);
      return again;
    }
    const address = top;
    const end = address + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    const missing = Math.ceil((end - buffer().byteLength) / PAGE_BYTES);
    if (missing > 0) grow(missing, bytes);
    top = end;
    return address;
  }

  function grow(missingPages: number, bytes: number): void {
    try {
      memory.grow(missingPages);
    } catch (cause) {
      throw new DeviceError(
        'KERNEL_MEMORY',
        `the kernel memory of ${top} bytes cannot take ${bytes} more; run fewer flies on one connectome.`,
        { cause },
      );
    }
  }

  function release(address: number, bytes: number): void {
    const list = released.get(bytes);
    if (list) list.push(address);
    else released.set(bytes, [address]);
  }

  return { memory, buffer, allocate, release, usedBytes: () => top };
}

/** Cuts one allocation into arrays: sizes first, addresses once the block is there. */
export type ArrayPlan<Name extends string> = { readonly bytes: number; address(base: number, name: Name): number };

export function planArrays<Name extends string>(sizes: Readonly<Record<Name, number>>): ArrayPlan<Name> {
  const offsets = new Map<Name, number>();
  let bytes = 0;
  for (const name of Object.keys(sizes) as Name[]) {
    offsets.set(name, bytes);
    bytes += Math.ceil(sizes[name] / ALIGNMENT) * ALIGNMENT;
  }
  return { bytes, address: (base, name) => base + offsets.get(name)! };
}
