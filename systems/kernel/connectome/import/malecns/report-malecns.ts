import { bodyText } from './body-index.ts';
import type { CheckedSource } from './check-sources.ts';
import type { DrawnGeometry } from './draw-geometry.ts';
import type { Profile } from './identities.ts';
import type { L1Report } from './l1-columns.ts';
import type { Population } from './populations.ts';
import { SIDES } from './read-inventory.ts';
import type { Inventory, InventoryCounts, InventoryRule } from './read-inventory.ts';
import type { TransmitterReport } from './read-transmitters.ts';
import type { WeightReport } from './read-weights.ts';
import { REPORTED_INVENTORIES } from './release.ts';
import type { SignedWeights } from './sign-weights.ts';
import { tallyTexts } from './text-column.ts';

/** One step from the release to the bundle, with what went in and what came out (spec: brain.md 3.3). */
export type StageRecord = {
  readonly stage: string;
  readonly tool: string;
  readonly definition: string;
  /** SHA-256 of what the stage made. */
  readonly outputs: Readonly<Record<string, string>>;
};

/** Fields of spec brain.md 3.4, in its order, after provenance. */
export type MaleCnsReport = {
  readonly provenance: {
    readonly release: string;
    /** No database was queried. */
    readonly databaseRevision: null;
    readonly sources: Readonly<
      Record<string, { readonly sha256: string; readonly bytes: number; readonly state: string }>
    >;
    readonly stages: readonly StageRecord[];
  };
  readonly inventory: {
    readonly rule: InventoryRule;
    readonly counts: InventoryCounts;
    /** What others report for the release; ours is `counts.chosen`. */
    readonly reportedByOthers: typeof REPORTED_INVENTORIES;
    readonly superclasses: Readonly<Record<string, number>>;
  };
  /** Chosen bodies that another table lacks, ids as text, at most 100 each. */
  readonly missingIds: {
    readonly withoutTransmitterRow: number;
    readonly withoutEdge: number;
    readonly withoutEdgeIds: readonly string[];
    /** null when the table of segments is not there. */
    readonly withoutStats: number | null;
    readonly segments: number | null;
  };
  readonly unannotated: { readonly withoutType: number; readonly withoutClass: number };
  readonly populations: readonly {
    readonly role: string;
    readonly predicate: string;
    readonly count: number;
    readonly sides: Readonly<Record<string, number>>;
    readonly otherSide: number;
    readonly aliases: readonly string[];
    readonly citation: string;
  }[];
  readonly emptyPopulations: readonly string[];
  readonly geometry: DrawnGeometry['report'];
  readonly sides: Readonly<Record<string, number>>;
  readonly transmitters: TransmitterReport;
  readonly weights: WeightReport & { readonly threshold: number; readonly keepAutapses: boolean };
  readonly signed: {
    readonly clipped: number;
    readonly smallest: number;
    readonly largest: number;
    readonly negativeEdges: number;
  };
  readonly retina: L1Report;
  readonly csrBytes: number;
  readonly profiles: readonly Profile[];
};

export type ReportParts = {
  readonly release: string;
  readonly sources: Iterable<CheckedSource>;
  readonly stages: readonly StageRecord[];
  readonly inventory: Inventory;
  readonly stats: { readonly segments: number; readonly missing: number } | null;
  readonly populations: readonly Population[];
  readonly geometry: DrawnGeometry['report'];
  readonly transmitters: TransmitterReport;
  readonly weights: WeightReport;
  readonly threshold: number;
  readonly keepAutapses: boolean;
  readonly signed: SignedWeights;
  readonly retina: L1Report;
  readonly indptr: Uint32Array;
  readonly targets: Uint32Array;
  readonly profiles: readonly Profile[];
};

/** Ids listed one by one; more are only counted. */
const LISTED_IDS = 100;

export function reportMaleCns(parts: ReportParts): MaleCnsReport {
  const { inventory, populations, signed, indptr, targets } = parts;
  const lonely = neuronsWithoutEdge(indptr, targets);
  return {
    provenance: {
      release: parts.release,
      databaseRevision: null,
      sources: Object.fromEntries(
        [...parts.sources].map(({ file, sha256, bytes, state }) => [file, { sha256, bytes, state }]),
      ),
      stages: parts.stages,
    },
    inventory: {
      rule: inventory.rule,
      counts: inventory.counts,
      reportedByOthers: REPORTED_INVENTORIES,
      superclasses: tallyTexts(inventory.superclass),
    },
    missingIds: {
      withoutTransmitterRow: parts.transmitters.sources['no-row'],
      withoutEdge: lonely.length,
      withoutEdgeIds: lonely.slice(0, LISTED_IDS).map((i) => bodyText(inventory.low[i]!, inventory.high[i]!)),
      withoutStats: parts.stats?.missing ?? null,
      segments: parts.stats?.segments ?? null,
    },
    unannotated: {
      withoutType: tallyTexts(inventory.type)['(blank)'] ?? 0,
      withoutClass: tallyTexts(inventory.class)['(blank)'] ?? 0,
    },
    populations: populations.map(({ rule, members, sides, otherSide }) => ({
      role: rule.role,
      predicate: rule.predicate,
      count: members.length,
      sides,
      otherSide,
      aliases: rule.aliases,
      citation: rule.citation,
    })),
    emptyPopulations: populations.filter(({ members }) => members.length === 0).map(({ rule }) => rule.role),
    geometry: parts.geometry,
    sides: Object.fromEntries(
      SIDES.map((side, code) => [side, inventory.side.reduce((sum, found) => sum + Number(found === code), 0)]),
    ),
    transmitters: parts.transmitters,
    weights: { ...parts.weights, threshold: parts.threshold, keepAutapses: parts.keepAutapses },
    signed: {
      clipped: signed.clipped.length,
      smallest: signed.smallest,
      largest: signed.largest,
      negativeEdges: signed.negativeEdges,
    },
    retina: parts.retina,
    csrBytes: 4 * indptr.length + 6 * targets.length,
    profiles: parts.profiles,
  };
}

function neuronsWithoutEdge(indptr: Uint32Array, targets: Uint32Array): number[] {
  const touched = new Uint8Array(indptr.length - 1);
  for (const target of targets) touched[target] = 1;
  const lonely: number[] = [];
  for (let i = 0; i < touched.length; i++) if (touched[i] === 0 && indptr[i] === indptr[i + 1]) lonely.push(i);
  return lonely;
}
