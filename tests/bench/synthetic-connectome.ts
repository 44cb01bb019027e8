import type { Connectome } from '../../engine/contract/connectome.ts';

/** Counts of FAFB v783 (spec: brain.md 2). */
const FAFB = { neurons: 139_255, edges: 2_700_513, kenyon: 5_177, mbon: 96, rewardPam: 307, columns: 1_572 };
const PLASTIC_EDGES = 16_384;
const INHIBITORY_SHARE = 0.35;

/**
 * A random graph with the size, degree spread and populations of a whole fly brain: what a benchmark needs before a
 * grown twin is at hand. It is no model of anything. Log-normal out-degrees (sigma 1.15), in-degrees (sigma 1) and
 * contact counts (median 8.5, sigma 0.85), the same every time.
 */
export function createSyntheticConnectome(): Connectome {
  const draw = createDraw(0x9e37_79b9);
  const { neurons, edges } = FAFB;
  const order = draw.permutation(neurons);
  const kenyon = order.slice(0, FAFB.kenyon).sort();
  const mbon = order.slice(6_000, 6_000 + FAFB.mbon).sort();
  const degree = drawDegrees(draw, neurons, edges);
  const plasticOf = new Uint8Array(neurons);
  for (let placed = 0; placed < PLASTIC_EDGES; placed++) {
    let neuron: number;
    do neuron = kenyon[draw.below(kenyon.length)]!;
    while (plasticOf[neuron]! >= 20);
    plasticOf[neuron] = plasticOf[neuron]! + 1;
  }
  const isMbon = new Uint8Array(neurons);
  for (const neuron of mbon) isMbon[neuron] = 1;
  const isKenyon = new Uint8Array(neurons);
  for (const neuron of kenyon) isKenyon[neuron] = 1;
  makeRoom(draw, degree, plasticOf);

  const indptr = shared(Uint32Array, neurons + 1);
  for (let neuron = 0; neuron < neurons; neuron++) indptr[neuron + 1] = indptr[neuron]! + degree[neuron]!;
  const targets = shared(Uint32Array, indptr[neurons]!);
  const weights = shared(Int16Array, indptr[neurons]!);
  const pickTarget = createTargetDraw(draw, neurons);
  const seenBy = new Int32Array(neurons).fill(-1);
  for (let source = 0; source < neurons; source++) {
    const row = targets.subarray(indptr[source], indptr[source + 1]);
    seenBy[source] = source;
    for (let filled = 0; filled < row.length;) {
      const target = filled < plasticOf[source]! ? mbon[draw.below(mbon.length)]! : pickTarget();
      if (
        seenBy[target] === source ||
        (filled >= plasticOf[source]! && isMbon[target] === 1 && isKenyon[source] === 1)
      ) {
        continue;
      }
      seenBy[target] = source;
      row[filled++] = target;
    }
    row.sort();
    const sign = isKenyon[source] === 0 && draw.uniform() < INHIBITORY_SHARE ? -1 : 1;
    for (let edge = indptr[source]!; edge < indptr[source + 1]!; edge++) {
      const contacts = Math.round(Math.exp(Math.log(8.5) + 0.85 * draw.gaussian()));
      weights[edge] = sign * Math.max(1, Math.min(2_400, contacts));
    }
  }

  const retinaNeurons = order.slice(7_000, 7_000 + FAFB.columns).sort();
  return {
    name: 'synthetic-bench',
    origin: 'grown',
    credit: 'a synthetic graph',
    neurons,
    edges: targets.length,
    indptr,
    targets,
    weights,
    roles: new Map([
      ['kenyon', kenyon],
      ['mbon', mbon],
      ['reward_pam', order.slice(10_000, 10_000 + FAFB.rewardPam).sort()],
      ...Array.from(
        { length: 8 },
        (_, k) => [`command_${k}`, order.slice(12_000 + 163 * k, 12_163 + 163 * k)] as const,
      ),
      ...Array.from({ length: 31 }, (_, k) => [`macro_${k}`, order.slice(14_000 + 7 * k, 14_007 + 7 * k)] as const),
    ]),
    retina: {
      count: FAFB.columns,
      neuron: retinaNeurons,
      hemisphere: Uint8Array.from(retinaNeurons, (_, column) => column & 1),
      xy: Float32Array.from({ length: 2 * FAFB.columns }, (_, i) => (i & 1 ? Math.floor(i / 80) : (i >> 1) % 40)),
    },
    fingerprint: 'synthetic-bench',
    identity: 'synthetic-bench',
    viewer: { positions: new Float32Array(0), classes: new Uint8Array(0), fibres: new Uint32Array(0) },
  };
}

type Draw = {
  uniform(): number;
  below(limit: number): number;
  gaussian(): number;
  permutation(length: number): Uint32Array;
};

function createDraw(seed: number): Draw {
  let state = seed | 0;
  function next(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  }
  const uniform = (): number => (next() + 0.5) / 4_294_967_296;
  return {
    uniform,
    below: (limit) => next() % limit,
    gaussian: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
    permutation(length) {
      const order = Uint32Array.from({ length }, (_, i) => i);
      for (let i = length - 1; i > 0; i--) {
        const j = next() % (i + 1);
        [order[i], order[j]] = [order[j]!, order[i]!];
      }
      return order;
    },
  };
}

function drawDegrees(draw: Draw, neurons: number, edges: number): Int32Array {
  const share = Float64Array.from({ length: neurons }, () => Math.min(200, Math.exp(1.15 * draw.gaussian())));
  const sum = share.reduce((total, value) => total + value, 0);
  const degree = Int32Array.from(share, (value) => Math.floor((value / sum) * edges));
  for (let missing = edges - degree.reduce((total, value) => total + value, 0); missing > 0; missing--) {
    const neuron = draw.below(neurons);
    degree[neuron] = degree[neuron]! + 1;
  }
  return degree;
}

/** Lengthens the rows whose plastic edges do not fit and takes as many edges from long rows. */
function makeRoom(draw: Draw, degree: Int32Array, plasticOf: Uint8Array): void {
  for (let neuron = 0; neuron < degree.length; neuron++) {
    while (degree[neuron]! < plasticOf[neuron]!) {
      const donor = draw.below(degree.length);
      if (plasticOf[donor] !== 0 || degree[donor]! <= 10) continue;
      degree[donor] = degree[donor]! - 1;
      degree[neuron] = degree[neuron]! + 1;
    }
  }
}

function createTargetDraw(draw: Draw, neurons: number): () => number {
  const cumulative = new Float64Array(neurons);
  let sum = 0;
  for (let neuron = 0; neuron < neurons; neuron++) cumulative[neuron] = sum += Math.exp(draw.gaussian());
  return () => {
    const wanted = draw.uniform() * sum;
    let low = 0;
    let high = neurons - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function shared<T extends Uint32Array | Int16Array>(
  type: { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBufferLike): T },
  length: number,
): T {
  return new type(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT));
}
