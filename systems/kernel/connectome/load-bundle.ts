import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Connectome, ViewerGeometry } from '../../../engine/contract/connectome.ts';
import { DataError } from '../../../engine/errors.ts';
import { ARRAY_FILES, CIRCUIT_ROLES_FILE, ELEMENT_BYTES, META_FILE, isMissing } from './bundle-files.ts';
import type { ArrayFile, ArrayKey, BundleCounts } from './bundle-files.ts';
import { mergeRoles, parseCircuitRoles, parseMeta } from './bundle-meta.ts';
import type { BundleMeta } from './bundle-meta.ts';
import { readOrigin } from './bundle-origin.ts';
import type { BundleOrigin } from './bundle-origin.ts';
import { identifyGraph, sha256 } from './fingerprint.ts';
import { validateGraph, validateViewer } from './validate-graph.ts';
import type { GraphArrays, ViewerArrays } from './validate-graph.ts';
import { toViewerFrame } from './viewer-frame.ts';

const inflate = promisify(gunzip);

/**
 * Loads one schema-1 bundle into shared memory: reads, checks declared hashes and sizes, decompresses all arrays in
 * parallel, validates strictly and identifies the graph (spec: brain.md 1.1 to 1.6). Viewer files may be absent.
 * @param folder the bundle's directory
 * @throws DataError BUNDLE_* or GRAPH_* naming the file, the value and the remedy
 */
export async function loadBundle(folder: string): Promise<Connectome> {
  const { meta, origin, arrays } = await readBundle(folder);
  const where = basename(folder);
  const graph: GraphArrays = {
    indptr: view(arrays, 'indptr', Uint32Array),
    targets: view(arrays, 'targets', Uint32Array),
    weights: view(arrays, 'weights', Int16Array),
    visualIndices: view(arrays, 'visualIndices', Uint32Array),
    visualHemisphere: view(arrays, 'visualHemisphere', Uint8Array),
    visualXY: view(arrays, 'visualXY', Float32Array),
  };
  validateGraph(meta, graph, where);
  const viewer = readViewer(meta, arrays, where);
  const roles = new Map<string, Uint32Array>();
  for (const [name, members] of Object.entries(meta.roles)) roles.set(name, shareIndices(members));
  return {
    name: origin.name,
    origin: origin.origin,
    credit: origin.credit,
    neurons: meta.neurons,
    edges: meta.edges,
    indptr: graph.indptr,
    targets: graph.targets,
    weights: graph.weights,
    roles,
    retina: {
      count: meta.visual.count,
      neuron: graph.visualIndices,
      hemisphere: graph.visualHemisphere,
      xy: graph.visualXY,
    },
    ...identifyGraph(meta, graph),
    viewer,
  };
}

export type BundleContents = {
  /** With the sidecar's roles merged in. */
  readonly meta: BundleMeta;
  readonly origin: BundleOrigin;
  /** Decoded bytes in shared memory. */
  readonly arrays: ReadonlyMap<ArrayKey, SharedArrayBuffer>;
};

/** Reads both JSON files and every array; checks what `meta.artifacts` declares. @throws DataError BUNDLE_* */
export async function readBundle(folder: string): Promise<BundleContents> {
  const meta = await readMeta(folder);
  const origin = await readOrigin(folder, meta.dataset);
  const counts: BundleCounts = { neurons: meta.neurons, edges: meta.edges, columns: meta.visual.count };
  const arrays = new Map<ArrayKey, SharedArrayBuffer>();
  await Promise.all(
    ARRAY_FILES.map(async (file) => {
      const bytes = await readArray(folder, file, meta, counts);
      if (bytes !== null) arrays.set(file.key, bytes);
    }),
  );
  return { meta, origin, arrays };
}

/** Both JSON files with roles merged. @throws DataError BUNDLE_FILE, BUNDLE_META */
export async function readMeta(folder: string): Promise<BundleMeta> {
  const metaPath = join(folder, META_FILE);
  const rolesPath = join(folder, CIRCUIT_ROLES_FILE);
  const [metaText, rolesText] = await Promise.all([
    readFile(metaPath).catch(missing(metaPath)),
    readOptional(rolesPath),
  ]);
  const meta = parseMeta(metaText.toString('utf8'), metaPath);
  if (rolesText === null) return meta;
  return mergeRoles(meta, parseCircuitRoles(rolesText.toString('utf8'), rolesPath, meta.neurons));
}

async function readArray(
  folder: string,
  { file, type, length, viewer }: ArrayFile,
  meta: BundleMeta,
  counts: BundleCounts,
): Promise<SharedArrayBuffer | null> {
  const path = join(folder, file);
  const compressed = viewer ? await readOptional(path) : await readFile(path).catch(missing(path));
  if (compressed === null) return null;
  const declared = meta.artifacts?.[file];
  if (declared !== undefined) {
    if (compressed.length !== declared.compressedBytes) {
      throw new DataError(
        'BUNDLE_SIZE',
        `${path} is ${compressed.length} bytes, meta.json declares ${declared.compressedBytes}. ${REMEDY}`,
      );
    }
    if (sha256(compressed) !== declared.sha256) {
      throw new DataError('BUNDLE_HASH', `${path} does not have the sha256 that meta.json declares. ${REMEDY}`);
    }
  }
  const expectedElements = length(counts);
  const expectedBytes = declared?.bytes ?? (expectedElements ?? 0) * ELEMENT_BYTES[type];
  const bytes = await inflate(compressed, { chunkSize: Math.max(4096, expectedBytes + 64) }).catch((cause: unknown) => {
    throw new DataError('BUNDLE_GZIP', `${path} is not a whole gzip stream. ${REMEDY}`, { cause });
  });
  const wanted = expectedElements === null ? declared?.bytes : expectedElements * ELEMENT_BYTES[type];
  if ((wanted !== undefined && bytes.length !== wanted) || bytes.length % ELEMENT_BYTES[type] !== 0) {
    throw new DataError(
      'BUNDLE_SIZE',
      `${path} holds ${bytes.length} bytes, ${wanted ?? 'whole elements'} expected. ${REMEDY}`,
    );
  }
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

function readViewer(meta: BundleMeta, arrays: ReadonlyMap<ArrayKey, SharedArrayBuffer>, where: string): ViewerGeometry {
  const viewer: ViewerArrays = {
    positions: arrays.has('positions')
      ? view(arrays, 'positions', Float32Array)
      : new Float32Array(new SharedArrayBuffer(12 * meta.neurons)),
    classes: arrays.has('classes') ? view(arrays, 'classes', Uint8Array) : classesFromRoles(meta),
    viewerEdges: arrays.has('viewerEdges') ? view(arrays, 'viewerEdges', Uint32Array) : new Uint32Array(0),
  };
  validateViewer(meta, viewer, where);
  toViewerFrame(viewer.positions);
  return { positions: viewer.positions, classes: viewer.classes, fibres: viewer.viewerEdges };
}

/** Internal unless a role says otherwise; output wins over sensory (spec: brain.md 1.7). */
function classesFromRoles(meta: BundleMeta): Uint8Array {
  const classes = new Uint8Array(new SharedArrayBuffer(meta.neurons)).fill(1);
  for (const neuron of meta.roles['sensory'] ?? []) classes[neuron] = 0;
  for (const name of ['motor', 'descending']) for (const neuron of meta.roles[name] ?? []) classes[neuron] = 2;
  return classes;
}

function view<T>(
  arrays: ReadonlyMap<ArrayKey, SharedArrayBuffer>,
  key: ArrayKey,
  Type: new (buffer: SharedArrayBuffer) => T,
): T {
  return new Type(arrays.get(key)!);
}

function shareIndices(members: readonly number[]): Uint32Array {
  const shared = new Uint32Array(new SharedArrayBuffer(4 * members.length));
  shared.set(members);
  return shared;
}

async function readOptional(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

function missing(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new DataError('BUNDLE_FILE', `${path} cannot be read. ${REMEDY}`, { cause });
  };
}

const REMEDY = 'Install or grow the bundle again.';
