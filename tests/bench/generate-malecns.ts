import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Float64, Int32, Int64, List, Field, Utf8 } from 'apache-arrow';
import { MALECNS_SOURCES } from '../../systems/kernel/connectome/import/malecns/release.ts';
import { uniformStream } from '../systems/kernel/test-graphs.ts';
import { writeFeather } from './write-feather.ts';
import type { FeatherColumn } from './write-feather.ts';

export type GeneratedMaleCns = {
  readonly folder: string;
  readonly neurons: number;
  /** Rows between neurons of the inventory. */
  readonly inside: number;
  /** Rows with at least one end outside it. */
  readonly outside: number;
};

/** Superclasses with their published counts (spec: brain.md 3.2); `spread` scales them to any size. */
const SUPERCLASSES: readonly (readonly [superclass: string, published: number])[] = [
  ['ol_intrinsic', 89_403],
  ['cb_intrinsic', 32_164],
  ['vnc_intrinsic', 13_161],
  ['visual_projection', 9_201],
  ['vnc_sensory', 6_370],
  ['ol_sensory', 6_098],
  ['cb_sensory', 4_868],
  ['ascending_neuron', 1_846],
  ['descending_neuron', 1_314],
  ['vnc_motor', 708],
  ['sensory_ascending', 537],
  ['cb_motor', 107],
  ['vnc_efferent', 94],
];

/** Rows of every ten that touch a segment that is no neuron. */
const OUTSIDE_SHARE = 0.1;

/**
 * Writes drawn tables in the exact formats of the MaleCNS release: LZ4-framed Arrow files under the published names with
 * the published columns (spec: brain.md 3.2). The wiring is random; it tests an importer and means nothing.
 * @param edges rows of the weight table, about nine in ten between neurons
 */
export async function generateMaleCns(
  folder: string,
  { neurons, edges, seed }: { readonly neurons: number; readonly edges: number; readonly seed: number },
): Promise<GeneratedMaleCns> {
  await mkdir(folder, { recursive: true });
  const uniform = uniformStream(seed);
  const rows = Math.ceil(neurons * 1.25); // a fifth of the table are bodies without a superclass
  const bodies = BigInt64Array.from({ length: rows }, (_, i) => bodyOf(i));
  const path = (table: keyof typeof MALECNS_SOURCES): string => join(folder, MALECNS_SOURCES[table].file);
  await writeFeather(path('annotations'), annotationColumns(bodies, neurons, uniform));
  await writeFeather(path('transmitters'), transmitterColumns(bodies, uniform));
  const { columns, inside, outside } = weightColumns(bodies, neurons, edges, uniform);
  await writeFeather(path('weightsTracedOnly'), columns);
  return { folder, neurons, inside, outside };
}

/** Ids like the release's: most small, every hundredth above 2^40; not in index order. */
function bodyOf(i: number): bigint {
  return BigInt(10_001 + 7 * i) + (i % 100 === 99 ? 1n << 40n : 0n);
}

function annotationColumns(bodies: BigInt64Array, neurons: number, uniform: () => number): FeatherColumn[] {
  const rows = bodies.length;
  const superclass: (string | null)[] = [];
  const cellClass: (string | null)[] = [];
  const type: (string | null)[] = [];
  const soma: (number[] | null)[] = [];
  const side: (string | null)[] = [];
  const root: (string | null)[] = [];
  const hex1 = Array.from({ length: rows }, (): number | null => null);
  const hex2 = Array.from({ length: rows }, (): number | null => null);
  const total = SUPERCLASSES.reduce((sum, [, count]) => sum + count, 0);
  for (let i = 0; i < rows; i++) {
    const share = (i * total) / neurons;
    let last = 0;
    const found = i < neurons ? SUPERCLASSES.find(([, count]) => share < (last += count)) : undefined;
    const name = found?.[0] ?? null;
    const left = uniform() < 0.5;
    const drawn = uniform();
    superclass.push(name);
    const kind = name === null ? null : kindOf(name, drawn);
    cellClass.push(kind?.startsWith('KC') ? 'Kenyon_Cell' : kind?.startsWith('MBON') ? 'MBON' : null);
    type.push(kind);
    if (kind === 'L1') {
      hex1[i] = 1 + Math.floor(uniform() * 35);
      hex2[i] = 1 + Math.floor(uniform() * 35);
    }
    side.push(drawn < 0.02 ? null : drawn < 0.03 ? 'M' : left ? 'L' : 'R');
    root.push(drawn < 0.01 ? (left ? 'L' : 'R') : null);
    const x = Math.floor(48_000 + (left ? 1 : -1) * 40_000 * uniform());
    soma.push(drawn > 0.85 ? null : [x, Math.floor(60_000 * uniform()), Math.floor(120_000 * uniform())]);
  }
  const text = (name: string, values: readonly (string | null)[]): FeatherColumn => ({
    name,
    type: new Utf8(),
    values: [...values],
  });
  const blank = Array.from({ length: rows }, () => null);
  const point = new List(new Field('item', new Int64(), true));
  return [
    { name: 'bodyId', type: new Int64(), values: bodies },
    text(
      'status',
      superclass.map((name) => (name === null ? 'Orphan' : 'Traced')),
    ),
    text('superclass', superclass),
    text('class', cellClass),
    text('subclass', blank),
    text('type', type),
    text('somaSide', side),
    text('rootSide', root),
    { name: 'somaLocation', type: point, values: soma.map((place) => place?.map(BigInt) ?? null) },
    { name: 'tosomaLocation', type: point, values: blank },
    { name: 'assignedOlHex1', type: new Float64(), values: hex1 },
    { name: 'assignedOlHex2', type: new Float64(), values: hex2 },
  ];
}

function kindOf(superclass: string, drawn: number): string {
  if (superclass === 'ol_intrinsic') return drawn < 0.0176 || drawn > 0.9824 ? 'L1' : `Tm${Math.floor(drawn * 30)}`;
  if (superclass === 'cb_intrinsic') {
    if (drawn < 0.126) return 'KCg-m';
    if (drawn < 0.129) return 'MBON01';
    if (drawn < 0.138) return 'PAM01';
    if (drawn < 0.1385) return 'PPL101';
  }
  if (superclass === 'descending_neuron') return DESCENDING[Math.floor(drawn * 40)] ?? 'DNxx';
  return `${superclass}_${Math.floor(drawn * 40)}`;
}

const DESCENDING = ['DNa01', 'DNa02', 'DNp09', 'MDN'] as const;

function transmitterColumns(bodies: BigInt64Array, uniform: () => number): FeatherColumn[] {
  const labels = [
    'acetylcholine',
    'acetylcholine',
    'acetylcholine',
    'gaba',
    'glutamate',
    'histamine',
    'dopamine',
    'serotonin',
    'octopamine',
  ];
  const draw = (): string => labels[Math.floor(uniform() * labels.length)]!;
  const kept = bodies.slice(0, Math.max(1, bodies.length - 3)); // the last bodies have no row
  const consensus = Array.from(kept, () => (uniform() < 0.2 ? 'unclear' : uniform() < 0.05 ? null : draw()));
  return [
    { name: 'body', type: new Int64(), values: kept },
    { name: 'predicted_nt', type: new Utf8(), values: Array.from(kept, draw) },
    { name: 'predicted_nt_confidence', type: new Float64(), values: Float64Array.from(kept, () => uniform()) },
    { name: 'consensus_nt', type: new Utf8(), values: consensus },
  ];
}

function weightColumns(
  bodies: BigInt64Array,
  neurons: number,
  edges: number,
  uniform: () => number,
): { columns: FeatherColumn[]; inside: number; outside: number } {
  const pre = new BigInt64Array(edges);
  const post = new BigInt64Array(edges);
  const weight = new Int32Array(edges);
  let outside = 0;
  // row k of source s aims at its own stretch of the inventory, so that no pair repeats
  const perSource = Math.ceil(edges / neurons);
  for (let e = 0; e < edges; e++) {
    const source = e % neurons;
    const k = Math.floor(e / neurons);
    const stretch = neurons / perSource;
    const target = Math.floor((k + uniform()) * stretch);
    const leaves = uniform() < OUTSIDE_SHARE;
    if (leaves) outside++;
    pre[e] = bodies[source]!;
    post[e] = leaves
      ? BigInt(5_000_000_000 + e)
      : bodies[Math.min(target, Math.floor((k + 1) * stretch) - 1, neurons - 1)]!;
    weight[e] = 1 + Math.floor(-3.3 * Math.log(1 - uniform()));
  }
  return {
    columns: [
      { name: 'body_pre', type: new Int64(), values: pre },
      { name: 'body_post', type: new Int64(), values: post },
      { name: 'weight', type: new Int32(), values: weight },
    ],
    inside: edges - outside,
    outside,
  };
}

const [folder, neurons, edges] = process.argv.slice(2);
if (import.meta.main && folder !== undefined) {
  const made = await generateMaleCns(folder, {
    neurons: Number(neurons ?? 166_700),
    edges: Number(edges ?? 5_000_000),
    seed: 1,
  });
  process.stdout.write(`${JSON.stringify(made)}\n`);
}
