import { join } from 'node:path';
import { DataError } from '../../../../../engine/errors.ts';
import type { BundleOrigin } from '../../bundle-origin.ts';
import { oneLine } from '../../one-line.ts';
import { packWeights } from '../../validate-graph.ts';
import { writeBundle } from '../../write-bundle.ts';
import { sortEdges } from '../sort-edges.ts';
import type { SortedEdges } from '../sort-edges.ts';
import { LARVA_GROUPS } from './larva-groups.ts';
import { LARVA_SIGN_RULES, signOf } from './larva-signs.ts';
import type { UnsignedPolicy } from './larva-signs.ts';
import { assignLarvaRoles } from './larva-roles.ts';
import { placeLarva } from './place-larva.ts';
import { EDGES_FILE, NEURONS_FILE, readLarvaTables } from './read-larva-tables.ts';
import type { LarvaNeuron, LarvaTables } from './read-larva-tables.ts';
import { reportLarva } from './report-larva.ts';
import type { LarvaReport } from './report-larva.ts';

export type ImportLarvaOptions = {
  /** Holds `neurons.csv.gz` and `edges.csv.gz`. */
  readonly folder: string;
  /** The bundle's own folder; replaced as a whole when it exists. */
  readonly out: string;
  /** Default `excitatory`; the table has no transmitters. */
  readonly unsignedPolicy?: UnsignedPolicy;
  readonly onProgress?: (phase: 'reading' | 'building' | 'writing' | 'done') => void;
};

/** Changes whenever the same tables would give another bundle. */
export const LARVA_IMPORTER = 'larva-import-1';

/** Contacts an edge needs to be drawn as a line on the map. */
const FIBRE_CONTACTS = 12;

/**
 * Imports the whole larval brain (spec: twin.md 5): every neuron that has an edge, all edges with their contact counts,
 * populations from the table's groups, a layout, no retina. What is missing or assumed is in the report.
 * @throws DataError IMPORT_*, LARVA_ENDS, LARVA_GROUP, LARVA_UNSIGNED; nothing is written then
 */
export async function importLarva({
  folder,
  out,
  unsignedPolicy = 'excitatory',
  onProgress = () => {},
}: ImportLarvaOptions): Promise<LarvaReport> {
  if (unsignedPolicy === 'refuse') {
    throw new DataError(
      'LARVA_UNSIGNED',
      `${folder}: the larval table has no transmitters, so no edge has a sign. ` +
        'Choose the policy "excitatory" or "local-inhibitory".',
    );
  }
  onProgress('reading');
  const tables = await readLarvaTables(folder);
  onProgress('building');
  const { neurons, isolated, edges } = selectGraph(tables, folder);
  const weights = signWeights(neurons, edges, unsignedPolicy, out);
  const roles = assignLarvaRoles(neurons);
  const rule = LARVA_SIGN_RULES[unsignedPolicy];
  const dataset = `Larval brain, Winding et al. 2023 (${LARVA_IMPORTER}, ${rule})`;
  const graph = {
    indptr: edges.indptr,
    targets: edges.targets,
    weights,
    visualIndices: new Uint32Array(0),
    visualHemisphere: new Uint8Array(0),
    visualXY: new Float32Array(0),
  };
  const report = reportLarva({ neurons, isolated, edges, graph, roles, unsignedPolicy, rule });
  onProgress('writing');
  await writeBundle(out, {
    meta: {
      schemaVersion: 1,
      dataset,
      retrieved: 'not recorded',
      neurons: neurons.length,
      edges: edges.targets.length,
      sourceFiles: tables.sourceFiles,
      roles: roles.meta,
      visual: { population: 'none', count: 0 },
      weightEncoding: `contact count; the table has no transmitters, signs by ${rule}`,
      positionPolicy: 'layout by group and hemisphere, not anatomy',
    },
    circuitRoles: { dataset, neurons: neurons.length, roles: roles.circuits },
    graph,
    viewer: {
      positions: placeLarva(neurons),
      classes: Uint8Array.from(neurons, ({ group }) => LARVA_GROUPS[group]!.viewerClass),
      viewerEdges: strongEdges(edges),
    },
    origin: describeOrigin(unsignedPolicy),
    report,
    tables: { 'neurons.json': describeNeurons(neurons) },
  });
  onProgress('done');
  return report;
}

/** Neurons with at least one edge, and the edges between them as sorted rows. */
function selectGraph(
  { neurons: listed, pre, post, contacts }: LarvaTables,
  folder: string,
): { neurons: LarvaNeuron[]; isolated: LarvaNeuron[]; edges: SortedEdges } {
  const known = new Set(listed.map(({ id }) => id));
  const connected = new Set<number>();
  for (let e = 0; e < pre.length; e++) {
    for (const id of [pre[e]!, post[e]!]) {
      if (!known.has(id)) {
        throw new DataError(
          'LARVA_ENDS',
          `${join(folder, EDGES_FILE)}: edge ${e + 1} names neuron ${id}, which ${NEURONS_FILE} lacks. ` +
            'Use both tables of one release.',
        );
      }
      connected.add(id);
    }
  }
  for (const { id, group } of listed) {
    if (Object.hasOwn(LARVA_GROUPS, group)) continue;
    throw new DataError(
      'LARVA_GROUP',
      `${join(folder, NEURONS_FILE)}: neuron ${id}, simple_group: "${oneLine(group)}" is unknown. Use the 2023 table.`,
    );
  }
  const neurons = listed.filter(({ id }) => connected.has(id));
  const indexOf = new Map(neurons.map(({ id }, index) => [id, index]));
  const edges = sortEdges({
    neurons: neurons.length,
    pre: Uint32Array.from(pre, (id) => indexOf.get(id)!),
    post: Uint32Array.from(post, (id) => indexOf.get(id)!),
    contacts,
  });
  return { neurons, isolated: listed.filter(({ id }) => !connected.has(id)), edges };
}

function signWeights(
  neurons: readonly LarvaNeuron[],
  { indptr, contacts }: SortedEdges,
  policy: UnsignedPolicy,
  where: string,
): Int16Array {
  const signed = Int32Array.from(contacts);
  neurons.forEach((neuron, index) => {
    if (signOf(neuron, policy) > 0) return;
    for (let e = indptr[index]!; e < indptr[index + 1]!; e++) signed[e] = -contacts[e]!;
  });
  return packWeights(signed, where);
}

function strongEdges({ indptr, targets, contacts }: SortedEdges): Uint32Array {
  const pairs: number[] = [];
  for (let s = 0; s + 1 < indptr.length; s++) {
    for (let e = indptr[s]!; e < indptr[s + 1]!; e++) {
      if (contacts[e]! >= FIBRE_CONTACTS && targets[e] !== s) pairs.push(s, targets[e]!);
    }
  }
  return Uint32Array.from(pairs);
}

function describeOrigin(policy: UnsignedPolicy): BundleOrigin {
  const signs = policy === 'excitatory' ? 'every edge taken as excitatory' : 'signs assumed by cell class';
  return {
    origin: 'measured',
    name: `Larval brain, ${signs}`,
    seed: null,
    generator: LARVA_IMPORTER,
    credit:
      'Winding et al. 2023 (10.1126/science.add9330), tables of Pedigo et al. 2023 (10.7554/eLife.83739), MIT; ' +
      `the table has no transmitters: ${signs}.`,
  };
}

/** What the table says about every neuron, in index order; ids as text. */
function describeNeurons(neurons: readonly LarvaNeuron[]): string {
  const rows = neurons.map(({ id, name, group, classes, hemisphere, pair }) =>
    JSON.stringify({ id: String(id), name, group, classes, hemisphere, pair: pair === null ? null : String(pair) }),
  );
  return `[\n${rows.join(',\n')}\n]\n`;
}
