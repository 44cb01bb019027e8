import type { BundleParts } from '../../write-bundle.ts';
import { sha256 } from '../../fingerprint.ts';
import { reportConnectome } from '../../report-connectome.ts';
import type { ConnectomeReport } from '../../report-connectome.ts';
import type { Sources } from './check-sources.ts';
import { CODEX_FILES, PUBLISHED_DIGESTS, PUBLISHED_ROLES, PUBLISHED_SHA256, PUBLISHED_TOTALS } from './codex-files.ts';
import type { CodexFile, Published } from './codex-files.ts';
import { isKnownTransmitter } from './merge-connections.ts';
import type { EdgeFacts } from './merge-connections.ts';
import type { RowCount } from './table-input.ts';

/** What one import found; written into the bundle as `report.json`. */
export type FafbReport = {
  readonly neurons: number;
  readonly edges: number;
  readonly retinaColumns: number;
  readonly sources: Readonly<Record<CodexFile, { readonly sha256: string; readonly expected: string }>>;
  /** All five exports are the published ones. */
  readonly published: boolean;
  /** By table: its rows, and those left out because their neuron is not in the inventory. */
  readonly tables: Readonly<Record<CodexFile, RowCount>>;
  readonly neuronsWithoutPosition: number;
  readonly connections: EdgeFacts & {
    /** Labels outside ACH, GABA, GLUT, OCT, SER, DA, and their rows; all positive. */
    readonly unknownTransmitters: Readonly<Record<string, number>>;
  };
  /** Totals and populations, with what was published where it can be expected of these files. */
  readonly counts: Readonly<Record<string, Compared<number>>>;
  /** Digests 2 to 7 of the fingerprint (spec: brain.md 1.4). */
  readonly digests: Readonly<Record<string, Compared<string>>>;
  readonly graph: ConnectomeReport;
};

export type Compared<T> = { readonly found: T; readonly published: T | null };

export type ReportInput = {
  readonly sources: Sources;
  readonly parts: Pick<BundleParts, 'meta' | 'circuitRoles' | 'graph' | 'viewer'>;
  readonly tables: Readonly<Record<CodexFile, RowCount>>;
  readonly neuronsWithoutPosition: number;
  readonly facts: EdgeFacts;
};

export function reportFafb({ sources, parts, tables, neuronsWithoutPosition, facts }: ReportInput): FafbReport {
  const { meta, circuitRoles, graph, viewer } = parts;
  const roles = new Map(Object.entries({ ...meta.roles, ...circuitRoles?.roles }));
  const published = CODEX_FILES.every((file) => sources[file].published);
  const compare = (found: number, expected: Published | undefined): Compared<number> => ({
    found,
    published: expected?.from.every((file) => sources[file].published) === true ? expected.count : null,
  });
  const classCounts = [0, 0, 0];
  for (const kind of viewer.classes) classCounts[kind]!++;
  const totals: Readonly<Record<keyof typeof PUBLISHED_TOTALS, number>> = {
    neurons: meta.neurons,
    edges: meta.edges,
    fibres: viewer.viewerEdges.length / 2,
    afferent: classCounts[0]!,
    intrinsic: classCounts[1]!,
    efferent: classCounts[2]!,
  };
  const roleNames = new Set([...Object.keys(PUBLISHED_ROLES), ...roles.keys()]);
  return {
    neurons: meta.neurons,
    edges: meta.edges,
    retinaColumns: meta.visual.count,
    sources: forEachFile((file) => ({ sha256: sources[file].sha256, expected: PUBLISHED_SHA256[file] })),
    published,
    tables,
    neuronsWithoutPosition,
    connections: {
      ...facts,
      unknownTransmitters: Object.fromEntries(
        Object.entries(facts.transmitterRows).filter(([label]) => !isKnownTransmitter(label)),
      ),
    },
    counts: {
      ...mapEntries(totals, (name, found) => compare(found, PUBLISHED_TOTALS[name as keyof typeof PUBLISHED_TOTALS])),
      ...Object.fromEntries(
        Array.from(roleNames, (name) => [name, compare(roles.get(name)?.length ?? 0, PUBLISHED_ROLES[name])]),
      ),
    },
    digests: mapEntries(PUBLISHED_DIGESTS, (name, expected) => ({
      found: sha256(graph[name as keyof typeof graph]),
      published: published ? expected : null,
    })),
    graph: reportConnectome({ ...graph, roles }),
  };
}

/** Names of counts and digests that differ from what was published for these very files. */
export function deviations({ counts, digests }: Pick<FafbReport, 'counts' | 'digests'>): string[] {
  return Object.entries<Compared<number | string>>({ ...counts, ...digests })
    .filter(([, { found, published }]) => published !== null && found !== published)
    .map(([name, { found, published }]) => `${name} is ${found}, published ${published}`);
}

function forEachFile<T>(make: (file: CodexFile) => T): Record<CodexFile, T> {
  return Object.fromEntries(CODEX_FILES.map((file) => [file, make(file)])) as Record<CodexFile, T>;
}

function mapEntries<T, U>(record: Readonly<Record<string, T>>, make: (name: string, value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(name, value)]));
}
