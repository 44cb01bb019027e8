import { writeBundle } from '../../write-bundle.ts';
import type { BundleParts } from '../../write-bundle.ts';
import { assignRoles } from './assign-roles.ts';
import { checkSources } from './check-sources.ts';
import type { Sources } from './check-sources.ts';
import type { CodexFile } from './codex-files.ts';
import { CODEX_FILES } from './codex-files.ts';
import { createEdgeCache } from './edge-cache.ts';
import { FAFB_DATASET, describeFafb } from './fafb-origin.ts';
import { reportFafb } from './fafb-report.ts';
import type { FafbReport } from './fafb-report.ts';
import { mergeConnections } from './merge-connections.ts';
import type { MergedEdges } from './merge-connections.ts';
import { readCellTypes } from './read-cell-types.ts';
import { readConnections } from './read-connections.ts';
import { readNeurons } from './read-neurons.ts';
import type { CodexNeurons } from './read-neurons.ts';
import { readPositions } from './read-positions.ts';
import { readRetina } from './read-retina.ts';
import type { TableInput } from './table-input.ts';
import { classesFromFlow, pickFibres } from './viewer-facts.ts';

export type ImportFafbOptions = {
  /** Holds the five Codex exports under their own names. */
  readonly folder: string;
  /** The bundle's own folder; replaced as a whole when it exists. */
  readonly out: string;
  /** Import files of other checksums too; the bundle then says that they were not verified. */
  readonly acceptChecksum: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly signal?: AbortSignal;
};

/** `done` and `total` are compressed bytes of the files of this phase; for `writing`, whole bundles. */
export type ImportProgress = {
  readonly phase: 'checking' | CodexFile | 'writing';
  readonly done: number;
  readonly total: number;
};

/**
 * Builds the bundle of FlyWire FAFB v783 from the Codex exports (spec: brain.md 2). The merged edges are kept beside
 * `out` until the bundle is in place, so an interrupted import of the same files goes on behind its longest stage.
 * @throws DataError IMPORT_* naming file, row or column, value and remedy; `out` is as it was then
 * @throws the signal's reason when it aborts; `out` is as it was then
 */
export async function importFafb(options: ImportFafbOptions): Promise<FafbReport> {
  const { folder, out, acceptChecksum, onProgress = () => {}, signal } = options;
  const sources = await checkSources({
    folder,
    acceptChecksum,
    signal,
    onProgress: (done, total) => onProgress({ phase: 'checking', done, total }),
  });
  const input = (file: CodexFile): TableInput => ({
    path: sources[file].path,
    onBytes: (done) => onProgress({ phase: file, done, total: sources[file].bytes }),
    signal,
  });
  const neurons = await readNeurons(input('classification.csv.gz'));
  const { index } = neurons;
  const cellTypes = await readCellTypes(index, input('consolidated_cell_types.csv.gz'));
  const places = await readPositions(index, input('coordinates.csv.gz'));
  const retina = await readRetina(index, input('column_assignment.csv.gz'));
  const cache = createEdgeCache(out, [sources['classification.csv.gz'].sha256, sources['connections.csv.gz'].sha256]);
  const edges = (await cache.load()) ?? (await cache.save(await readEdges(neurons, input('connections.csv.gz'))));
  signal?.throwIfAborted();

  onProgress({ phase: 'writing', done: 0, total: 1 });
  const { visualIndices, visualHemisphere, visualXY } = retina;
  const { indptr, targets, weights } = edges;
  const parts = {
    ...describeNeurons(neurons, cellTypes.types, visualIndices, edges, sources),
    graph: { indptr, targets, weights, visualIndices, visualHemisphere, visualXY },
    viewer: {
      positions: places.positions,
      classes: classesFromFlow(neurons.flow),
      viewerEdges: pickFibres(indptr, targets),
    },
    origin: describeFafb(CODEX_FILES.every((file) => sources[file].published)),
  };
  const report = reportFafb({
    sources,
    parts,
    neuronsWithoutPosition: places.neuronsWithout,
    facts: edges.facts,
    tables: {
      'classification.csv.gz': { rows: index.ids.length, absentRows: 0 },
      'connections.csv.gz': edges.table,
      'consolidated_cell_types.csv.gz': { rows: cellTypes.rows, absentRows: cellTypes.absentRows },
      'coordinates.csv.gz': { rows: places.rows, absentRows: places.absentRows },
      'column_assignment.csv.gz': { rows: retina.rows, absentRows: retina.absentRows },
    },
  });
  signal?.throwIfAborted();
  await writeBundle(out, { ...parts, report });
  await cache.clear();
  onProgress({ phase: 'writing', done: 1, total: 1 });
  return report;
}

async function readEdges({ index }: CodexNeurons, input: TableInput): Promise<MergedEdges> {
  return mergeConnections(await readConnections(index, input), index.ids.length);
}

/** Both JSON files; texts and key order are part of the hashed meta (spec: brain.md 1.2). */
function describeNeurons(
  neurons: CodexNeurons,
  types: readonly string[],
  visualIndices: Uint32Array,
  { targets }: MergedEdges,
  sources: Sources,
): Pick<BundleParts, 'meta' | 'circuitRoles'> {
  const roles = assignRoles(neurons, types, visualIndices);
  const count = neurons.index.ids.length;
  return {
    meta: {
      schemaVersion: 1,
      dataset: FAFB_DATASET,
      retrieved: '2026-09-13',
      neurons: count,
      edges: targets.length,
      sourceFiles: Object.fromEntries(CODEX_FILES.map((file) => [file, sources[file].sha256])),
      roles: roles.meta,
      visual: { population: 'L1', count: visualIndices.length },
      weightEncoding: 'signed aggregated synapse count; GABA/GLUT negative, other annotated transmitters positive',
      positionPolicy: 'arithmetic mean of representative coordinate rows',
    },
    circuitRoles: { dataset: FAFB_DATASET, neurons: count, roles: roles.circuits },
  };
}
