/**
 * A connectome bundle in memory (spec: brain.md 1). Immutable; all arrays sit in shared memory so that every brain
 * worker reads the same bytes. Neuron order is the bundle's index order.
 */
export type Connectome = {
  readonly name: string;
  /** Shown wherever the name is shown. A grown twin is never called a measured brain. */
  readonly origin: ConnectomeOrigin;
  /** Licence and credit, one line to show. */
  readonly credit: string;
  readonly neurons: number;
  readonly edges: number;
  /** `neurons + 1` row starts. */
  readonly indptr: Uint32Array;
  readonly targets: Uint32Array;
  /** Signed aggregated contact counts. */
  readonly weights: Int16Array;
  /** Role name -> neuron indices, in the bundle's role order (brain.md 1.4, 4.5). */
  readonly roles: ReadonlyMap<string, Uint32Array>;
  readonly retina: RetinaColumns;
  /** Seven digests joined by `:` (brain.md 1.4). */
  readonly fingerprint: string;
  /** Our own identity of the graph: independent of compression (docs/formats.md). */
  readonly identity: string;
  /** What the map draws. Never part of behaviour. */
  readonly viewer: ViewerGeometry;
};

export type ConnectomeOrigin = 'grown' | 'rewired' | 'measured';

export type RetinaColumns = {
  readonly count: number;
  readonly neuron: Uint32Array;
  /** 0 left, 1 right. */
  readonly hemisphere: Uint8Array;
  /** Interleaved x, y. */
  readonly xy: Float32Array;
};

export type ViewerGeometry = {
  /**
   * `3 * neurons`, x right (viewer's), y up, z towards the viewer; the brain's centroid is the origin and the largest
   * distance along x is 1. Both optic lobes are near x = -1 and x = +1.
   */
  readonly positions: Float32Array;
  /** One byte a neuron: 0 sensory or afferent, 1 internal, 2 output or efferent (brain.md 1.7). */
  readonly classes: Uint8Array;
  /** Interleaved (pre, post) pairs worth drawing as fibres. */
  readonly fibres: Uint32Array;
};
