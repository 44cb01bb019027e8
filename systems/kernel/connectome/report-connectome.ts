/** What a report reads: a row-indexed graph and its populations. */
export type ReportedGraph = {
  /** `neurons + 1` row starts. */
  readonly indptr: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Int16Array;
  readonly roles: ReadonlyMap<string, ArrayLike<number>>;
};

/** Measured properties of one graph, comparable between twins, controls and measured brains (spec: twin.md 1 and 3). */
export type ConnectomeReport = {
  readonly neurons: number;
  readonly edges: number;
  readonly meanDegree: number;
  readonly outDegree: Spread;
  readonly inDegree: Spread;
  readonly contacts: Spread;
  /** Shares of all edges and of all contacts that are negative. */
  readonly negativeEdges: number;
  readonly negativeContacts: number;
  /** Share of edges whose reverse edge exists. */
  readonly reciprocity: number;
  readonly selfEdges: number;
  readonly roleSizes: Readonly<Record<string, number>>;
  readonly kenyonToMbon: PairReport;
  readonly mbonToMbon: PairReport;
  /** Kenyon to MBON edges with positive weight: candidates of the plastic selection (spec: brain.md 6.2). */
  readonly plasticCandidates: number;
};

export type Spread = {
  readonly mean: number;
  /** Deviation of the natural logarithm over non-zero values. */
  readonly logDeviation: number;
  readonly p10: number;
  readonly median: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
};

export type PairReport = {
  readonly pairs: number;
  readonly contacts: Spread;
  /** Targets in the second population per connected source, and the reverse. */
  readonly outPerSource: Spread;
  readonly inPerTarget: Spread;
};

export function reportConnectome(graph: ReportedGraph): ConnectomeReport {
  const { indptr, targets, weights, roles } = graph;
  const neurons = indptr.length - 1;
  const edges = targets.length;
  const out = new Uint32Array(neurons);
  const into = new Uint32Array(neurons);
  let reciprocal = 0;
  let selfEdges = 0;
  for (let s = 0; s < neurons; s++) {
    out[s] = indptr[s + 1]! - indptr[s]!;
    for (let e = indptr[s]!; e < indptr[s + 1]!; e++) {
      const t = targets[e]!;
      into[t]!++;
      if (t === s) selfEdges++;
      else if (hasEdge(graph, t, s)) reciprocal++;
    }
  }
  let negativeEdges = 0;
  let negativeContacts = 0;
  let contactSum = 0;
  const contacts = new Uint32Array(edges);
  for (let e = 0; e < edges; e++) {
    contacts[e] = Math.abs(weights[e]!);
    contactSum += contacts[e]!;
    if (weights[e]! >= 0) continue;
    negativeEdges++;
    negativeContacts += contacts[e]!;
  }
  const kenyon = roles.get('kenyon') ?? [];
  const mbon = roles.get('mbon') ?? [];
  return {
    neurons,
    edges,
    meanDegree: neurons === 0 ? 0 : edges / neurons,
    outDegree: spreadOf(out),
    inDegree: spreadOf(into),
    contacts: spreadOf(contacts),
    negativeEdges: edges === 0 ? 0 : negativeEdges / edges,
    negativeContacts: contactSum === 0 ? 0 : negativeContacts / contactSum,
    reciprocity: edges === 0 ? 0 : reciprocal / edges,
    selfEdges,
    roleSizes: Object.fromEntries(Array.from(roles, ([name, members]) => [name, members.length])),
    kenyonToMbon: reportPairs(graph, kenyon, mbon),
    mbonToMbon: reportPairs(graph, mbon, mbon),
    plasticCandidates: countPlasticCandidates(graph, kenyon, mbon),
  };
}

/** Edges from one population to another. */
export function reportPairs(graph: ReportedGraph, from: ArrayLike<number>, to: ArrayLike<number>): PairReport {
  const { indptr, targets, weights } = graph;
  const isTarget = memberFlags(to, indptr.length - 1);
  const into = new Uint32Array(indptr.length - 1);
  const contacts: number[] = [];
  const out: number[] = [];
  for (let k = 0; k < from.length; k++) {
    const source = from[k]!;
    let count = 0;
    for (let e = indptr[source]!; e < indptr[source + 1]!; e++) {
      if (isTarget[targets[e]!] === 0) continue;
      count++;
      into[targets[e]!]!++;
      contacts.push(Math.abs(weights[e]!));
    }
    if (count > 0) out.push(count);
  }
  return {
    pairs: contacts.length,
    contacts: spreadOf(contacts),
    outPerSource: spreadOf(out),
    inPerTarget: spreadOf(into.filter((count) => count > 0)),
  };
}

function countPlasticCandidates(graph: ReportedGraph, kenyon: ArrayLike<number>, mbon: ArrayLike<number>): number {
  const isMbon = memberFlags(mbon, graph.indptr.length - 1);
  let count = 0;
  for (let k = 0; k < kenyon.length; k++) {
    const source = kenyon[k]!;
    for (let e = graph.indptr[source]!; e < graph.indptr[source + 1]!; e++) {
      const target = graph.targets[e]!;
      if (isMbon[target] === 1 && target !== source && graph.weights[e]! > 0) count++;
    }
  }
  return count;
}

function memberFlags(members: ArrayLike<number>, neurons: number): Uint8Array {
  const flags = new Uint8Array(neurons);
  for (let k = 0; k < members.length; k++) flags[members[k]!] = 1;
  return flags;
}

/** Rows are target-ascending in built bundles; test graphs need not be (spec: brain.md 1.3), so short rows are scanned. */
function hasEdge({ indptr, targets }: ReportedGraph, source: number, target: number): boolean {
  let low = indptr[source]!;
  let high = indptr[source + 1]!;
  while (high - low > 8 && targets[low]! <= target && target <= targets[high - 1]!) {
    const middle = (low + high) >> 1;
    if (targets[middle]! <= target) low = middle;
    else high = middle;
  }
  for (let e = low; e < high; e++) if (targets[e] === target) return true;
  return false;
}

function spreadOf(values: ArrayLike<number>): Spread {
  const sorted = Float64Array.from(values).sort();
  const count = sorted.length;
  if (count === 0) return { mean: 0, logDeviation: 0, p10: 0, median: 0, p90: 0, p99: 0, max: 0 };
  let sum = 0;
  let logs = 0;
  let squares = 0;
  let positive = 0;
  for (const value of sorted) {
    sum += value;
    if (value <= 0) continue;
    const log = Math.log(value);
    logs += log;
    squares += log * log;
    positive++;
  }
  const meanLog = positive === 0 ? 0 : logs / positive;
  const at = (share: number): number => sorted[Math.min(count - 1, Math.floor(count * share))]!;
  return {
    mean: sum / count,
    logDeviation: positive === 0 ? 0 : Math.sqrt(Math.max(0, squares / positive - meanLog * meanLog)),
    p10: at(0.1),
    median: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: sorted[count - 1]!,
  };
}
