import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { Connectome } from '../../../../../../engine/contract/connectome.ts';
import { deviations } from '../../../../../../systems/kernel/connectome/import/fafb/fafb-report.ts';
import type { FafbReport } from '../../../../../../systems/kernel/connectome/import/fafb/fafb-report.ts';
import { importFafb } from '../../../../../../systems/kernel/connectome/import/fafb/import-fafb.ts';
import { loadBundle } from '../../../../../../systems/kernel/connectome/load-bundle.ts';
import { reportPairs } from '../../../../../../systems/kernel/connectome/report-connectome.ts';
import { SMALLEST } from './codex-set.ts';

// Real tables (twin.md 5), read in place: the classification of all neurons, their transmitters, and the pairs of the
// mushroom body as contact counts. The other three exports are header lines, so what depends on them is not checked.
const DATA = resolve('../shared/data');
const CLASSIFICATION = join(DATA, 'codex-v783/classification.csv.gz');
const TRANSMITTERS = join(DATA, 'codex-v783/neurons.csv.gz');
const MUSHROOM_BODY = join(DATA, 'mushroom-body-v783/edges.csv.gz');
const absent = [CLASSIFICATION, TRANSMITTERS, MUSHROOM_BODY].filter((path) => !existsSync(path));
const real = test.skipIf(absent.length > 0);

let report: FafbReport;
let connectome: Connectome;

beforeAll(async () => {
  if (absent.length > 0) return;
  const root = await mkdtemp(join(tmpdir(), 'fly-codex-'));
  const folder = join(root, 'codex');
  await mkdir(folder);
  await symlink(CLASSIFICATION, join(folder, 'classification.csv.gz'));
  await writeFile(join(folder, 'connections.csv.gz'), gzipSync(await connectionRows(), { level: 1 }));
  for (const file of ['consolidated_cell_types', 'coordinates', 'column_assignment'] as const) {
    const header = SMALLEST[`${file}.csv.gz`].split('\n')[0]!;
    await writeFile(join(folder, `${file}.csv.gz`), gzipSync(`${header}\n`));
  }
  report = await importFafb({ folder, out: join(root, 'fafb-v783'), acceptChecksum: true });
  connectome = await loadBundle(join(root, 'fafb-v783'));
  return () => rm(root, { recursive: true, force: true });
});

real('the real classification has 139,255 neurons and the published checksum (brain.md 2)', () => {
  expect(connectome.neurons).toBe(139_255);
  const { sha256, expected } = report.sources['classification.csv.gz'];
  expect(sha256).toBe(expected);
});

real('sensory 17,550, kenyon 5,177, mbon 96, descending 1,305, motor 110, proboscis 24 (brain.md 2)', () => {
  expect(sizeOf('sensory')).toBe(17_550);
  expect(sizeOf('kenyon')).toBe(5_177);
  expect(sizeOf('mbon')).toBe(96);
  expect(sizeOf('descending')).toBe(1_305);
  expect(sizeOf('motor')).toBe(110);
  expect(sizeOf('proboscis')).toBe(24);
});

real('command_0..7 are 151, 174, 171, 141, 163, 161, 149, 195: ids are ranked as integers (brain.md 2)', () => {
  const sizes = Array.from({ length: 8 }, (_, pool) => sizeOf(`command_${pool}`));
  expect(sizes).toEqual([151, 174, 171, 141, 163, 161, 149, 195]);
});

real('206 macro neurons: 20 pools of 7, then 11 of 6 (brain.md 2)', () => {
  const sizes = Array.from(connectome.roles)
    .filter(([name]) => name.startsWith('macro_'))
    .map(([, members]) => members.length);
  expect(sizes).toEqual([...new Array<number>(20).fill(7), ...new Array<number>(11).fill(6)]);
});

real('viewer classes: 19,300 afferent, 118,464 intrinsic, 1,491 efferent (brain.md 1.7)', () => {
  const counts = [0, 0, 0];
  for (const kind of connectome.viewer.classes) counts[kind]!++;
  expect(counts).toEqual([19_300, 118_464, 1_491]);
});

real('the report expects the published counts of this one published file, and finds them', () => {
  expect(report.counts['command_7']).toEqual({ found: 195, published: 195 });
  expect(report.counts['edges']!.published).toBeNull();
  expect(report.counts['reward_pam']!.published).toBeNull();
  expect(deviations(report)).toEqual([]);
});

real('53,452 pairs of the mushroom body, no row lost (twin.md 5)', () => {
  expect(connectome.edges).toBe(53_452);
  expect(report.tables['connections.csv.gz']).toEqual({ rows: 53_452, absentRows: 0 });
});

real('KC -> MBON: 25,932 pairs, median 6, p90 11, max 44 (twin.md 3)', () => {
  const { pairs, contacts } = report.graph.kenyonToMbon;
  expect(pairs).toBe(25_932);
  expect(contacts).toMatchObject({ median: 6, p90: 11, max: 44 });
});

real('KC -> MBON of 5 contacts or more: 20,534 pairs, mean 7.9 (twin.md 3)', () => {
  const { contacts } = strongPairs(role('kenyon'), role('mbon'));
  expect(contacts.length).toBe(20_534);
  expect(mean(contacts)).toBeCloseTo(7.9, 1);
});

real('a KC reaches 2 / 4 / 7 MBONs, at most 12; an MBON hears 3 / 175 / 734 KCs, at most 1,175 (twin.md 3)', () => {
  const { reached, heard } = strongPairs(role('kenyon'), role('mbon'));
  expect([0.1, 0.5, 0.9, 1].map((share) => percentile(reached, share))).toEqual([2, 4, 7, 12]);
  expect([0.1, 0.5, 0.9, 1].map((share) => Math.round(percentile(heard, share)))).toEqual([3, 175, 734, 1_175]);
});

real('every KC -> MBON pair is a plastic candidate: all Kenyon cells are cholinergic (twin.md 2)', () => {
  expect(report.graph.plasticCandidates).toBe(25_932);
});

real(
  'projection neuron -> KC of 5 or more: 22,119 pairs, p90 27, max 79, 4.7 claws a KC, at most 10 (twin.md 3)',
  async () => {
    const { contacts, heard } = strongPairs(await neuronsOfClass('ALPN'), role('kenyon'));
    expect(contacts.length).toBe(22_119);
    expect(percentile(contacts, 0.9)).toBe(27);
    expect(percentile(contacts, 1)).toBe(79);
    expect(mean(heard)).toBeCloseTo(4.7, 1);
    expect(percentile(heard, 1)).toBe(10);
  },
);

real('DAN -> MBON has 866 pairs, mean 15.9, max 402; MBON -> MBON has 307, mean 22.7 (twin.md 3)', async () => {
  const { pairs, contacts } = reportPairs(connectome, await neuronsOfClass('DAN'), role('mbon'));
  expect(pairs).toBe(866);
  expect(contacts.mean).toBeCloseTo(15.9, 1);
  expect(contacts.max).toBe(402);
  expect(report.graph.mbonToMbon.pairs).toBe(307);
  expect(report.graph.mbonToMbon.contacts.mean).toBeCloseTo(22.7, 1);
});

function role(name: string): ArrayLike<number> {
  return connectome.roles.get(name) ?? [];
}

function sizeOf(name: string): number {
  return role(name).length;
}

/** Contacts of the pairs with 5 or more, pairs of each connected source, pairs of each connected target. */
function strongPairs(
  from: ArrayLike<number>,
  to: ArrayLike<number>,
): { contacts: number[]; reached: number[]; heard: number[] } {
  const { indptr, targets, weights } = connectome;
  const isTarget = new Set(Array.from(to));
  const contacts: number[] = [];
  const out = new Map<number, number>();
  const into = new Map<number, number>();
  for (const source of Array.from(from)) {
    for (let e = indptr[source]!; e < indptr[source + 1]!; e++) {
      const target = targets[e]!;
      if (!isTarget.has(target) || Math.abs(weights[e]!) < 5) continue;
      contacts.push(Math.abs(weights[e]!));
      out.set(source, (out.get(source) ?? 0) + 1);
      into.set(target, (into.get(target) ?? 0) + 1);
    }
  }
  return { contacts, reached: Array.from(out.values()), heard: Array.from(into.values()) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Between two neighbours in proportion, as the published figures were taken. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)]!;
  return low + (at % 1) * (sorted[Math.ceil(at)]! - low);
}

/** The table of pairs with the transmitter of the source in the connection export's columns. */
async function connectionRows(): Promise<string> {
  const transmitters = new Map((await readRows(TRANSMITTERS)).map(([neuron, , label]) => [neuron, label ?? '']));
  const rows = (await readRows(MUSHROOM_BODY)).map((row) => `${row.join(',')},${transmitters.get(row[0]) ?? ''}`);
  return ['pre_root_id,post_root_id,syn_count,nt_type', ...rows].join('\n');
}

/** Indices by an independent way: text columns, ids sorted as big integers. */
async function neuronsOfClass(name: string): Promise<number[]> {
  const rows = await readRows(CLASSIFICATION);
  const ids = rows.map(([neuron]) => BigInt(neuron!)).sort((a, b) => (a < b ? -1 : 1));
  const rank = new Map(ids.map((neuron, index) => [String(neuron), index]));
  return rows.filter((row) => row[3] === name).map(([neuron]) => rank.get(neuron!)!);
}

async function readRows(path: string): Promise<string[][]> {
  const lines = gunzipSync(await readFile(path))
    .toString('utf8')
    .split(/\r?\n/);
  return lines
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split(','));
}
