import { readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DataError } from '../../../../engine/errors.ts';
import { createBrainHost } from '../../../../systems/kernel/brain-host.ts';
import { ARRAY_FILES } from '../../../../systems/kernel/connectome/bundle-files.ts';
import { loadBundle } from '../../../../systems/kernel/connectome/load-bundle.ts';
import { verifyBundle } from '../../../../systems/kernel/connectome/verify-bundle.ts';
import { writeBundle } from '../../../../systems/kernel/connectome/write-bundle.ts';
import type { BundleParts } from '../../../../systems/kernel/connectome/write-bundle.ts';
import { createReferenceKernel } from '../../../../systems/kernel/reference.ts';
import { expectSameState } from '../test-kernels.ts';
import { temporaryFolder, toyGameParts, undeclared, written } from './toy-bundle.ts';

// Bad input of issue B: each is one line with the file, the place and the remedy, and nothing is left half-written.

/** `neurons` neurons without an edge, a population or a retina. */
function bareParts(neurons: number): BundleParts {
  const toy = toyGameParts();
  return {
    ...toy,
    meta: { ...toy.meta, neurons, edges: 0, roles: {}, visual: { population: 'none', count: 0 } },
    graph: {
      indptr: new Uint32Array(neurons + 1),
      targets: new Uint32Array(0),
      weights: new Int16Array(0),
      visualIndices: new Uint32Array(0),
      visualHemisphere: new Uint8Array(0),
      visualXY: new Float32Array(0),
    },
    viewer: {
      positions: new Float32Array(3 * neurons),
      classes: new Uint8Array(neurons),
      viewerEdges: new Uint32Array(0),
    },
  };
}

test('a bundle of 0 neurons is refused when it is written, and leaves nothing', async () => {
  const home = await temporaryFolder();
  const line = await refusal(writeBundle(join(home, 'none'), bareParts(0)), 'GRAPH_EMPTY');
  expect(line).toContain('none');
  expect(await readdir(home)).toEqual([]);
});

test('a bundle of 0 neurons that another program wrote is refused when it is loaded', async () => {
  const folder = await written(bareParts(1));
  await writeFile(join(folder, 'meta.json'), JSON.stringify(bareParts(0).meta));
  await writeFile(join(folder, 'indptr.binz'), gzipSync(new Uint8Array(4)));
  for (const file of ['positions.binz', 'classes.binz']) await writeFile(join(folder, file), gzipSync(''));
  expect(await refusal(loadBundle(folder), 'GRAPH_EMPTY')).toContain('no neuron');
  expect(await verifyBundle(folder)).toMatchObject({ kind: 'damaged', code: 'GRAPH_EMPTY' });
});

test('a bundle of 1 neuron is sound and runs, compiled like the reference', async () => {
  const folder = await written(bareParts(1));
  expect(await verifyBundle(folder)).toMatchObject({ kind: 'sound', neurons: 1, edges: 0 });
  const connectome = await loadBundle(folder);
  const host = createBrainHost(connectome, { flies: 1 });
  const brain = await host.openBrain({ agentId: 'one', seed: 22_222, thread: 'inline' });
  const reference = createReferenceKernel({ connectome, seed: 22_222 });
  expect(await brain.advance(500)).toBe(reference.step(500));
  expectSameState(brain.exportState(), reference.exportState());
  await host.close();
});

/** Toy-G with two fibres, so that no other file has the length of `visual-indices.binz`. */
function twoFibres(): BundleParts {
  const parts = toyGameParts();
  return { ...parts, viewer: { ...parts.viewer, viewerEdges: Uint32Array.of(0, 1, 1, 3) } };
}

const PAIRS = ARRAY_FILES.flatMap(({ file }, at) =>
  ARRAY_FILES.slice(at + 1).map((other) => [file, other.file] as const),
);

test.each(PAIRS)(
  '%s and %s exchanged is refused by file name, with and without declared hashes',
  async (one, other) => {
    const declared = await written(twoFibres());
    await exchange(declared, one, other);
    const line = await refusal(loadBundle(declared), /^BUNDLE_(SIZE|HASH)$/);
    expect(line.includes(one) || line.includes(other)).toBe(true);
    const bare = await undeclared(twoFibres());
    await exchange(bare, one, other);
    await refusal(loadBundle(bare), /^(BUNDLE_SIZE|GRAPH_\w+)$/);
  },
);

test.each(ARRAY_FILES.map(({ file }) => file))(
  '%s cut short inside its gzip stream is refused by name',
  async (file) => {
    const folder = await undeclared(toyGameParts());
    const whole = await readFile(join(folder, file));
    for (const bytes of [0, 5, 12, whole.length - 9, whole.length - 1]) {
      await writeFile(join(folder, file), whole.subarray(0, bytes));
      expect(await refusal(loadBundle(folder), 'BUNDLE_GZIP')).toContain(file);
    }
  },
);

test('every fault of a graph names the bundle, the place and the remedy in one line (brain.md 1.5)', async () => {
  const parts = toyGameParts();
  const { graph, meta } = parts;
  const faults: [string, BundleParts, string][] = [
    ['GRAPH_LENGTH', { ...parts, graph: { ...graph, targets: graph.targets.slice(1) } }, 'targets has 4 entries'],
    ['GRAPH_ROWS', { ...parts, graph: { ...graph, indptr: Uint32Array.of(0, 4, 3, 5, 5) } }, 'row 1'],
    ['GRAPH_INDEX', { ...parts, graph: { ...graph, targets: Uint32Array.of(1, 2, 4, 3, 1) } }, 'edge 2'],
    ['GRAPH_INDEX', { ...parts, graph: { ...graph, visualIndices: Uint32Array.of(0, 4) } }, 'column 1'],
    ['GRAPH_RETINA', { ...parts, graph: { ...graph, visualHemisphere: Uint8Array.of(2, 0) } }, 'hemisphere 2'],
    ['GRAPH_RETINA', { ...parts, graph: { ...graph, visualXY: Float32Array.of(0, 0, 1, NaN) } }, 'column 1'],
    ['GRAPH_ROLE', { ...parts, meta: { ...meta, roles: { kenyon: [4] } } }, 'role kenyon lists neuron 4'],
    ['GRAPH_ROLE', { ...parts, meta: { ...meta, roles: { 'ken\nyon': [9] } } }, 'role ken\\nyon lists neuron 9'],
    ['GRAPH_ROLE', { ...parts, meta: { ...meta, roles: { kenyon: [-1] } } }, 'role kenyon lists neuron -1'],
  ];
  for (const [code, bad, place] of faults) {
    const folder = join(await temporaryFolder(), 'toy');
    expect(await refusal(writeBundle(folder, bad), code)).toContain(place);
    expect(await readdir(dirname(folder))).toEqual([]);
  }
});

test('text that is not JSON never brings its own line breaks into the message', async () => {
  const folder = await undeclared(toyGameParts());
  for (const file of ['meta.json', 'origin.json']) {
    const good = await readFile(join(folder, file));
    await writeFile(join(folder, file), '{\n"a":\n\n');
    expect(await refusal(loadBundle(folder), /^BUNDLE_(META|ORIGIN)$/)).toContain(file);
    await writeFile(join(folder, file), good);
  }
  await writeFile(join(folder, 'circuit-roles.json'), '{\n');
  expect(await refusal(loadBundle(folder), 'BUNDLE_META')).toContain('circuit-roles.json');
});

async function exchange(folder: string, one: string, other: string): Promise<void> {
  await rename(join(folder, one), join(folder, 'aside'));
  await rename(join(folder, other), join(folder, one));
  await rename(join(folder, 'aside'), join(folder, other));
}

/** The message: one line that ends with what to do. */
async function refusal(promise: Promise<unknown>, code: string | RegExp): Promise<string> {
  const error: unknown = await promise.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(DataError);
  expect((error as DataError).code).toMatch(code);
  const { message } = error as DataError;
  expect(message).not.toContain('\n');
  expect(message).toMatch(/\. (Install|Grow|Rebuild|Import|Write)[^.]*\.$/);
  return message;
}
