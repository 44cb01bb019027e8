import { basename } from 'node:path';
import type { Connectome } from '../../../../../engine/contract/connectome.ts';
import { ConfigError } from '../../../../../engine/errors.ts';
import { sha256 } from '../../fingerprint.ts';
import type { GraphArrays } from '../../validate-graph.ts';
import { writeBundle } from '../../write-bundle.ts';
import { checkSources } from './check-sources.ts';
import type { CheckedSource } from './check-sources.ts';
import { POSITION_POLICY, drawGeometry } from './draw-geometry.ts';
import type { DrawnGeometry } from './draw-geometry.ts';
import { describeProfiles } from './identities.ts';
import { HEX_TRANSFORM, findL1Columns } from './l1-columns.ts';
import { listIds, writeNeuronTable } from './neuron-table.ts';
import { aliasesOf, findPopulations, rolesOf } from './populations.ts';
import { readBodyStats } from './read-body-stats.ts';
import { readInventory } from './read-inventory.ts';
import type { InventoryRule } from './read-inventory.ts';
import { readTransmitters } from './read-transmitters.ts';
import { readWeights } from './read-weights.ts';
import { READOUT_PARTITION, partitionReadout } from './readout-partition.ts';
import { MALECNS_CREDIT, MALECNS_RELEASE } from './release.ts';
import { reportMaleCns } from './report-malecns.ts';
import type { MaleCnsReport, StageRecord } from './report-malecns.ts';
import { MALECNS_SIGNS } from './sign-policy.ts';
import { signWeights } from './sign-weights.ts';

export type MaleCnsProgress = {
  readonly phase:
    'checking' | 'annotations' | 'transmitters' | 'segments' | 'weights' | 'building' | 'writing' | 'done';
  /** Bytes of the file being checked, or batches of the table being read; 0 of 1 elsewhere. */
  readonly done: number;
  readonly total: number;
};

export type ImportMaleCnsOptions = {
  /** Holds the tables of the release under their published names. */
  readonly folder: string;
  /** The bundle's own folder; replaced as a whole when it exists. */
  readonly out: string;
  /** Least contacts of a kept pair, default 1. Every threshold is a graph of its own. */
  readonly threshold?: number;
  /** Default `superclass`, the inventory that Codex shows. */
  readonly inventoryRule?: InventoryRule;
  /** Default true. */
  readonly keepAutapses?: boolean;
  /** Default: the full table when it is there, else the traced-only one. */
  readonly weights?: 'full' | 'traced-only';
  /** Take files whose checksum is not the published one; recorded in the report. */
  readonly acceptChecksum?: boolean;
  readonly onProgress?: (progress: MaleCnsProgress) => void;
  readonly signal?: AbortSignal | undefined;
};

/** Changes whenever the same tables would give another bundle. */
export const MALECNS_IMPORTER = 'malecns-import-1';

/**
 * Imports MaleCNS v1.0 from its bulk tables (spec: brain.md 3): inventory, raw contact graph, named sign transform,
 * populations, L1 columns, profiles. Same tables and options, same bytes. Nothing is downloaded.
 * @throws DataError MALECNS_*, FEATHER_*; ConfigError MALECNS_THRESHOLD; nothing is written then
 * @throws the signal's reason when it aborts before the bundle is written
 */
export async function importMaleCns({
  folder,
  out,
  threshold = 1,
  inventoryRule = 'superclass',
  keepAutapses = true,
  weights: table,
  acceptChecksum = false,
  onProgress = () => {},
  signal,
}: ImportMaleCnsOptions): Promise<MaleCnsReport> {
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > 32_767) {
    throw new ConfigError('MALECNS_THRESHOLD', `the threshold is ${threshold}; give a whole number from 1 to 32767.`);
  }
  const tell = (phase: MaleCnsProgress['phase'], done = 0, total = 1): void => {
    signal?.throwIfAborted();
    onProgress({ phase, done, total });
  };
  const wanted = table === undefined ? null : table === 'full' ? 'weights' : 'weightsTracedOnly';
  const sources = await checkSources(folder, wanted, acceptChecksum, {
    onBytes: (done, total) => tell('checking', done, total),
    signal,
  });
  tell('annotations');
  const inventory = await readInventory(sources.get('annotations')!.path, inventoryRule);
  tell('transmitters');
  const transmitters = await readTransmitters(sources.get('transmitters')!.path, inventory, MALECNS_SIGNS);
  const statsPath = sources.get('bodyStats')?.path;
  const stats =
    statsPath === undefined
      ? null
      : await readBodyStats(statsPath, inventory, (done, total) => tell('segments', done, total));
  const edgePath = (sources.get('weights') ?? sources.get('weightsTracedOnly'))!.path;
  const filter = { threshold, keepAutapses };
  const { edges, report: weightReport } = await readWeights(edgePath, inventory, filter, (done, total) =>
    tell('weights', done, total),
  );

  tell('building');
  const signed = signWeights(edges, transmitters.sign);
  const populations = findPopulations(inventory);
  const { report: retina, ...columns } = findL1Columns(inventory);
  const anatomy = rolesOf(populations);
  if (columns.visualIndices.length > 0) anatomy['visual.l1'] = Array.from(columns.visualIndices);
  const readout = partitionReadout(anatomy);
  const aliases = aliasesOf(populations);
  if (anatomy['visual.l1'] !== undefined) aliases['visual_l1'] = anatomy['visual.l1'];
  const { report: geometry, ...viewer } = drawGeometry(inventory, edges);
  const graph: GraphArrays = { indptr: edges.indptr, targets: edges.targets, weights: signed.weights, ...columns };
  const meta = {
    schemaVersion: 1,
    dataset: `MaleCNS v1.0, pairs of ${threshold} contacts and more (${MALECNS_IMPORTER}, ${MALECNS_SIGNS.name})`,
    retrieved: 'not recorded; see the hashes of the source files',
    neurons: inventory.neurons,
    edges: edges.targets.length,
    sourceFiles: Object.fromEntries([...sources.values()].map(({ file, sha256: hash }) => [file, hash])),
    roles: Object.fromEntries(Object.entries(anatomy).sort(([a], [b]) => (a < b ? -1 : 1))),
    visual: { population: 'L1', count: columns.visualIndices.length },
    weightEncoding: `signed aggregated contact count; signs by ${MALECNS_SIGNS.name}, clipped to 16 bits`,
    positionPolicy: POSITION_POLICY,
  } as const;
  const circuits = { ...aliases, ...readout };
  const origin = {
    origin: 'measured',
    name: nameBrain(threshold, [...sources.values()]),
    seed: null,
    generator: MALECNS_IMPORTER,
    credit: MALECNS_CREDIT,
  } as const;
  const idsSha256 = sha256(listIds(inventory));
  const profiles = describeProfiles({
    release: MALECNS_RELEASE,
    inventoryRule,
    idsSha256,
    threshold,
    keepAutapses,
    contacts: edges.contacts,
    policy: MALECNS_SIGNS,
    connectome: asConnectome(origin, graph, viewer, { ...meta.roles, ...circuits }),
    readout,
  });
  const neuronTable = writeNeuronTable(inventory, transmitters);
  const report = reportMaleCns({
    release: MALECNS_RELEASE,
    sources: sources.values(),
    stages: describeStages({
      sources: [...sources.values()],
      inventoryRule,
      filter,
      idsSha256,
      neuronTable,
      graph,
      edges,
      viewer,
    }),
    inventory,
    stats,
    populations,
    geometry,
    transmitters: transmitters.report,
    weights: weightReport,
    threshold,
    keepAutapses,
    signed,
    retina,
    indptr: edges.indptr,
    targets: edges.targets,
    profiles,
  });
  tell('writing');
  await writeBundle(out, {
    meta,
    circuitRoles: { dataset: meta.dataset, neurons: meta.neurons, roles: circuits },
    graph,
    viewer,
    origin,
    report,
    tables: {
      'neurons.jsonl': neuronTable,
      'clipped-edges.json': `${JSON.stringify(signed.clipped)}\n`,
      'profiles.json': `${JSON.stringify(profiles, null, 2)}\n`,
    },
  });
  onProgress({ phase: 'done', done: 1, total: 1 });
  return report;
}

/** What the screen calls it: files that are not the published ones are never shown under the release's name alone. */
function nameBrain(threshold: number, sources: readonly CheckedSource[]): string {
  const isPublished = sources.every(({ state }) => state !== 'accepted');
  const release = isPublished ? 'MaleCNS v1.0' : 'MaleCNS v1.0 format, files not verified';
  return threshold === 1 ? release : `${release}, pairs from ${threshold} contacts`;
}

/** The graph as brains will see it, before it is written: identities need its roles and plastic edges. */
function asConnectome(
  origin: { readonly origin: 'measured'; readonly name: string; readonly credit: string },
  graph: GraphArrays,
  viewer: Omit<DrawnGeometry, 'report'>,
  roles: Readonly<Record<string, readonly number[]>>,
): Connectome {
  return {
    name: origin.name,
    origin: origin.origin,
    credit: origin.credit,
    neurons: graph.indptr.length - 1,
    edges: graph.targets.length,
    indptr: graph.indptr,
    targets: graph.targets,
    weights: graph.weights,
    roles: new Map(Object.entries(roles).map(([name, members]) => [name, Uint32Array.from(members)])),
    retina: {
      count: graph.visualIndices.length,
      neuron: graph.visualIndices,
      hemisphere: graph.visualHemisphere,
      xy: graph.visualXY,
    },
    fingerprint: '',
    identity: '',
    viewer: { positions: viewer.positions, classes: viewer.classes, fibres: viewer.viewerEdges },
  };
}

function describeStages(found: {
  readonly sources: readonly CheckedSource[];
  readonly inventoryRule: InventoryRule;
  readonly filter: { readonly threshold: number; readonly keepAutapses: boolean };
  readonly idsSha256: string;
  readonly neuronTable: string;
  readonly graph: GraphArrays;
  readonly edges: { readonly contacts: Uint32Array };
  readonly viewer: Omit<DrawnGeometry, 'report'>;
}): StageRecord[] {
  const { sources, inventoryRule, filter, graph, viewer } = found;
  const stage = (name: string, definition: string, outputs: Record<string, string>): StageRecord => ({
    stage: name,
    tool: MALECNS_IMPORTER,
    definition,
    outputs,
  });
  return [
    stage(
      'source cache',
      'files of the release, hashed as read',
      Object.fromEntries(sources.map(({ file, sha256: hash }) => [basename(file), hash])),
    ),
    stage('normalised tables', `inventory rule "${inventoryRule}", ascending body ids, one row a neuron`, {
      ids: found.idsSha256,
      'neurons.jsonl': sha256(found.neuronTable),
    }),
    stage(
      'anatomical graph',
      `both ends in the inventory, at least ${filter.threshold} contacts, self-edges ${filter.keepAutapses ? 'kept' : 'removed'}, ` +
        'a repeated pair keeps its largest count',
      { indptr: sha256(graph.indptr), targets: sha256(graph.targets), contacts: sha256(found.edges.contacts) },
    ),
    stage('signed weights', `${MALECNS_SIGNS.name}, ${MALECNS_SIGNS.scope}, clipped to 16 bits`, {
      weights: sha256(graph.weights),
    }),
    stage('sensor and readout', `${HEX_TRANSFORM}; ${READOUT_PARTITION}`, {
      visualIndices: sha256(graph.visualIndices),
      visualHemisphere: sha256(graph.visualHemisphere),
      visualXY: sha256(graph.visualXY),
    }),
    stage('viewer', POSITION_POLICY, {
      positions: sha256(viewer.positions),
      classes: sha256(viewer.classes),
      viewerEdges: sha256(viewer.viewerEdges),
    }),
  ];
}
