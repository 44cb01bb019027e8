import type { SortedEdges } from '../sort-edges.ts';
import type { ViewerArrays } from '../../validate-graph.ts';
import { SIDES } from './read-inventory.ts';
import type { Inventory } from './read-inventory.ts';
import { textAt } from './text-column.ts';

export type DrawnGeometry = ViewerArrays & {
  readonly report: {
    readonly policy: string;
    /** Neurons with a position of their own. */
    readonly placed: number;
    /** Neurons drawn at the mean of their superclass and side, because the release has no position. */
    readonly atGroup: number;
    /** Neurons drawn at the centre: their group has no position either. */
    readonly atCentre: number;
    readonly mirrored: boolean;
  };
};

/** Lines worth drawing, as many as the FAFB bundle has (spec: brain.md 1.7). */
const FIBRES = 63_086;
/** The FAFB rule keeps pairs whose number this divides; larger graphs take a larger divisor. */
const FIBRE_DIVISOR = 43;

const AFFERENT: ReadonlySet<string> = new Set([
  'cb_sensory',
  'ol_sensory',
  'vnc_sensory',
  'ascending_neuron',
  'sensory_ascending',
]);
const EFFERENT: ReadonlySet<string> = new Set([
  'cb_motor',
  'vnc_motor',
  'vnc_efferent',
  'cb_efferent',
  'descending_neuron',
  'endocrine',
  'cb_endocrine',
]);

export const POSITION_POLICY: string =
  'soma location, else the point its fibre leads to; without either the mean of its superclass and side; y turned up, ' +
  'left at +x, centroid at the origin, largest distance along x is 1';

/** What the map draws. Never part of behaviour. */
export function drawGeometry(inventory: Inventory, edges: SortedEdges): DrawnGeometry {
  const { neurons, superclass } = inventory;
  const placed = placeNeurons(inventory);
  const classOfWord = superclass.words.map((word) => (AFFERENT.has(word) ? 0 : EFFERENT.has(word) ? 2 : 1));
  return {
    positions: placed.positions,
    classes: Uint8Array.from({ length: neurons }, (_, i) => classOfWord[superclass.codes[i]!]!),
    viewerEdges: dealFibres(edges),
    report: { policy: POSITION_POLICY, ...placed.report },
  };
}

function placeNeurons(inventory: Inventory): {
  positions: Float32Array;
  report: Omit<DrawnGeometry['report'], 'policy'>;
} {
  const { neurons, soma } = inventory;
  const means = groupMeans(inventory);
  const positions = new Float64Array(3 * neurons);
  let [own, atGroup, atCentre] = [0, 0, 0];
  const sum = [0, 0, 0];
  const isLoose = new Uint8Array(neurons);
  for (let i = 0; i < neurons; i++) {
    const mean = means.get(groupKey(inventory, i));
    if (!Number.isNaN(soma[3 * i]!)) own++;
    else if (mean !== undefined) atGroup++;
    else {
      atCentre++;
      isLoose[i] = 1;
      continue;
    }
    for (let axis = 0; axis < 3; axis++) {
      const found = soma[3 * i + axis]!;
      const value = Number.isNaN(found) ? mean![axis]! : found;
      positions[3 * i + axis] = value;
      sum[axis]! += value;
    }
  }
  const known = own + atGroup || 1;
  const mirrored = leftIsLow(inventory);
  let reach = 0;
  for (let i = 0; i < neurons; i++) {
    if (isLoose[i] === 1) continue; // stays at the origin, which is the centroid
    positions[3 * i] = (positions[3 * i]! - sum[0]! / known) * (mirrored ? -1 : 1);
    positions[3 * i + 1] = sum[1]! / known - positions[3 * i + 1]!; // the release counts y downwards
    positions[3 * i + 2]! -= sum[2]! / known;
    reach = Math.max(reach, Math.abs(positions[3 * i]!));
  }
  return {
    positions: Float32Array.from(positions, (value) => value / (reach || 1)),
    report: { placed: own, atGroup, atCentre, mirrored },
  };
}

/** Mean position of every superclass and side that has one. */
function groupMeans(inventory: Inventory): Map<string, number[]> {
  const sums = new Map<string, number[]>();
  for (let i = 0; i < inventory.neurons; i++) {
    if (Number.isNaN(inventory.soma[3 * i]!)) continue;
    const key = groupKey(inventory, i);
    let sum = sums.get(key);
    if (sum === undefined) sums.set(key, (sum = [0, 0, 0, 0]));
    for (let axis = 0; axis < 3; axis++) sum[axis]! += inventory.soma[3 * i + axis]!;
    sum[3]!++;
  }
  for (const [key, [x, y, z, count]] of sums) sums.set(key, [x! / count!, y! / count!, z! / count!]);
  return sums;
}

function groupKey({ superclass, side }: Inventory, i: number): string {
  return `${textAt(superclass, i)} ${side[i]}`;
}

/** Whether the left half has the smaller x; the map shows the fly's left on the viewer's right, at +x. */
function leftIsLow({ neurons, soma, side }: Inventory): boolean {
  const sum = [0, 0];
  const count = [0, 0];
  for (let i = 0; i < neurons; i++) {
    const half = side[i]!;
    if (half > SIDES.indexOf('R') || Number.isNaN(soma[3 * i]!)) continue;
    sum[half]! += soma[3 * i]!;
    count[half]!++;
  }
  return count[0]! > 0 && count[1]! > 0 && sum[0]! / count[0]! < sum[1]! / count[1]!;
}

/** Pairs whose number `(pre << 32) | post` a fixed divisor divides: an even sample that needs no draw. */
function dealFibres({ indptr, targets }: SortedEdges): Uint32Array {
  const divisor = Math.max(FIBRE_DIVISOR, Math.ceil(targets.length / FIBRES));
  const high = 2 ** 32 % divisor;
  const pairs: number[] = [];
  for (let s = 0; s + 1 < indptr.length; s++) {
    const offset = (s * high) % divisor;
    for (let e = indptr[s]!; e < indptr[s + 1]!; e++) {
      if ((offset + targets[e]!) % divisor === 0) pairs.push(s, targets[e]!);
    }
  }
  return Uint32Array.from(pairs);
}
