import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DataError } from '../../../../engine/errors.ts';
import { listBundles } from '../../../../systems/kernel/connectome/list-bundles.ts';
import { loadBundle } from '../../../../systems/kernel/connectome/load-bundle.ts';
import { verifyBundle } from '../../../../systems/kernel/connectome/verify-bundle.ts';
import type { BundleParts } from '../../../../systems/kernel/connectome/write-bundle.ts';
import { writeBundle } from '../../../../systems/kernel/connectome/write-bundle.ts';
import { temporaryFolder, toyGameParts, toyParts, undeclared, written } from './toy-bundle.ts';

test('a written bundle loads back unchanged, into shared memory', async () => {
  const folder = await written(toyGameParts());
  const connectome = await loadBundle(folder);
  const { graph, viewer } = toyGameParts();
  expect(connectome).toMatchObject({ name: 'Toy', origin: 'measured', neurons: 4, edges: 5 });
  expect(connectome.indptr).toEqual(graph.indptr);
  expect(connectome.targets).toEqual(graph.targets);
  expect(connectome.weights).toEqual(graph.weights);
  expect(connectome.retina.neuron).toEqual(graph.visualIndices);
  expect(connectome.retina.hemisphere).toEqual(graph.visualHemisphere);
  expect(connectome.retina.xy).toEqual(graph.visualXY);
  expect(connectome.viewer.classes).toEqual(viewer.classes);
  expect(connectome.viewer.fibres).toEqual(viewer.viewerEdges);
  expect(Array.from(connectome.roles.keys())).toEqual(['kenyon', 'mbon', 'motor', 'command_0', 'reward_pam']);
  for (const array of [connectome.indptr, connectome.targets, connectome.weights, connectome.viewer.positions]) {
    expect(array.buffer).toBeInstanceOf(SharedArrayBuffer);
  }
});

test('digests 2 to 7 and our identity survive another compressor, digest 1 does not (brain.md 1.4)', async () => {
  const folder = await written(toyGameParts());
  const before = await loadBundle(folder);
  const meta = JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8')) as { artifacts?: unknown };
  delete meta.artifacts;
  await writeFile(join(folder, 'meta.json'), JSON.stringify(meta));
  await writeFile(join(folder, 'weights.binz'), gzipSync(bytes(toyGameParts().graph.weights), { level: 9 }));
  const after = await loadBundle(folder);
  expect(after.fingerprint.split(':').slice(1)).toEqual(before.fingerprint.split(':').slice(1));
  expect(after.fingerprint).not.toBe(before.fingerprint);
  expect(after.identity).toBe(before.identity);
});

test('writing the same graph twice gives the same bytes in every file', async () => {
  const first = await written(toyGameParts());
  const second = await written(toyGameParts());
  for (const file of await readdir(first)) {
    expect(await readFile(join(second, file)), file).toEqual(await readFile(join(first, file)));
  }
});

test('a bundle without viewer files loads; its classes follow the roles, output before sensory (brain.md 1.7)', async () => {
  const parts = toyGameParts();
  const folder = await written({ ...parts, meta: { ...parts.meta, roles: { ...parts.meta.roles, sensory: [0, 3] } } });
  for (const file of ['positions.binz', 'classes.binz', 'viewer-edges.binz']) await rm(join(folder, file));
  const { viewer } = await loadBundle(folder);
  expect(Array.from(viewer.classes)).toEqual([0, 1, 1, 2]);
  expect(viewer.fibres.length).toBe(0);
  expect(viewer.positions.length).toBe(12);
});

test('a folder of another program, without an origin file, counts as measured and keeps its own name', async () => {
  const folder = await written(toyParts());
  await rm(join(folder, 'origin.json'));
  expect(await loadBundle(folder)).toMatchObject({ origin: 'measured', name: 'test' });
});

test('a grown twin without its origin file is still a grown twin', async () => {
  const folder = await written(grownToy());
  await rm(join(folder, 'origin.json'));
  expect((await loadBundle(folder)).origin).toBe('grown');
});

test('an origin file that calls a grown twin measured is refused', async () => {
  const folder = await written(grownToy());
  const origin = { origin: 'measured', name: 'x', seed: null, generator: 'x', credit: 'x' };
  await writeFile(join(folder, 'origin.json'), JSON.stringify(origin));
  await expectCode(loadBundle(folder), 'BUNDLE_ORIGIN');
});

test('a missing array file is an error that names it, never a hang (brain.md 1.6)', async () => {
  const folder = await written(toyParts());
  await rm(join(folder, 'targets.binz'));
  await expectCode(loadBundle(folder), 'BUNDLE_FILE', 'targets.binz');
});

test('an array of a damaged disk is refused by its declared hash (brain.md 1.5)', async () => {
  const folder = await written(toyParts());
  const path = join(folder, 'weights.binz');
  const damaged = await readFile(path);
  damaged[20]! ^= 1;
  await writeFile(path, damaged);
  await expectCode(loadBundle(folder), 'BUNDLE_HASH', 'weights.binz');
});

test('an array cut short is refused by its declared size (brain.md 1.5)', async () => {
  const folder = await written(toyParts());
  const path = join(folder, 'weights.binz');
  await writeFile(path, (await readFile(path)).subarray(0, 20));
  await expectCode(loadBundle(folder), 'BUNDLE_SIZE', 'weights.binz');
});

test('an array that is not gzip is refused', async () => {
  const folder = await undeclared(toyParts());
  await writeFile(join(folder, 'indptr.binz'), 'not gzip');
  await expectCode(loadBundle(folder), 'BUNDLE_GZIP', 'indptr.binz');
});

test('malformed CSR, wide indices, hemispheres and coordinates are refused on load (brain.md 1.5)', async () => {
  const { graph } = toyGameParts();
  await refusesArray('indptr.binz', Uint32Array.of(1, 3, 4, 5, 5), 'GRAPH_ROWS');
  await refusesArray('indptr.binz', Uint32Array.of(0, 4, 3, 5, 5), 'GRAPH_ROWS');
  await refusesArray('indptr.binz', Uint32Array.of(0, 3, 4, 5, 6), 'GRAPH_ROWS');
  await refusesArray('indptr.binz', graph.indptr.slice(0, 4), 'BUNDLE_SIZE');
  await refusesArray('targets.binz', Uint32Array.of(1, 2, 4, 3, 1), 'GRAPH_INDEX');
  await refusesArray('visual-indices.binz', Uint32Array.of(0, 4), 'GRAPH_INDEX');
  await refusesArray('visual-hemisphere.binz', Uint8Array.of(0, 2), 'GRAPH_RETINA');
  await refusesArray('visual-xy.binz', Float32Array.of(0, Number.NaN, 1, 1), 'GRAPH_RETINA');
  await refusesArray('positions.binz', new Float32Array(12).fill(Infinity), 'GRAPH_VIEWER');
  await refusesArray('classes.binz', Uint8Array.of(1, 1, 1, 3), 'GRAPH_VIEWER');
  await refusesArray('viewer-edges.binz', Uint32Array.of(0, 4), 'GRAPH_VIEWER');
});

test('a sidecar of another neuron count and a role outside the graph are refused (brain.md 1.4, 1.5)', async () => {
  const folder = await undeclared(toyParts());
  const path = join(folder, 'circuit-roles.json');
  await writeFile(path, JSON.stringify({ dataset: 'test', neurons: 5, roles: {} }));
  await expectCode(loadBundle(folder), 'BUNDLE_META', 'circuit-roles.json');
  await writeFile(path, JSON.stringify({ dataset: 'test', neurons: 4, roles: { sensory: [4] } }));
  await expectCode(loadBundle(folder), 'GRAPH_ROLE', 'sensory');
});

test('an unknown schema, a missing count and text that is not JSON are refused by name', async () => {
  const folder = await undeclared(toyParts());
  const path = join(folder, 'meta.json');
  for (const text of ['{', '[]', '{"schemaVersion":2}', JSON.stringify({ ...toyParts().meta, edges: 2 ** 33 })]) {
    await writeFile(path, text);
    await expectCode(loadBundle(folder), 'BUNDLE_META', 'meta.json');
  }
});

test('an invalid graph is not written and the old bundle stays', async () => {
  const folder = await written(toyParts());
  const parts = toyParts();
  const bad = { ...parts, graph: { ...parts.graph, targets: Uint32Array.of(9, 9, 9, 9, 9) } };
  await expectCode(writeBundle(folder, bad), 'GRAPH_INDEX');
  expect((await verifyBundle(folder)).kind).toBe('sound');
});

test('replacing a bundle leaves no other folder behind', async () => {
  const folder = await written(toyParts());
  await writeBundle(folder, toyGameParts());
  expect((await loadBundle(folder)).retina.count).toBe(2);
  expect(await readdir(join(folder, '..'))).toEqual(['toy']);
});

test('verify says what is wrong with a damaged bundle instead of throwing', async () => {
  const folder = await written(toyParts());
  expect(await verifyBundle(folder)).toMatchObject({ kind: 'sound', neurons: 4, edges: 5, origin: { name: 'Toy' } });
  await rm(join(folder, 'meta.json'));
  expect(await verifyBundle(folder)).toMatchObject({ kind: 'damaged', code: 'BUNDLE_FILE' });
});

test('the list names every bundle with its origin and says which cannot be read', async () => {
  const home = await temporaryFolder();
  expect(await listBundles(home)).toEqual([]);
  await writeBundle(join(home, 'connectomes', 'b-toy'), grownToy());
  await mkdir(join(home, 'connectomes', 'a-broken'), { recursive: true });
  await copyFile(join(home, 'connectomes', 'b-toy', 'origin.json'), join(home, 'connectomes', 'a-broken', 'meta.json'));
  const [broken, toy] = await listBundles(home);
  expect(broken).toMatchObject({ kind: 'unreadable', id: 'a-broken' });
  expect(toy).toMatchObject({ kind: 'bundle', id: 'b-toy', origin: 'grown', neurons: 4, retinaColumns: 0 });
});

function grownToy(): BundleParts {
  const parts = toyParts();
  return {
    ...parts,
    meta: { ...parts.meta, dataset: 'Grown twin, toy' },
    origin: { ...parts.origin, origin: 'grown', seed: 1 },
  };
}

async function refusesArray(file: string, array: ArrayBufferView, code: string): Promise<void> {
  const folder = await undeclared(toyGameParts());
  await writeFile(join(folder, file), gzipSync(bytes(array)));
  await expectCode(loadBundle(folder), code);
}

function bytes(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

async function expectCode(promise: Promise<unknown>, code: string, named = ''): Promise<void> {
  const error = await promise.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(DataError);
  expect((error as DataError).code).toBe(code);
  expect((error as DataError).message).toContain(named);
}
