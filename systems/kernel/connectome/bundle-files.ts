/** Element types a bundle array can have; all little-endian on disk. */
export type ElementType = 'u32' | 'i16' | 'u8' | 'f32';

export const ELEMENT_BYTES: Readonly<Record<ElementType, number>> = { u32: 4, i16: 2, u8: 1, f32: 4 };

/** One gzip-compressed array file of a schema-1 bundle (spec: brain.md 1.1). */
export type ArrayFile = {
  readonly key: ArrayKey;
  readonly file: string;
  readonly type: ElementType;
  /** Number of elements, from the counts in `meta.json`; null when any whole number of items is right. */
  readonly length: (counts: BundleCounts) => number | null;
  /** Viewer files may be absent; nothing that behaves depends on them. */
  readonly viewer: boolean;
};

export type ArrayKey =
  | 'indptr'
  | 'targets'
  | 'weights'
  | 'visualIndices'
  | 'visualHemisphere'
  | 'visualXY'
  | 'positions'
  | 'classes'
  | 'viewerEdges';

export type BundleCounts = { readonly neurons: number; readonly edges: number; readonly columns: number };

/** The six simulation arrays in fingerprint order (spec: brain.md 1.4), then the three viewer arrays. */
export const ARRAY_FILES: readonly ArrayFile[] = [
  { key: 'indptr', file: 'indptr.binz', type: 'u32', length: (c) => c.neurons + 1, viewer: false },
  { key: 'targets', file: 'targets.binz', type: 'u32', length: (c) => c.edges, viewer: false },
  { key: 'weights', file: 'weights.binz', type: 'i16', length: (c) => c.edges, viewer: false },
  { key: 'visualIndices', file: 'visual-indices.binz', type: 'u32', length: (c) => c.columns, viewer: false },
  { key: 'visualHemisphere', file: 'visual-hemisphere.binz', type: 'u8', length: (c) => c.columns, viewer: false },
  { key: 'visualXY', file: 'visual-xy.binz', type: 'f32', length: (c) => 2 * c.columns, viewer: false },
  { key: 'positions', file: 'positions.binz', type: 'f32', length: (c) => 3 * c.neurons, viewer: true },
  { key: 'classes', file: 'classes.binz', type: 'u8', length: (c) => c.neurons, viewer: true },
  { key: 'viewerEdges', file: 'viewer-edges.binz', type: 'u32', length: () => null, viewer: true },
];

export const META_FILE = 'meta.json';
export const CIRCUIT_ROLES_FILE = 'circuit-roles.json';
/** Ours, beside the schema-1 files: what this graph is and whom to credit. */
export const ORIGIN_FILE = 'origin.json';
/** Ours: measured properties of a graph we generated. */
export const REPORT_FILE = 'report.json';

/** Whether a file system call failed because the path does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
