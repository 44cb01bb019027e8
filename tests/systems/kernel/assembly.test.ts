import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KERNEL_PATH, compileKernel } from '../../../systems/kernel/assembly/build.ts';
import { FLOAT_FIELDS, FLY_BLOCK_BYTES, WORD_FIELDS } from '../../../systems/kernel/fly-block.ts';
import { loadKernelModule, openKernelInstance } from '../../../systems/kernel/kernel-module.ts';
import { createLinearMemory } from '../../../systems/kernel/linear-memory.ts';
import { sha256 } from './test-kernels.ts';

const { exp, tanh, flyBytes } = openKernelInstance(loadKernelModule(), createLinearMemory(0).memory);

test('the committed kernel is what its sources compile to', async () => {
  const committed = await readFile(KERNEL_PATH);
  expect(Buffer.compare(committed, await compileKernel())).toBe(0);
});

test('the state block has the same fields on both sides', async () => {
  const source = await readFile(new URL('../../../systems/kernel/assembly/fly.ts', import.meta.url), 'utf8');
  const fields = [...source.matchAll(/^ {2}(\w+): (f64|u32|i32);/gm)].map(([, name, type]) => [name, type === 'f64']);
  expect(fields).toEqual([...FLOAT_FIELDS.map((name) => [name, true]), ...WORD_FIELDS.map((name) => [name, false])]);
  expect(flyBytes()).toBe(FLY_BLOCK_BYTES);
});

test('the trace exponential of every gap up to 2,000,000 ms (spec: brain.md 4.10)', () => {
  const values = Float64Array.from({ length: 2_000_001 }, (_, k) => exp(-k / 5_000));
  expect(sha256(values)).toBe('13ce10728f12b946310b23ec6aed97d7089c27fac69782d3c7f1524e26434608');
});

test('the pair exponential of 1 to 100 ms (spec: brain.md 4.10)', () => {
  const values = Float64Array.from({ length: 100 }, (_, k) => exp(-(k + 1) / 20));
  expect(sha256(values)).toBe('8ad2afd2df2d6ef6ba1c3a3f287d0850e4c62df9355ea09b59a6e24883c856d5');
});

test.each([
  [0.05, 0.04995837495787998],
  [0.1, 0.09966799462495582],
  [0.2, 0.197375320224904],
  [0.5, 0.46211715726000974],
  [1, 0.7615941559557649],
  [2, 0.9640275800758169],
  [3, 0.9950547536867305],
])('tanh %d is %d (spec: brain.md 4.10)', (x, expected) => {
  expect(tanh(x)).toBe(expected);
  expect(tanh(-x)).toBe(-expected);
});

test.each([
  [5, 0.8187307715415955],
  [10, 0.904837429523468],
  [20, 0.951229453086853],
  [25, 0.9607894420623779],
  [30, 0.9672160744667053],
  [50, 0.9801986813545227],
  [100, 0.9900498390197754],
])('a decay of %d ms multiplies by %d per tick (spec: brain.md 4.2)', (decayMs, expected) => {
  expect(Math.fround(exp(-1 / decayMs))).toBe(expected);
});

test('exponential and tangent equal the fdlibm port of the host, whatever the argument', () => {
  const negative = fc.double({ min: -760, max: 0, noNaN: true });
  fc.assert(
    fc.property(negative, fc.double({ min: -30, max: 30, noNaN: true }), (power, x) => {
      expect(Object.is(exp(power), Math.exp(power))).toBe(true);
      expect(Object.is(tanh(x), Math.tanh(x))).toBe(true);
    }),
    { numRuns: 5_000 },
  );
  const next = createDraw();
  let differing = 0;
  for (let i = 0; i < 300_000; i++) {
    const power = -next() * 760;
    const x = (next() - 0.5) * 10;
    if (exp(power) !== Math.exp(power) || tanh(x) !== Math.tanh(x)) differing++;
  }
  expect(differing).toBe(0);
});

function createDraw(): () => number {
  let state = 99;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}
