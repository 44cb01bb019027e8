import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { Connectome } from '../../../../../../engine/contract/connectome.ts';
import { importFafb } from '../../../../../../systems/kernel/connectome/import/fafb/import-fafb.ts';
import type { ImportProgress } from '../../../../../../systems/kernel/connectome/import/fafb/import-fafb.ts';
import type { FafbReport } from '../../../../../../systems/kernel/connectome/import/fafb/fafb-report.ts';
import { loadBundle } from '../../../../../../systems/kernel/connectome/load-bundle.ts';
import { id } from './codex-set.ts';
import type { CodexTables } from './codex-set.ts';

const STRANGER = '720575940699999999';

/**
 * Fourteen neurons that meet every rule of brain.md 2. The classification is not in id order, has a byte-order mark,
 * CRLF, extra columns and a quoted newline, as an export may.
 */
const TABLES: CodexTables = {
  'classification.csv.gz': [
    '\uFEFFroot_id,flow,super_class,class,sub_class,hemilineage,side,nerve',
    `${id(13)},intrinsic,central,,,,right,`,
    `${id(0)},afferent,sensory,visual,,,left,`,
    `${id(1)},afferent,sensory_ascending,,,"two\r\nlines, ""quoted""",right,`,
    `${id(2)},intrinsic,optic,optic_lobe_intrinsic,,,left,`,
    `${id(3)},intrinsic,central,Kenyon_Cell,,,left,`,
    `${id(4)},intrinsic,central,MBON,,,right,`,
    `${id(5)},intrinsic,central,DAN,,,right,`,
    `${id(6)},intrinsic,central,DAN,,,right,`,
    `${id(7)},efferent,descending,,,,LEFT side,`,
    `${id(8)},efferent,descending,,,,center,`,
    `${id(9)},efferent,descending,,,,left,`,
    `${id(10)},efferent,descending,,,,right,`,
    `"${id(11)}",efferent,motor,brain_motor_neuron,proboscis_motor_neuron,,right,`,
    `${id(12)},,endocrine,brain_motor_neuron,,,right,`,
    '',
  ].join('\r\n'),
  'consolidated_cell_types.csv.gz': [
    'root_id,primary_type,additional_type(s)',
    `${id(5)},KCg-m,`,
    `${id(5)},PAM01,`,
    `${id(6)},PPL101,`,
    `${id(7)},DNa01,`,
    `${id(8)},DNa02,`,
    `${id(9)},DNp09,`,
    `${id(10)},MDN,`,
    `${id(13)},PAM02,`,
    `${STRANGER},MDN,`,
  ].join('\n'),
  'coordinates.csv.gz': [
    'root_id,position,supervoxel_id',
    `${id(0)},[400000 200000 100],1`,
    `${id(0)},[400300   200000 101],2`,
    `${id(0)},"(400300, 200000.5, 102)",3`,
    `${id(1)},"[100,200,300]",4`,
    `${STRANGER},not a place,5`,
  ].join('\n'),
  'column_assignment.csv.gz': [
    'root_id,hemisphere,type,column_id,x,y,p,q',
    `${id(2)},right,L1,7,-3,12.5,0,0`,
    `${id(0)},left,L2,7,-3,12,0,0`,
    `${STRANGER},left,L1,8,1,1,0,0`,
    `${id(13)},Left,L1,9,4,-1,0,0`,
    `${id(2)},left,L1,3,0.1,2,0,0`,
    `${id(1)},left,L3,not assigned,,,,`,
  ].join('\n'),
  'connections.csv.gz': [
    'pre_root_id,post_root_id,neuropil,syn_count,nt_type',
    `${id(12)},${id(11)},GNG,20000,ACH`,
    `${id(3)},${id(4)},MB_ML_R,5,ACH`,
    `${id(3)},${id(6)},MB_ML_R,4,GABA`,
    `${id(6)},${id(3)},MB_ML_R,9,GLUT`,
    `${id(5)},${id(5)},MB_ML_R,2,SER`,
    `${id(5)},${id(4)},MB_ML_R,3,DA`,
    `${id(3)},${id(4)},MB_CA_R,7,ach`,
    `${id(8)},${id(9)},GNG,3,GABA`,
    `${id(8)},${id(9)},FLA_R,4,ACH`,
    `${id(8)},${id(10)},GNG,2,`,
    `${id(8)},${id(11)},GNG,3,GABA`,
    `${id(8)},${id(11)},FLA_R,1,`,
    `${id(8)},${id(11)},PRW,1,GABA`,
    `${id(9)},${id(10)},GNG,6,OCT`,
    `${id(10)},${id(11)},GNG,1,xyz`,
    `${id(11)},${id(12)},GNG,40000,GABA`,
    `${id(12)},${id(11)},FLA_R,20000,ACH`,
    `${id(2)},${id(11)},ME_R,5,ACH`,
    `${id(5)},${id(6)},MB_ML_R,5,GABA`,
    `${STRANGER},${id(1)},GNG,50,ACH`,
    `${id(1)},${STRANGER},GNG,50,ACH`,
    `${id(7)},${id(0)},GNG,0,GLUT`,
  ].join('\n'),
};

/** Signed edges by (pre, post): what rules 6 to 8 make of the connections above. */
const EDGES: readonly (readonly [pre: number, post: number, weight: number])[] = [
  [2, 11, 5],
  [3, 4, 12], // two rows, labels that differ in case only
  [3, 6, -4],
  [5, 4, 3],
  [5, 5, 2], // a self-edge stays
  [5, 6, -5],
  [6, 3, -9],
  [7, 0, 0], // no minimum count
  [8, 9, 7], // two transmitters: MIXED, positive
  [8, 10, 2], // no transmitter: positive
  [8, 11, 5], // one label and none disagree too
  [9, 10, 6],
  [10, 11, 1], // unknown transmitter: positive
  [11, 12, -32_767], // clamped
  [12, 11, 32_767], // 20,000 twice, clamped after adding
];

let out = '';
let report: FafbReport;
let connectome: Connectome;
const progress: ImportProgress[] = [];

beforeAll(async () => {
  const root = await mkdtemp(join(tmpdir(), 'fly-fafb-'));
  await mkdir(join(root, 'codex'));
  for (const [file, text] of Object.entries(TABLES)) await writeFile(join(root, 'codex', file), gzipSync(text));
  out = join(root, 'connectomes', 'fafb-v783');
  report = await importFafb({
    folder: join(root, 'codex'),
    out,
    acceptChecksum: true,
    onProgress: (step) => progress.push(step),
  });
  connectome = await loadBundle(out);
  return () => rm(root, { recursive: true, force: true });
});

test('a neuron is the rank of its 64-bit id, whatever the order of the file (brain.md 2, rule 1)', () => {
  expect(connectome.neurons).toBe(14);
  expect(role('sensory')).toEqual([0, 1]);
  expect(role('kenyon')).toEqual([3]);
});

test('every role has its predicate, the last cell type wins (brain.md 2, rules 2 and 4)', () => {
  expect(Object.fromEntries(Array.from(connectome.roles, ([name, members]) => [name, Array.from(members)]))).toEqual({
    backward: [10],
    command_0: [8],
    command_1: [9],
    command_2: [10],
    command_7: [7],
    descending: [7, 8, 9, 10],
    forward: [9],
    motor: [11, 12],
    proboscis: [11],
    reward_pam: [5],
    steer_left: [7],
    steer_right: [8],
    visual_l1: [2, 13, 2],
    sensory: [0, 1],
    kenyon: [3],
    mbon: [4],
    macro_go_objective: [4],
    macro_go_out: [11],
    macro_go_warp: [12],
  });
});

test('roles are merged in the published order (brain.md 1.4)', () => {
  expect(Array.from(connectome.roles.keys()).filter((name) => !name.startsWith('command_'))).toEqual([
    ...['backward', 'descending', 'forward', 'motor', 'proboscis', 'reward_pam', 'steer_left', 'steer_right'],
    ...['visual_l1', 'sensory', 'kenyon', 'mbon', 'macro_go_objective', 'macro_go_out', 'macro_go_warp'],
  ]);
});

test('a position is the mean of all rows of the neuron, and zero without one (brain.md 2, rule 3)', async () => {
  const raw = new Float32Array(new Uint8Array(gunzipSync(await readFile(join(out, 'positions.binz')))).buffer);
  expect(Array.from(raw.subarray(0, 6))).toEqual([
    Math.fround(400_200),
    Math.fround((200_000 + 200_000 + 200_000.5) / 3),
    101,
    100,
    200,
    300,
  ]);
  expect(Array.from(raw.subarray(6))).toEqual(new Array(36).fill(0));
  expect(report.neuronsWithoutPosition).toBe(12);
});

test('the map gets measured positions centred, one half-width wide, dorsal up', () => {
  const { positions } = connectome.viewer;
  expect(Array.from(positions.subarray(0, 1))).toEqual([1]);
  expect(Array.from(positions.subarray(3, 4))).toEqual([-1]);
  expect(positions[1]!).toBeLessThan(0); // neuron 0 has the larger y, and y points down in the data
  expect(positions[4]!).toBeGreaterThan(0);
  expect(Array.from(positions.subarray(6))).toEqual(new Array(36).fill(0));
});

test('retina columns keep the file order and may share a neuron (brain.md 2, rule 5)', () => {
  expect(connectome.retina.count).toBe(3);
  expect(Array.from(connectome.retina.neuron)).toEqual([2, 13, 2]);
  expect(Array.from(connectome.retina.hemisphere)).toEqual([1, 0, 0]);
  expect(Array.from(connectome.retina.xy)).toEqual([-3, 12.5, 4, -1, Math.fround(0.1), 2]);
});

test('edges are added up, signed, clamped and sorted; self-edges stay (brain.md 2, rules 6 to 8)', () => {
  const found: [number, number, number][] = [];
  for (let s = 0; s < connectome.neurons; s++) {
    for (let e = connectome.indptr[s]!; e < connectome.indptr[s + 1]!; e++) {
      found.push([s, connectome.targets[e]!, connectome.weights[e]!]);
    }
  }
  expect(found).toEqual(EDGES);
});

test('viewer classes follow the flow, fibres are the pairs divisible by 43 (brain.md 1.7)', () => {
  expect(Array.from(connectome.viewer.classes)).toEqual([0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1]);
  const fibres = EDGES.filter(([pre, post]) => ((BigInt(pre) << 32n) | BigInt(post)) % 43n === 0n);
  expect(fibres.length).toBe(2);
  expect(Array.from(connectome.viewer.fibres)).toEqual(fibres.flatMap(([pre, post]) => [pre, post]));
});

test('meta.json has the keys, constants and role order of the published one (brain.md 1.2)', async () => {
  const text = await readFile(join(out, 'meta.json'), 'utf8');
  const meta = JSON.parse(text) as Record<string, unknown>;
  expect(text).toBe(JSON.stringify(meta)); // compact
  expect(Object.keys(meta)).toEqual([
    ...['schemaVersion', 'dataset', 'retrieved', 'neurons', 'edges', 'sourceFiles', 'roles', 'visual'],
    ...['weightEncoding', 'positionPolicy', 'artifacts'],
  ]);
  expect(meta).toMatchObject({
    dataset: 'FlyWire FAFB Codex v783',
    retrieved: '2026-09-13',
    weightEncoding: 'signed aggregated synapse count; GABA/GLUT negative, other annotated transmitters positive',
    positionPolicy: 'arithmetic mean of representative coordinate rows',
    visual: { population: 'L1', count: 3 },
  });
  expect(Object.keys(meta['sourceFiles'] as object)).toEqual([
    ...['classification.csv.gz', 'connections.csv.gz', 'consolidated_cell_types.csv.gz', 'coordinates.csv.gz'],
    'column_assignment.csv.gz',
  ]);
  const names = Object.keys(meta['roles'] as object);
  expect(names).toEqual(names.toSorted());
  expect(names).not.toContain('sensory');
});

test('circuit-roles.json holds the circuits and the macro pools (brain.md 1.2)', async () => {
  const sidecar = JSON.parse(await readFile(join(out, 'circuit-roles.json'), 'utf8')) as { roles: object };
  expect(Object.keys(sidecar)).toEqual(['dataset', 'neurons', 'roles']);
  expect(Object.keys(sidecar.roles)).toEqual([
    ...['sensory', 'motor', 'descending', 'kenyon', 'mbon', 'macro_go_objective', 'macro_go_out', 'macro_go_warp'],
  ]);
});

test('the report counts what was dropped, merged, contradictory and unknown', () => {
  expect(report.tables).toEqual({
    'classification.csv.gz': { rows: 14, absentRows: 0 },
    'connections.csv.gz': { rows: 22, absentRows: 2 },
    'consolidated_cell_types.csv.gz': { rows: 9, absentRows: 1 },
    'coordinates.csv.gz': { rows: 5, absentRows: 1 },
    'column_assignment.csv.gz': { rows: 6, absentRows: 1 },
  });
  expect(report.connections).toMatchObject({
    mergedPairs: 4,
    mergedRows: 5,
    selfEdges: 1,
    transmitterConflicts: 2,
    clampedPairs: 2,
    contacts: 80_061,
  });
  expect(report.connections.unknownTransmitters).toEqual({ '': 2, XYZ: 1 });
  expect(report.counts['kenyon']).toEqual({ found: 1, published: null }); // other files promise nothing
  expect(report.published).toBe(false);
});

test('licence, credit and our modifications travel with the bundle (brain.md 2)', async () => {
  const origin = JSON.parse(await readFile(join(out, 'origin.json'), 'utf8')) as Record<string, unknown>;
  expect(origin['licence']).toContain('CC BY-NC 4.0');
  expect(origin['citations']).toHaveLength(3);
  for (const doi of ['10.1038/s41586-024-07558-y', '10.1038/s41586-024-07686-5', '10.1038/s41586-024-07981-1']) {
    expect(connectome.credit).toContain(doi);
  }
  expect(connectome.credit).toContain('CC BY-NC 4.0');
  expect(connectome.credit).toContain('no endorsement');
  expect(connectome).toMatchObject({ origin: 'measured', name: 'FlyWire FAFB v783 format, files not verified' });
});

test('progress never goes back within a phase and ends full in each', () => {
  const phases = new Set(progress.map(({ phase }) => phase));
  expect(Array.from(phases)).toEqual([
    ...['checking', 'classification.csv.gz', 'consolidated_cell_types.csv.gz', 'coordinates.csv.gz'],
    ...['column_assignment.csv.gz', 'connections.csv.gz', 'writing'],
  ]);
  for (const phase of phases) {
    const steps = progress.filter((step) => step.phase === phase);
    expect(steps.map(({ done }) => done)).toEqual(steps.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(steps.at(-1).done).toBe(steps.at(-1).total);
  }
});

test('nothing but the bundle is left beside it', async () => {
  expect(await readdir(join(out, '..'))).toEqual(['fafb-v783']);
});

function role(name: string): number[] {
  return Array.from(connectome.roles.get(name) ?? []);
}
