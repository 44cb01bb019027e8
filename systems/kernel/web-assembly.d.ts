/** The part of the WebAssembly API the kernel uses; the compiler's library has it only among the browser types. */
declare namespace WebAssembly {
  type Module = {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  };
  type Memory = {
    readonly buffer: SharedArrayBuffer;
    grow(pages: number): number;
  };
  type Instance = {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const Module: new (bytes: Uint8Array) => Module;
  const Memory: new (descriptor: { initial: number; maximum: number; shared: boolean }) => Memory;
  const Instance: new (module: Module, imports: Record<string, Record<string, Memory>>) => Instance;
}
