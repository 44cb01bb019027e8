import type { GraphArrays } from '../../validate-graph.ts';
import { reportConnectome } from '../../report-connectome.ts';
import type { ConnectomeReport } from '../../report-connectome.ts';
import type { SortedEdges } from '../sort-edges.ts';
import { LARVA_PARAMETERS } from './larva-parameters.ts';
import type { LarvaRoles } from './larva-roles.ts';
import { INHIBITORY_CLASSES } from './larva-signs.ts';
import type { UnsignedPolicy } from './larva-signs.ts';
import type { LarvaNeuron } from './read-larva-tables.ts';

export type LarvaReport = {
  readonly inventory: {
    readonly listed: number;
    readonly kept: number;
    /** Listed without any edge, so left out; ids as text. */
    readonly isolated: readonly string[];
    readonly hemispheres: Readonly<Record<string, number>>;
    readonly groups: Readonly<Record<string, number>>;
  };
  readonly edges: {
    readonly pairs: number;
    readonly contacts: number;
    readonly selfEdges: number;
    readonly duplicates: number;
    /** Pairs with at least this many contacts. */
    readonly atLeast: Readonly<Record<string, number>>;
  };
  readonly signs: {
    readonly policy: UnsignedPolicy;
    readonly rule: string;
    readonly inhibitoryClasses: readonly string[];
  };
  /** Sentences about what this bundle cannot do. */
  readonly missing: readonly string[];
  /** Sentences about what we chose where the table is silent. */
  readonly assumed: readonly string[];
  /** Kernel constants that suit this size; the importer does not set them. */
  readonly suggestedParameters: typeof LARVA_PARAMETERS;
  readonly graph: ConnectomeReport;
};

export function reportLarva(found: {
  readonly neurons: readonly LarvaNeuron[];
  readonly isolated: readonly LarvaNeuron[];
  readonly edges: SortedEdges;
  readonly graph: GraphArrays;
  readonly roles: LarvaRoles;
  readonly unsignedPolicy: UnsignedPolicy;
  readonly rule: string;
}): LarvaReport {
  const { neurons, isolated, edges, graph, roles, unsignedPolicy, rule } = found;
  const merged = new Map(Object.entries({ ...roles.meta, ...roles.circuits }));
  const measured = reportConnectome({ ...graph, roles: merged });
  let contacts = 0;
  for (const count of edges.contacts) contacts += count;
  const isSigned = unsignedPolicy === 'local-inhibitory';
  return {
    inventory: {
      listed: neurons.length + isolated.length,
      kept: neurons.length,
      isolated: isolated.map(({ id }) => String(id)),
      hemispheres: tally(neurons, ({ hemisphere }) => hemisphere),
      groups: tally(neurons, ({ group }) => group),
    },
    edges: {
      pairs: edges.targets.length,
      contacts,
      selfEdges: measured.selfEdges,
      duplicates: edges.duplicates,
      atLeast: Object.fromEntries(
        [1, 2, 5, 10, 20].map((least) => [String(least), edges.contacts.reduce((n, c) => n + (c >= least ? 1 : 0), 0)]),
      ),
    },
    signs: { policy: unsignedPolicy, rule, inhibitoryClasses: isSigned ? INHIBITORY_CLASSES : [] },
    missing: [
      'transmitters: the table has none',
      'retina columns: none, so a picture reaches no neuron (visual count 0)',
      'coordinates: the table has none',
      'motor, steering, forward, backward and proboscis populations: not named in the table',
      'dopamine neurons: not separated from other mushroom-body input neurons',
    ],
    assumed: [
      isSigned
        ? `edges of ${INHIBITORY_CLASSES.join(', ')} are negative after literature, all others positive`
        : 'every edge is positive; without inhibition activity is limited only by refractoriness and leak',
      'reward_pam is all mushroom-body input neurons (MBIN)',
      'descending is dVNC and dSEZ; command pools deal it by index modulo 8',
      'macro pools deal the output neurons of the mushroom body only, because no motor neurons are named',
      'positions are a layout by group and hemisphere',
    ],
    suggestedParameters: LARVA_PARAMETERS,
    graph: measured,
  };
}

function tally<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
