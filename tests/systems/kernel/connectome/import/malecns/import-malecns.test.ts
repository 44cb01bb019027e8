import { copyFile, readFile, readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Float64, Int64, Uint64, Utf8 } from 'apache-arrow';
import { expect, test } from 'vitest';
import { createBrainHost } from '../../../../../../systems/kernel/brain-host.ts';
import { sha256 } from '../../../../../../systems/kernel/connectome/fingerprint.ts';
import { importMaleCns } from '../../../../../../systems/kernel/connectome/import/malecns/import-malecns.ts';
import type { ImportMaleCnsOptions } from '../../../../../../systems/kernel/connectome/import/malecns/import-malecns.ts';
import { MALECNS_SOURCES } from '../../../../../../systems/kernel/connectome/import/malecns/release.ts';
import type { MaleCnsReport } from '../../../../../../systems/kernel/connectome/import/malecns/report-malecns.ts';
import { loadBundle } from '../../../../../../systems/kernel/connectome/load-bundle.ts';
import { verifyBundle } from '../../../../../../systems/kernel/connectome/verify-bundle.ts';
import { createReferenceKernel } from '../../../../../../systems/kernel/reference.ts';
import { generateMaleCns } from '../../../../../bench/generate-malecns.ts';
import { temporaryFolder } from '../../toy-bundle.ts';
import expected from './pyarrow/expected.json' with { type: 'json' };
import { writeFeather } from '../../../../../bench/write-feather.ts';
import { SMALL, column, writeRelease } from './small-release.ts';
import type { Damage } from './small-release.ts';

const PYARROW = join(import.meta.dirname, 'pyarrow');

test.each([1, 5] as const)(
  'tables written by pyarrow give the graph that pandas builds, at threshold %i',
  async (threshold) => {
    const { out, report } = await imported(PYARROW, { threshold });
    const { neurons, edges, indptr, targets, weights, retina } = await loadBundle(out);
    const wanted = threshold === 1 ? expected.threshold1 : expected.threshold5;
    expect({ neurons, edges }).toEqual({ neurons: expected.neurons, edges: wanted.edges });
    expect(sha256(indptr)).toBe(wanted.indptr);
    expect(sha256(targets)).toBe(wanted.targets);
    expect(sha256(weights)).toBe(wanted.weights);
    expect(report.weights.kept).toMatchObject({ pairs: wanted.edges, contacts: wanted.contacts });
    const { bothOutside, preOutside, postOutside } = report.weights.excluded;
    expect(bothOutside + preOutside + postOutside).toBe(expected.outside);
    expect(retina.count).toBe(expected.columns);
    expect(sha256(retina.neuron)).toBe(expected.visualIndices);
    expect(sha256(retina.hemisphere)).toBe(expected.visualHemisphere);
    expect(sha256(retina.xy)).toBe(expected.visualXY);
  },
);

test('body ids sort as numbers, also beyond 2^32, and travel as text (brain.md 3.3)', async () => {
  const { out } = await importSmall();
  const lines = (await readFile(join(out, 'neurons.jsonl'), 'utf8')).trim().split('\n');
  const ids = lines.map((line) => (JSON.parse(line) as { id: unknown }).id);
  expect(ids).toEqual(['10', '11', '12', '13', '20', '35184372088832']);
});

test('rows with an end outside the inventory are left out and counted by end (brain.md 3.2)', async () => {
  const { report } = await importSmall();
  expect(report.weights.excluded).toEqual({
    notPositive: 0,
    bothOutside: 1,
    preOutside: 1,
    postOutside: 1,
    belowThreshold: 0,
    autapses: 0,
    duplicates: 0,
  });
  expect(report.weights.kept).toEqual({ pairs: 6, contacts: 31, largest: 12 });
  expect(report.weights.contacts).toBe(41);
});

test('weights carry the sign of their source; raw counts stay readable (brain.md 3.5)', async () => {
  const { out, report } = await importSmall();
  const { indptr, targets, weights } = await loadBundle(out);
  expect(Array.from(indptr)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(Array.from(targets)).toEqual([1, 5, 3, 3, 2, 4]);
  // glutamate; unclear then gaba at 0.9; gaba at 0.2 counts for nothing; histamine; gaba; acetylcholine
  expect(Array.from(weights)).toEqual([-7, -5, 1, -2, -4, 12]);
  expect(report.transmitters.sources).toEqual({
    consensus: 4,
    predicted: 1,
    'low-confidence': 1,
    'no-label': 0,
    'no-row': 0,
  });
});

test('thresholds 1 and 5 are two graphs with two anatomies and one readout (brain.md 3.5, 3.7)', async () => {
  const [one, five] = [await importSmall(), await importSmall({ threshold: 5 })];
  expect(five.report.weights.kept.pairs).toBe(3);
  expect(five.report.weights.excluded.belowThreshold).toBe(3);
  expect(five.report.weights.byThreshold).toEqual(one.report.weights.byThreshold);
  const [a, b] = [one.report.profiles[0]!.identities, five.report.profiles[0]!.identities];
  for (const name of ['anatomyId', 'modelId', 'behaviourId'] as const) expect(b[name], name).not.toBe(a[name]);
  for (const name of ['sensorId', 'readoutId', 'learningId'] as const) expect(b[name], name).toBe(a[name]);
  expect((await loadBundle(five.out)).identity).not.toBe((await loadBundle(one.out)).identity);
});

test('self-edges stay unless removal is asked for, and then it is recorded (brain.md 3.5)', async () => {
  const kept = await importSmall();
  expect(kept.report.weights).toMatchObject({ autapses: 1, keepAutapses: true });
  const removed = await importSmall({ keepAutapses: false });
  expect(removed.report.weights).toMatchObject({ autapses: 0, keepAutapses: false, excluded: { autapses: 1 } });
  expect(removed.report.profiles[0]!.identities.anatomyId).not.toBe(kept.report.profiles[0]!.identities.anatomyId);
});

test('roles are qualified; the legacy names mean the same lists and motor stays the brain’s (brain.md 3.6)', async () => {
  const { out, report } = await importSmall();
  const { roles } = await loadBundle(out);
  const list = (name: string): number[] => Array.from(roles.get(name) ?? []);
  expect(list('mb.kenyon')).toEqual([5]);
  for (const [legacy, qualified] of [
    ['kenyon', 'mb.kenyon'],
    ['mbon', 'mb.output'],
    ['motor', 'brain.motor'],
    ['descending', 'brain.descending'],
    ['steer_left', 'brain.steer_left'],
    ['visual_l1', 'visual.l1'],
  ] as const) {
    expect(list(legacy), legacy).toEqual(list(qualified));
  }
  expect(list('command_2')).toEqual([2]);
  expect([...list('macro_go_objective'), ...list('macro_go_out')]).toEqual([3, 4]);
  expect(roles.has('brain.steer_right')).toBe(false);
  expect(report.emptyPopulations).toContain('brain.steer_right');
});

test('retina columns come from lattice coordinates; the side falls back from soma to root (brain.md 3.2)', async () => {
  const { out, report } = await importSmall();
  const { retina } = await loadBundle(out);
  expect(Array.from(retina.neuron)).toEqual([0, 1]);
  expect(Array.from(retina.hemisphere)).toEqual([0, 1]);
  const expectedXY = [(5 - 3) * (Math.sqrt(3) / 2), 4, (5 - 4) * (Math.sqrt(3) / 2), 4.5];
  expect(Array.from(retina.xy)).toEqual(expectedXY.map(Math.fround));
  expect(report.retina).toMatchObject({ left: 1, right: 1, withoutHex: 0, withoutSide: 0 });
  expect(report.sides).toEqual({ L: 3, R: 2, M: 1, blank: 0 });
});

test('a count beyond 16 bits is clipped, reported, and its raw count kept (brain.md 3.5)', async () => {
  const folder = await writeRelease(await temporaryFolder(), {
    ...SMALL,
    pairs: [
      [20n, 10n, 40_000],
      [10n, 20n, 32_767],
    ],
  });
  const { out, report } = await imported(folder);
  expect(Array.from((await loadBundle(out)).weights)).toEqual([-32_767, -32_767]);
  expect(report.signed).toMatchObject({ clipped: 1, smallest: -32_767 });
  expect(JSON.parse(await readFile(join(out, 'clipped-edges.json'), 'utf8'))).toEqual([
    { pre: 4, post: 0, contacts: 40_000 },
  ]);
});

test('a repeated pair and a row without contacts are counted exclusions, never sums', async () => {
  const pairs = [
    [20n, 10n, 4],
    [20n, 10n, 6],
    [10n, 20n, 0],
  ] as const;
  const { report } = await imported(await writeRelease(await temporaryFolder(), { ...SMALL, pairs }));
  expect(report.weights.kept).toEqual({ pairs: 1, contacts: 6, largest: 6 });
  expect(report.weights.excluded).toMatchObject({ duplicates: 1, notPositive: 1 });
});

test('a profile names the populations it lacks instead of running on empty lists (brain.md 1.5, 3.7)', async () => {
  const bodies = SMALL.bodies.filter(({ type }) => type !== 'L1' && type !== 'MBON01');
  const { report } = await imported(await writeRelease(await temporaryFolder(), { bodies, pairs: [] }));
  expect(report.profiles.map(({ id, missing }) => [id, missing])).toEqual([
    ['malecns-v1-lif-baseline', ['visual.l1']],
    ['malecns-v1-lif-learning', ['visual.l1', 'mb.output']],
  ]);
  expect(report.missingIds.withoutEdge).toBe(3);
});

test('the same tables give the same bytes in every file (brain.md 3.4)', async () => {
  const folder = await temporaryFolder();
  await generateMaleCns(folder, { neurons: 500, edges: 6_000, seed: 5 });
  const [first, second] = [await imported(folder), await imported(folder)];
  for (const file of await readdir(first.out)) {
    expect(await readFile(join(second.out, file)), file).toEqual(await readFile(join(first.out, file)));
  }
});

test('the order of rows in the tables changes nothing but their hashes', async () => {
  const backwards = { bodies: [...SMALL.bodies].reverse(), pairs: [...SMALL.pairs].reverse() };
  const { out } = await importSmall();
  const { out: other, report } = await imported(await writeRelease(await temporaryFolder(), backwards));
  const [a, b] = [await loadBundle(out), await loadBundle(other)];
  for (const key of ['indptr', 'targets', 'weights', 'roles', 'retina', 'viewer'] as const)
    expect(b[key], key).toEqual(a[key]);
  expect(await readFile(join(other, 'neurons.jsonl'))).toEqual(await readFile(join(out, 'neurons.jsonl')));
  expect(await readFile(join(other, 'profiles.json'))).toEqual(await readFile(join(out, 'profiles.json')));
  expect(report.weights.kept.contacts).toBe(31);
});

test('the bundle is sound and both kernels run it alike', async () => {
  const folder = await temporaryFolder();
  const made = await generateMaleCns(folder, { neurons: 1_500, edges: 30_000, seed: 9 });
  const { out, report } = await imported(folder);
  expect(await verifyBundle(out)).toMatchObject({ kind: 'sound', neurons: made.neurons });
  expect(report.weights.kept.pairs + report.weights.excluded.duplicates).toBe(made.inside);
  const male = await loadBundle(out);
  expect(male.origin).toBe('measured');
  const host = createBrainHost(male, { flies: 1 });
  const brain = await host.openBrain({ agentId: 'male', seed: 22_222, thread: 'inline' });
  const reference = createReferenceKernel({ connectome: male, seed: 22_222 });
  expect(await brain.advance(300)).toBe(reference.step(300));
  expect(brain.exportState()).toEqual(reference.exportState());
  await host.close();
});

test('every field that the first report must contain is there (brain.md 3.4)', async () => {
  const { report } = await importSmall();
  expect(report.inventory).toMatchObject({
    rule: 'superclass',
    counts: { rows: 7, withSuperclass: 6, traced: 6, chosen: 6 },
    reportedByOthers: { codexSuperclass: 166_700, neuprintNeuron: 176_422, traced: 165_122 },
  });
  expect(report.unannotated).toEqual({ withoutType: 1, withoutClass: 4 });
  expect(report.geometry).toMatchObject({ placed: 1, atGroup: 0, atCentre: 5 });
  expect(report.weights.byTerritory['central brain -> central brain']).toEqual({ pairs: 2, contacts: 14 });
  expect(report.provenance.stages.map(({ stage }) => stage)).toEqual([
    'source cache',
    'normalised tables',
    'anatomical graph',
    'signed weights',
    'sensor and readout',
    'viewer',
  ]);
  const sources = Object.values(report.provenance.sources);
  expect(sources.map(({ state }) => state)).toEqual(['accepted', 'accepted', 'accepted']);
  expect(report.csrBytes).toBe(4 * 7 + 6 * 6); // spec: brain.md 3.7, 4(N+1) + 6E
});

test('the inventory can be the Traced bodies instead, and is another anatomy (brain.md 3.2)', async () => {
  const bodies = SMALL.bodies.map((body) => (body.id === 13n ? { ...body, status: 'Assign' } : body));
  const folder = await writeRelease(await temporaryFolder(), { ...SMALL, bodies });
  const [every, traced] = [await imported(folder), await imported(folder, { inventoryRule: 'traced' })];
  expect([every.report.inventory.counts.chosen, traced.report.inventory.counts.chosen]).toEqual([6, 5]);
  const [a, b] = [every, traced].map(({ report }) => report.profiles[0]!.identities.anatomyId);
  expect(b).not.toBe(a);
});

test('names in other data sets stay beside the annotations and make no role (brain.md 3.3)', async () => {
  const names = column(
    'subclass',
    new Utf8(),
    SMALL.bodies.map(() => null),
  );
  const other = {
    ...names,
    name: 'flywireType',
    values: SMALL.bodies.map(({ id }) => (id === 12n ? 'DNa02,MDN' : null)),
  };
  const folder = await writeRelease(await temporaryFolder(), SMALL, { annotations: { somaLocation: null } });
  await expect(imported(folder)).rejects.toMatchObject({ code: 'FEATHER_COLUMN' });
  const { out } = await imported(await writeRelease(await temporaryFolder(), SMALL, { extra: other }));
  const lines = (await readFile(join(out, 'neurons.jsonl'), 'utf8')).trim().split('\n');
  expect((JSON.parse(lines[2]!) as { aliases: unknown }).aliases).toEqual({ flywireType: 'DNa02,MDN' });
  expect((JSON.parse(lines[3]!) as { aliases: unknown }).aliases).toEqual({});
  expect((await loadBundle(out)).roles.has('backward')).toBe(false);
});

test('with the table of segments, segments and neurons stay two counts (brain.md 3.1)', async () => {
  const folder = await writeRelease(await temporaryFolder());
  const ids = BigInt64Array.of(10n, 11n, 12n, 20n, 1n << 45n, 777n, 99n);
  await writeFeather(join(folder, MALECNS_SOURCES.bodyStats.file), [column('body', new Int64(), ids)]);
  const { report } = await imported(folder);
  expect(report.missingIds).toMatchObject({ segments: 7, withoutStats: 1 });
  await expect(imported(folder, { acceptChecksum: false })).rejects.toMatchObject({ code: 'MALECNS_CHECKSUM' });
});

test('the sensor states crop, orientation, colour and sampling (brain.md 3.6)', async () => {
  const { out } = await importSmall();
  const profiles = JSON.parse(await readFile(join(out, 'profiles.json'), 'utf8')) as { sensor: object }[];
  expect(Object.keys(profiles[0]!.sensor)).toEqual([
    'encoding',
    'crop',
    'orientation',
    'colour',
    'sampling',
    'transform',
  ]);
});

test('a file that is not the published one is refused unless it is accepted', async () => {
  const folder = await writeRelease(await temporaryFolder());
  const out = join(await temporaryFolder(), 'bundle');
  const failure = importMaleCns({ folder, out });
  await expect(failure).rejects.toMatchObject({ code: 'MALECNS_CHECKSUM' });
  await expect(failure).rejects.toThrow(MALECNS_SOURCES.annotations.sha256!);
  await expect(failure).rejects.toThrow('--accept-checksum');
});

const bigIds = column(
  'body_pre',
  new Uint64(),
  BigUint64Array.from(SMALL.pairs, () => (1n << 63n) + 5n),
);
const negativeIds = column(
  'body_pre',
  new Int64(),
  BigInt64Array.from(SMALL.pairs, () => -4n),
);
const textIds = column('body_pre', new Utf8(), SMALL.pairs.map(String));
const halfWeights = column(
  'weight',
  new Float64(),
  Float64Array.from(SMALL.pairs, () => 1.5),
);
const noWeights = column(
  'weight',
  new Float64(),
  SMALL.pairs.map(() => null),
);
const textHex = column(
  'assignedOlHex1',
  new Utf8(),
  SMALL.bodies.map(() => 'three'),
);

test.each<[string, Damage, string, string]>([
  ['a missing column', { weights: { weight: null } }, 'FEATHER_COLUMN', '"weight"'],
  ['ids above 2^63', { weights: { body_pre: bigIds } }, 'FEATHER_ID', 'outside 0 to 2^63'],
  ['ids below 0', { weights: { body_pre: negativeIds } }, 'FEATHER_ID', 'outside 0 to 2^63'],
  ['ids as text', { weights: { body_pre: textIds } }, 'FEATHER_TYPE', 'Utf8'],
  ['half a contact', { weights: { weight: halfWeights } }, 'MALECNS_WEIGHT', '1.5'],
  ['a pair without a count', { weights: { weight: noWeights } }, 'MALECNS_WEIGHT', 'NaN'],
  ['lattice coordinates as text', { annotations: { assignedOlHex1: textHex } }, 'FEATHER_TYPE', 'assignedOlHex1'],
  ['no transmitter column', { transmitters: { consensus_nt: null } }, 'FEATHER_COLUMN', 'consensus_nt'],
])('%s: one line that names the file', async (_what, damage, code, says) => {
  const failure = imported(await writeRelease(await temporaryFolder(), SMALL, damage));
  await expect(failure).rejects.toMatchObject({ code });
  await expect(failure).rejects.toThrow(says);
  await expect(failure).rejects.toThrow(/\.feather/);
});

test('a body with two rows is refused in either table', async () => {
  const bodies = [...SMALL.bodies, SMALL.bodies[1]!];
  await expect(imported(await writeRelease(await temporaryFolder(), { ...SMALL, bodies }))).rejects.toMatchObject({
    code: 'MALECNS_DUPLICATE',
  });
  const folder = await writeRelease(await temporaryFolder(), { ...SMALL, bodies });
  const sound = await writeRelease(await temporaryFolder());
  const { file } = MALECNS_SOURCES.annotations;
  await copyFile(join(sound, file), join(folder, file));
  await expect(imported(folder)).rejects.toThrow('body 20 has two rows');
});

test('a file that is cut off, of another format or absent is refused, and nothing is written', async () => {
  const { file } = MALECNS_SOURCES.weightsTracedOnly;
  const cut = await writeRelease(await temporaryFolder());
  await truncate(join(cut, file), 400);
  await expect(imported(cut)).rejects.toThrow('cut off');
  const other = await writeRelease(await temporaryFolder());
  await writeFile(join(other, file), 'body_pre,body_post,weight\n1,2,3\n'.repeat(3));
  await expect(imported(other)).rejects.toThrow('does not start as an Arrow file');
  await expect(imported(await temporaryFolder())).rejects.toMatchObject({ code: 'MALECNS_SOURCE' });
});

test('a damaged batch is named by its number', async () => {
  const folder = await temporaryFolder();
  await generateMaleCns(folder, { neurons: 300, edges: 3_000, seed: 2 });
  const path = join(folder, MALECNS_SOURCES.weightsTracedOnly.file);
  const bytes = await readFile(path);
  bytes.fill(0xff, 2_000, 9_000);
  await writeFile(path, bytes);
  await expect(imported(folder)).rejects.toThrow(/weights.*batch 0/);
});

test('an abort ends the import before anything is written', async () => {
  const folder = await writeRelease(await temporaryFolder());
  const parent = await temporaryFolder();
  const abort = new AbortController();
  const run = importMaleCns({
    folder,
    out: join(parent, 'bundle'),
    acceptChecksum: true,
    signal: abort.signal,
    onProgress: ({ phase }) => phase === 'weights' && abort.abort(),
  });
  await expect(run).rejects.toThrow('abort');
  expect(await readdir(parent)).toEqual([]);
});

test('a threshold that no count can have is the operator’s mistake', async () => {
  const run = importMaleCns({ folder: 'nowhere', out: 'nowhere', threshold: 0 });
  await expect(run).rejects.toMatchObject({ code: 'MALECNS_THRESHOLD' });
});

async function importSmall(
  options: Partial<ImportMaleCnsOptions> = {},
): Promise<{ out: string; report: MaleCnsReport }> {
  return imported(await writeRelease(await temporaryFolder()), options);
}

async function imported(
  folder: string,
  options: Partial<ImportMaleCnsOptions> = {},
): Promise<{ out: string; report: MaleCnsReport }> {
  const out = join(await temporaryFolder(), 'bundle');
  return { out, report: await importMaleCns({ folder, out, acceptChecksum: true, ...options }) };
}
