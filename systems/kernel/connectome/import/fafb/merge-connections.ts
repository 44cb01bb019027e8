import type { ConnectionRows } from './read-connections.ts';
import type { RowCount } from './table-input.ts';

/** Signed edges sorted by (pre, post) in rows (spec: brain.md 2, rules 6 to 8). */
export type MergedEdges = {
  readonly indptr: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Int16Array;
  readonly facts: EdgeFacts;
  readonly table: RowCount;
};

export type EdgeFacts = {
  /** Pairs given by more than one row, and the rows that were added to an earlier one. */
  readonly mergedPairs: number;
  readonly mergedRows: number;
  readonly selfEdges: number;
  /** Pairs whose rows name different transmitters: MIXED, positive. */
  readonly transmitterConflicts: number;
  /** Rows by transmitter label, upper-cased; '' where none is given. */
  readonly transmitterRows: Readonly<Record<string, number>>;
  /** Pairs whose count was cut to 32,767. */
  readonly clampedPairs: number;
  /** Contacts of all edges before clamping. */
  readonly contacts: number;
};

/** Spec: brain.md 2, rule 7. Every other label, no label and MIXED are positive. */
const SIGNS: Readonly<Record<string, number>> = { ACH: 1, GABA: -1, GLUT: -1, OCT: 1, SER: 1, DA: 1 };
const WEIGHT_LIMIT = 32_767;

export function isKnownTransmitter(label: string): boolean {
  return Object.hasOwn(SIGNS, label);
}

/** Adds up the rows of each pair. Self-edges stay; no minimum count is applied. */
export function mergeConnections(connections: ConnectionRows, neurons: number): MergedEdges {
  const { pre, post, contacts, transmitter, transmitters, length } = connections;
  const signs = Int8Array.from(transmitters, (label) => (isKnownTransmitter(label) ? SIGNS[label]! : 1));
  const order = orderByPair(connections, neurons);
  const indptr = new Uint32Array(neurons + 1);
  const targets = new Uint32Array(length);
  const weights = new Int16Array(length);
  let edges = 0;
  let mergedPairs = 0;
  let selfEdges = 0;
  let transmitterConflicts = 0;
  let clampedPairs = 0;
  let allContacts = 0;
  for (let k = 0; k < length;) {
    const first = order[k]!;
    const source = pre[first]!;
    const target = post[first]!;
    const code = transmitter[first]!;
    let sum = contacts[first]!;
    let mixed = false;
    let next = k + 1;
    for (; next < length && pre[order[next]!] === source && post[order[next]!] === target; next++) {
      sum += contacts[order[next]!]!;
      if (transmitter[order[next]!] !== code) mixed = true;
    }
    if (next - k > 1) mergedPairs++;
    if (mixed) transmitterConflicts++;
    if (source === target) selfEdges++;
    if (sum > WEIGHT_LIMIT) clampedPairs++;
    allContacts += sum;
    targets[edges] = target;
    weights[edges] = Math.min(sum, WEIGHT_LIMIT) * (mixed ? 1 : signs[code]!);
    edges++;
    indptr[source + 1]!++;
    k = next;
  }
  for (let i = 0; i < neurons; i++) indptr[i + 1]! += indptr[i]!;
  return {
    indptr,
    targets: targets.slice(0, edges),
    weights: weights.slice(0, edges),
    facts: {
      mergedPairs,
      mergedRows: length - edges,
      selfEdges,
      transmitterConflicts,
      transmitterRows: countTransmitters(connections),
      clampedPairs,
      contacts: allContacts,
    },
    table: { rows: connections.rows, absentRows: connections.absentRows },
  };
}

/** Row numbers by (pre, post): two stable counting sorts. */
function orderByPair({ pre, post, length }: ConnectionRows, neurons: number): Uint32Array {
  const identity = new Uint32Array(length);
  for (let row = 0; row < length; row++) identity[row] = row;
  return sortStably(sortStably(identity, post, neurons), pre, neurons);
}

function sortStably(order: Uint32Array, keys: Uint32Array, neurons: number): Uint32Array {
  const next = new Uint32Array(neurons + 1);
  for (let k = 0; k < order.length; k++) next[keys[order[k]!]! + 1]!++;
  for (let i = 0; i < neurons; i++) next[i + 1]! += next[i]!;
  const sorted = new Uint32Array(order.length);
  for (let k = 0; k < order.length; k++) sorted[next[keys[order[k]!]!]!++] = order[k]!;
  return sorted;
}

function countTransmitters({ transmitter, transmitters, length }: ConnectionRows): Record<string, number> {
  const counts = new Uint32Array(transmitters.length);
  for (let row = 0; row < length; row++) counts[transmitter[row]!]!++;
  return Object.fromEntries(transmitters.map((label, code) => [label, counts[code]!]));
}
