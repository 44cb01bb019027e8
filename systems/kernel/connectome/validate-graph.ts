import { DataError } from '../../../engine/errors.ts';
import type { BundleMeta } from './bundle-meta.ts';
import { oneLine } from './one-line.ts';

export type GraphArrays = {
  readonly indptr: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Int16Array;
  readonly visualIndices: Uint32Array;
  readonly visualHemisphere: Uint8Array;
  readonly visualXY: Float32Array;
};

export type ViewerArrays = {
  readonly positions: Float32Array;
  readonly classes: Uint8Array;
  readonly viewerEdges: Uint32Array;
};

/**
 * Strict validation of a graph before anything is built from it (spec: brain.md 1.5): at least one neuron, row starts,
 * every target, role and visual index, hemispheres, finite coordinates. `where` names the bundle in messages.
 * @throws DataError with a code per rule; nothing has been built then
 */
export function validateGraph(meta: BundleMeta, graph: GraphArrays, where: string): void {
  if (meta.neurons === 0) throw new DataError('GRAPH_EMPTY', `${where}: meta.json counts no neuron. ${REMEDY}`);
  validateLengths(meta, graph, where);
  validateRows(meta, graph, where);
  for (const [name, members] of Object.entries(meta.roles)) {
    for (const member of members) {
      if (member < 0 || member >= meta.neurons) {
        throw new DataError(
          'GRAPH_ROLE',
          `${where}: role ${oneLine(name)} lists neuron ${member} of ${meta.neurons}. ${REMEDY}`,
        );
      }
    }
  }
  validateRetina(meta, graph, where);
}

/** Viewer arrays: lengths, finite positions, classes 0..2, pairs in range. @throws DataError GRAPH_VIEWER */
export function validateViewer(meta: BundleMeta, viewer: ViewerArrays, where: string): void {
  const { neurons } = meta;
  const refuse = (reason: string): DataError => new DataError('GRAPH_VIEWER', `${where}: ${reason}. ${REMEDY}`);
  if (viewer.positions.length !== 3 * neurons || viewer.classes.length !== neurons) {
    throw refuse(`${viewer.positions.length} coordinates and ${viewer.classes.length} classes for ${neurons} neurons`);
  }
  if (viewer.viewerEdges.length % 2 !== 0)
    throw refuse(`viewer-edges has ${viewer.viewerEdges.length} entries, not pairs`);
  for (let i = 0; i < viewer.positions.length; i++) {
    if (!Number.isFinite(viewer.positions[i]!)) throw refuse(`position of neuron ${Math.floor(i / 3)} is not finite`);
  }
  for (let i = 0; i < neurons; i++) {
    if (viewer.classes[i]! > 2) throw refuse(`class of neuron ${i} is ${viewer.classes[i]}, not 0 to 2`);
  }
  for (let i = 0; i < viewer.viewerEdges.length; i++) {
    if (viewer.viewerEdges[i]! >= neurons)
      throw refuse(`a fibre ends at neuron ${viewer.viewerEdges[i]} of ${neurons}`);
  }
}

/**
 * Populations a profile needs. An absent or empty one is an unsupported capability, never an empty list.
 * @throws DataError GRAPH_ROLE_MISSING
 */
export function requireRoles(roles: ReadonlyMap<string, Uint32Array>, names: readonly string[], where: string): void {
  for (const name of names) {
    if ((roles.get(name)?.length ?? 0) > 0) continue;
    throw new DataError(
      'GRAPH_ROLE_MISSING',
      `${where}: no neuron is in "${name}", which this profile reads. Use a bundle that annotates it.`,
    );
  }
}

/**
 * Signed contact counts as the bundle stores them. Import clamps by rule; everything else must fit.
 * @throws DataError GRAPH_WEIGHT when a value is not a whole number in [-32768, 32767]
 */
export function packWeights(values: ArrayLike<number>, where: string): Int16Array {
  const packed = new Int16Array(values.length);
  for (let i = 0; i < values.length; i++) {
    packed[i] = values[i]!;
    if (packed[i] === values[i]) continue;
    throw new DataError(
      'GRAPH_WEIGHT',
      `${where}: weight ${values[i]} of edge ${i} does not fit 16 bits. Clamp it first.`,
    );
  }
  return packed;
}

/** Neuron numbers as the bundle stores them. @throws DataError GRAPH_INDEX when one is not in [0, neurons) */
export function packIndices(values: ArrayLike<number>, neurons: number, where: string): Uint32Array {
  const packed = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isInteger(value) || value < 0 || value >= neurons) {
      throw new DataError(
        'GRAPH_INDEX',
        `${where}: entry ${i} names neuron ${value} of ${neurons}. Use indices, not IDs.`,
      );
    }
    packed[i] = value;
  }
  return packed;
}

const REMEDY = 'Install or grow the bundle again.';

function validateLengths(meta: BundleMeta, graph: GraphArrays, where: string): void {
  const expected: [string, number, number][] = [
    ['indptr', graph.indptr.length, meta.neurons + 1],
    ['targets', graph.targets.length, meta.edges],
    ['weights', graph.weights.length, meta.edges],
    ['visual-indices', graph.visualIndices.length, meta.visual.count],
    ['visual-hemisphere', graph.visualHemisphere.length, meta.visual.count],
    ['visual-xy', graph.visualXY.length, 2 * meta.visual.count],
  ];
  for (const [name, found, wanted] of expected) {
    if (found === wanted) continue;
    throw new DataError(
      'GRAPH_LENGTH',
      `${where}: ${name} has ${found} entries, meta.json implies ${wanted}. ${REMEDY}`,
    );
  }
}

function validateRows(meta: BundleMeta, graph: GraphArrays, where: string): void {
  const { indptr, targets } = graph;
  if (indptr[0] !== 0) throw new DataError('GRAPH_ROWS', `${where}: indptr starts at ${indptr[0]}, not 0. ${REMEDY}`);
  for (let i = 0; i < meta.neurons; i++) {
    if (indptr[i + 1]! < indptr[i]!) {
      throw new DataError('GRAPH_ROWS', `${where}: row ${i} ends at ${indptr[i + 1]} before it starts. ${REMEDY}`);
    }
  }
  if (indptr[meta.neurons] !== meta.edges) {
    throw new DataError(
      'GRAPH_ROWS',
      `${where}: rows end at ${indptr[meta.neurons]} of ${meta.edges} edges. ${REMEDY}`,
    );
  }
  for (let e = 0; e < targets.length; e++) {
    if (targets[e]! >= meta.neurons) {
      throw new DataError(
        'GRAPH_INDEX',
        `${where}: edge ${e} ends at neuron ${targets[e]} of ${meta.neurons}. ${REMEDY}`,
      );
    }
  }
}

function validateRetina(meta: BundleMeta, graph: GraphArrays, where: string): void {
  for (let c = 0; c < meta.visual.count; c++) {
    if (graph.visualIndices[c]! >= meta.neurons) {
      const found = graph.visualIndices[c];
      throw new DataError(
        'GRAPH_INDEX',
        `${where}: retina column ${c} is neuron ${found} of ${meta.neurons}. ${REMEDY}`,
      );
    }
    if (graph.visualHemisphere[c]! > 1) {
      const found = graph.visualHemisphere[c];
      throw new DataError(
        'GRAPH_RETINA',
        `${where}: retina column ${c} is in hemisphere ${found}, not 0 or 1. ${REMEDY}`,
      );
    }
    if (!Number.isFinite(graph.visualXY[2 * c]!) || !Number.isFinite(graph.visualXY[2 * c + 1]!)) {
      throw new DataError('GRAPH_RETINA', `${where}: retina column ${c} has no finite x and y. ${REMEDY}`);
    }
  }
}
