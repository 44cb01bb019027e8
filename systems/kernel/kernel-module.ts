import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DeviceError } from '../../engine/errors.ts';

/** What the compiled kernel exports. Every function takes the address of a fly's state block. */
export type KernelExports = {
  readonly flyBytes: () => number;
  readonly advance: (fly: number, ticks: number) => number;
  readonly reinforce: (fly: number, reward: number) => void;
  readonly clearEligibility: (fly: number) => void;
  readonly fillTables: (fly: number) => void;
  readonly exportRefractory: (fly: number) => void;
  readonly importRefractory: (fly: number) => void;
  readonly exp: (x: number) => number;
  readonly tanh: (x: number) => number;
};

let compiled: WebAssembly.Module | null = null;

/**
 * The committed kernel, compiled once per process.
 * @throws DeviceError KERNEL_MODULE when the file is missing or this runtime cannot compile it
 */
export function loadKernelModule(): WebAssembly.Module {
  compiled ??= compile(fileURLToPath(new URL('../../assets/kernel/lif.wasm', import.meta.url)));
  return compiled;
}

/** One instance over a shared memory. Instances hold no state, so any number may share it. */
export function openKernelInstance(module: WebAssembly.Module, memory: WebAssembly.Memory): KernelExports {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as KernelExports;
}

function compile(path: string): WebAssembly.Module {
  try {
    return new WebAssembly.Module(readFileSync(path));
  } catch (cause) {
    throw new DeviceError('KERNEL_MODULE', `${path} does not compile here; restore it from the repository.`, { cause });
  }
}
