import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createBrainHost } from '../../../../../../systems/kernel/brain-host.ts';
import { importLarva } from '../../../../../../systems/kernel/connectome/import/larva/import-larva.ts';
import { LARVA_PARAMETERS } from '../../../../../../systems/kernel/connectome/import/larva/larva-parameters.ts';
import { loadBundle } from '../../../../../../systems/kernel/connectome/load-bundle.ts';
import { verifyBundle } from '../../../../../../systems/kernel/connectome/verify-bundle.ts';
import { createReferenceKernel } from '../../../../../../systems/kernel/reference.ts';
import { temporaryFolder } from '../../toy-bundle.ts';
import { HEADER, LARVA_FOLDER, SMALL_EDGES, SMALL_NEURONS, hasLarva, writeLarva } from './larva-data.ts';

describe.skipIf(!hasLarva)('the real larval brain', () => {
  test('3,554 neurons, 119,010 edges, 577 self-edges, 376,091 contacts, 21,918 edges of 5 and more (twin.md 5)', async () => {
    const { inventory, edges } = await importLarva({ folder: LARVA_FOLDER, out: await outFolder() });
    expect(inventory.kept).toBe(3_554);
    expect(edges).toMatchObject({ pairs: 119_010, selfEdges: 577, contacts: 376_091, duplicates: 0 });
    expect(edges.atLeast['5']).toBe(21_918);
    expect(inventory.listed).toBe(inventory.kept + inventory.isolated.length);
  });

  test('the bundle is sound, measured, blind, and every edge is positive', async () => {
    const out = await outFolder();
    const report = await importLarva({ folder: LARVA_FOLDER, out });
    expect(await verifyBundle(out)).toMatchObject({ kind: 'sound', neurons: 3_554, edges: 119_010 });
    const larva = await loadBundle(out);
    expect(larva).toMatchObject({ origin: 'measured', retina: { count: 0 } });
    expect(larva.name).toBe('Larval brain, every edge taken as excitatory');
    expect(larva.weights.every((weight) => weight > 0)).toBe(true);
    expect(report.missing.join()).toMatch(/transmitters.*retina columns.*coordinates/);
    expect(report.signs).toEqual({ policy: 'excitatory', rule: 'larva-signs-excitatory-1', inhibitoryClasses: [] });
  });

  test('populations follow the groups; command pools deal the descending neurons by index modulo 8', async () => {
    const out = await outFolder();
    await importLarva({ folder: LARVA_FOLDER, out });
    const { roles } = await loadBundle(out);
    const size = (name: string): number => roles.get(name)?.length ?? -1;
    expect(size('descending')).toBe(size('larva.dVNCs') + size('larva.dSEZs'));
    expect(size('kenyon')).toBe(size('larva.KCs'));
    expect(size('mbon')).toBe(48);
    expect(size('reward_pam')).toBe(30);
    expect(roles.has('motor')).toBe(false);
    const pools = Array.from({ length: 8 }, (_, pool) => Array.from(roles.get(`command_${pool}`)!));
    pools.forEach((members, pool) => expect(members.every((index) => index % 8 === pool)).toBe(true));
    expect(pools.flat().sort((a, b) => a - b)).toEqual(Array.from(roles.get('descending')!));
  });

  test('it can be drawn: mirrored pairs, centred, half a brain wide, afferent, internal and output neurons', async () => {
    const out = await outFolder();
    await importLarva({ folder: LARVA_FOLDER, out });
    const { viewer, neurons } = await loadBundle(out);
    let widest = 0;
    for (let i = 0; i < neurons; i++) widest = Math.max(widest, Math.abs(viewer.positions[3 * i]!));
    expect(widest).toBeCloseTo(1, 6);
    for (const kind of [0, 1, 2]) expect(viewer.classes.includes(kind)).toBe(true);
    expect(viewer.fibres.length / 2).toBeGreaterThan(2_000);
    expect(viewer.fibres.length / 2).toBeLessThan(10_000);
  });

  test('reference and compiled kernel agree on it, spike for spike', async () => {
    const out = await outFolder();
    await importLarva({ folder: LARVA_FOLDER, out });
    const larva = await loadBundle(out);
    const reference = createReferenceKernel({ connectome: larva, seed: 22_222, parameters: LARVA_PARAMETERS });
    const host = createBrainHost(larva, { flies: 1 });
    const brain = await host.openBrain({
      agentId: 'larva',
      seed: 22_222,
      parameters: LARVA_PARAMETERS,
      thread: 'inline',
    });
    expect(await brain.advance(400)).toBe(reference.step(400));
    expect(brain.exportState()).toEqual(reference.exportState());
    await host.close();
  });

  test('with default constants it drives itself to tens of spikes per second; with its own it stays below 15', async () => {
    const out = await outFolder();
    await importLarva({ folder: LARVA_FOLDER, out });
    const larva = await loadBundle(out);
    const host = createBrainHost(larva, { flies: 2 });
    const rates: number[] = [];
    for (const parameters of [{}, LARVA_PARAMETERS]) {
      const brain = await host.openBrain({
        agentId: `larva-${rates.length}`,
        seed: 22_222,
        parameters,
        thread: 'inline',
      });
      await brain.advance(1_500);
      rates.push((await brain.advance(1_000)) / larva.neurons);
    }
    await host.close();
    expect(rates[0]).toBeGreaterThan(60);
    expect(rates[1]).toBeGreaterThan(2);
    expect(rates[1]).toBeLessThan(15);
  });

  test('local inhibition, when chosen, makes the edges of its five classes negative and says so', async () => {
    const out = await outFolder();
    const report = await importLarva({ folder: LARVA_FOLDER, out, unsignedPolicy: 'local-inhibitory' });
    const { weights, name, identity } = await loadBundle(out);
    expect(report.graph.negativeEdges).toBeGreaterThan(0.01);
    expect(report.graph.negativeEdges).toBeLessThan(0.03);
    expect(weights.filter((weight) => weight < 0).length).toBe(Math.round(report.graph.negativeEdges * 119_010));
    expect(name).toContain('signs assumed');
    const plain = await outFolder();
    await importLarva({ folder: LARVA_FOLDER, out: plain });
    expect((await loadBundle(plain)).identity).not.toBe(identity);
  });
});

test('a neuron without an edge is left out and named in the report', async () => {
  const report = await importLarva({ folder: await small(), out: await outFolder() });
  expect(report.inventory).toMatchObject({ listed: 6, kept: 5, isolated: ['99'] });
});

test('indices follow ids as numbers; ids travel as text, names with commas unharmed', async () => {
  const out = await outFolder();
  await importLarva({ folder: await small(), out });
  const table = JSON.parse(await readFile(join(out, 'neurons.json'), 'utf8')) as { id: string; name: string }[];
  expect(table.map(({ id }) => id)).toEqual(['11', '29', '30', '40', '50']);
  expect(table[4]!.name).toBe('APL, left');
  const { indptr, targets, weights } = await loadBundle(out);
  expect(Array.from(indptr)).toEqual([0, 1, 3, 4, 4, 5]);
  expect(Array.from(targets)).toEqual([1, 1, 3, 1, 1]);
  expect(Array.from(weights)).toEqual([9, 1, 2, 3, 12]);
});

test('importing twice gives the same bytes in every file', async () => {
  const folder = await small();
  const [first, second] = [await outFolder(), await outFolder()];
  await importLarva({ folder, out: first });
  await importLarva({ folder, out: second });
  for (const file of await readdir(first)) {
    expect(await readFile(join(second, file)), file).toEqual(await readFile(join(first, file)));
  }
});

test('a table without signs can be refused, and nothing is written then', async () => {
  const out = await outFolder();
  await expect(importLarva({ folder: await small(), out, unsignedPolicy: 'refuse' })).rejects.toMatchObject({
    code: 'LARVA_UNSIGNED',
  });
  expect(await readdir(join(out, '..'))).not.toContain('bundle');
});

test.each([
  ['an edge to a neuron that is not listed', SMALL_NEURONS, [...SMALL_EDGES, '11,12,1'], 'LARVA_ENDS', 'neuron 12'],
  ['a group that is not known', [...SMALL_NEURONS, '7,x,Kenyon,KC,L,-1'], SMALL_EDGES, 'LARVA_GROUP', '"Kenyon"'],
  [
    'a missing column',
    SMALL_NEURONS.map((row) => row.replace('hemisphere', 'side')),
    SMALL_EDGES,
    'IMPORT_COLUMN',
    'hemisphere',
  ],
  ['a quoted newline in a group', [...SMALL_NEURONS, '7,x,"K\nC",KC,L,-1'], SMALL_EDGES, 'LARVA_GROUP', '"K\\nC"'],
  [
    'an id above 2^63',
    [...SMALL_NEURONS, '9223372036854775809,x,KCs,KC,L,-1'],
    SMALL_EDGES,
    'IMPORT_VALUE',
    'row 8, id',
  ],
  [
    'a quoted newline in a number',
    SMALL_NEURONS,
    [...SMALL_EDGES, '11,40,"2\n"'],
    'IMPORT_VALUE',
    'row 7, count: "2\\n"',
  ],
  ['an id that is not a number', [HEADER, 'x1,a,KCs,KC,L,-1'], SMALL_EDGES, 'IMPORT_VALUE', 'x1'],
  ['a neuron listed twice', [...SMALL_NEURONS, SMALL_NEURONS[1]!], SMALL_EDGES, 'IMPORT_VALUE', 'listed twice'],
  ['a hemisphere that is none', [HEADER, '1,a,KCs,KC,left,-1'], SMALL_EDGES, 'IMPORT_VALUE', 'L, R or C'],
  ['an edge without contacts', SMALL_NEURONS, [...SMALL_EDGES, '11,40,0'], 'IMPORT_VALUE', 'contacts'],
  [
    'a file that is cut off',
    SMALL_NEURONS,
    gzipSync(SMALL_EDGES.join('\n')).subarray(0, 30),
    'IMPORT_GZIP',
    'edges.csv.gz',
  ],
])('%s is refused with its place', async (_what, neurons, edges, code, says) => {
  const folder = await writeLarva(await temporaryFolder(), neurons, edges);
  const failure = importLarva({ folder, out: await outFolder() });
  await expect(failure).rejects.toMatchObject({ code });
  await expect(failure).rejects.toThrow(says);
  await expect(failure).rejects.not.toThrow('\n');
});

test('CRLF, a byte-order mark and quotes change nothing but the hashes of the files', async () => {
  const dress = (rows: readonly string[]): Buffer =>
    gzipSync(`\uFEFF${rows.map((row) => row.replace(/(\d+)$/, '"$1"')).join('\r\n')}\r\n`);
  const dressed = await writeLarva(await temporaryFolder(), dress(SMALL_NEURONS), dress(SMALL_EDGES));
  const [plainOut, dressedOut] = [await outFolder(), await outFolder()];
  await importLarva({ folder: await small(), out: plainOut });
  await importLarva({ folder: dressed, out: dressedOut });
  const digests = async (out: string): Promise<string[]> => (await loadBundle(out)).fingerprint.split(':').slice(1);
  expect(await digests(dressedOut)).toEqual(await digests(plainOut));
});

test('a refused table leaves the earlier bundle as it was, and nothing beside it', async () => {
  const out = await outFolder();
  await importLarva({ folder: await small(), out });
  const before = (await loadBundle(out)).fingerprint;
  const bad = await writeLarva(await temporaryFolder(), SMALL_NEURONS, [...SMALL_EDGES, '11,12,1']);
  await expect(importLarva({ folder: bad, out })).rejects.toMatchObject({ code: 'LARVA_ENDS' });
  expect((await loadBundle(out)).fingerprint).toBe(before);
  expect(await readdir(join(out, '..'))).toEqual(['bundle']);
});

async function small(): Promise<string> {
  return writeLarva(await temporaryFolder());
}

async function outFolder(): Promise<string> {
  return join(await temporaryFolder(), 'bundle');
}
