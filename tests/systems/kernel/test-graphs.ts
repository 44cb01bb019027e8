import type { Connectome } from '../../../engine/contract/connectome.ts';

export type GraphParts = {
  readonly indptr: ArrayLike<number>;
  readonly targets: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  readonly roles?: Readonly<Record<string, ArrayLike<number>>>;
  readonly columns?: readonly { neuron: number; hemisphere: number; x: number; y: number }[];
};

/** A connectome of bare arrays: what a kernel reads and nothing else. */
export function testConnectome({ indptr, targets, weights, roles = {}, columns = [] }: GraphParts): Connectome {
  return {
    name: 'test',
    origin: 'grown',
    credit: 'a test graph',
    neurons: indptr.length - 1,
    edges: targets.length,
    indptr: Uint32Array.from(indptr),
    targets: Uint32Array.from(targets),
    weights: Int16Array.from(weights),
    roles: new Map(Object.entries(roles).map(([name, members]) => [name, Uint32Array.from(members)])),
    retina: {
      count: columns.length,
      neuron: Uint32Array.from(columns, (column) => column.neuron),
      hemisphere: Uint8Array.from(columns, (column) => column.hemisphere),
      xy: Float32Array.from(columns.flatMap(({ x, y }) => [x, y])),
    },
    fingerprint: 'test',
    identity: 'test',
    viewer: { positions: new Float32Array(0), classes: new Uint8Array(0), fibres: new Uint32Array(0) },
  };
}

const TOY = {
  indptr: [0, 3, 4, 5, 5],
  targets: [1, 2, 3, 3, 1],
  weights: [10, -5, 20, 10, 5],
  roles: { kenyon: [0], mbon: [1, 2], motor: [3], command_0: [3] },
};

/** spec: brain.md 1.8. */
export function toyConnectome(): Connectome {
  return testConnectome(TOY);
}

/** spec: brain.md 1.8, variant "Toy-G". */
export function toyGConnectome(): Connectome {
  return testConnectome({
    ...TOY,
    roles: { ...TOY.roles, reward_pam: [2] },
    columns: [
      { neuron: 0, hemisphere: 0, x: 0, y: 0 },
      { neuron: 3, hemisphere: 1, x: 12.5, y: 7.25 },
    ],
  });
}

/** Draws in [0, 1) of a xorshift32 stream, written out here so that the tests do not use the code they check. */
export function uniformStream(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

/** Consecutive 160x144 RGBA noise frames (spec: brain.md 15). */
export function noiseFrames(seed: number, count: number): Uint8Array[] {
  const uniform = uniformStream(seed);
  return Array.from({ length: count }, () =>
    Uint8Array.from({ length: 160 * 144 * 4 }, () => Math.floor(uniform() * 256)),
  );
}

/** The synthetic brain of spec brain.md 15, scenario S2: 4,096 neurons, 40,960 edges. */
export function syntheticConnectome(): Connectome {
  const uniform = uniformStream(20_260_915);
  const neurons = 4_096;
  const indptr = Array.from({ length: neurons + 1 }, (_, i) => 10 * i);
  const targets: number[] = [];
  const weights: number[] = [];
  for (let source = 0; source < neurons; source++) {
    for (let edge = 0; edge < 10; edge++) {
      const isForced = source < 1_024 && edge < 4;
      targets.push(isForced ? 1_024 + Math.floor(uniform() * 256) : Math.floor(uniform() * neurons));
      const magnitude = 1 + Math.floor(uniform() * 40);
      weights.push(!isForced && uniform() < 0.2 ? -magnitude : magnitude);
    }
  }
  const roles: Record<string, number[]> = {
    kenyon: range(0, 1_024),
    mbon: range(1_024, 1_280),
    reward_pam: range(1_280, 1_344),
  };
  for (let k = 0; k < 8; k++) roles[`command_${k}`] = range(1_344 + 32 * k, 1_376 + 32 * k);
  const columns = Array.from({ length: 800 }, (_, c) => ({
    neuron: 1_600 + c,
    hemisphere: c % 2,
    x: (c % 40) * 7.5,
    y: Math.floor(c / 40) * 5.25,
  }));
  return testConnectome({ indptr, targets, weights, roles, columns });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
