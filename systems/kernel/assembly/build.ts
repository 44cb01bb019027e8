import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

/** Where the compiled kernel is committed; a test recompiles it and compares bytes. */
export const KERNEL_PATH: string = fileURLToPath(new URL('../../../assets/kernel/lif.wasm', import.meta.url));

/** The kernel's WebAssembly, compiled from this folder. The same sources give the same bytes. */
export async function compileKernel(): Promise<Uint8Array> {
  let binary: Uint8Array | null = null;
  const { error, stderr } = await asc.main(
    [
      'kernel.ts',
      ...['--outFile', 'lif.wasm'],
      ...['--runtime', 'stub', '-O3', '--noAssert', '--converge'],
      ...['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '32768'],
      ...['--enable', 'simd', '--enable', 'threads', '--enable', 'bulk-memory'],
    ],
    {
      readFile: async (name) => {
        try {
          return await readFile(new URL(name, import.meta.url), 'utf8');
        } catch {
          return null; // the compiler asks for candidates that need not exist
        }
      },
      writeFile: (_name, contents) => {
        if (typeof contents !== 'string') binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error || binary === null) throw new Error(`asc refused the kernel: ${stderr.toString()}`, { cause: error });
  return binary;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const binary = await compileKernel();
  await writeFile(KERNEL_PATH, binary);
  process.stdout.write(`${KERNEL_PATH}: ${binary.length} bytes\n`);
}
