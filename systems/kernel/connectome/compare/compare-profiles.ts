import type { Spread } from '../report-connectome.ts';
import type { ConnectomeProfile } from './profile-connectome.ts';

/** One figure of both wirings. */
export type ComparisonRow = {
  readonly section: string;
  readonly label: string;
  readonly unit: 'count' | 'share' | 'Hz';
  /** null when this wiring has no such thing; 0 is a measured nothing. */
  readonly a: number | null;
  readonly b: number | null;
  /** b / a; null when one is missing or a is 0. */
  readonly ratio: number | null;
};

type Figure = { readonly section: string; readonly label: string; readonly unit: ComparisonRow['unit'] };

/** Rows in reading order: size, degrees, contacts, signs, structure, transmitters, populations, rates. */
export function compareProfiles(a: ConnectomeProfile, b: ConnectomeProfile): ComparisonRow[] {
  const rows: ComparisonRow[] = [];
  const add = (figure: Figure, left: number | null, right: number | null): void => {
    const ratio = left === null || right === null || left === 0 ? null : right / left;
    rows.push({ ...figure, a: left, b: right, ratio });
  };
  for (const [figure, read] of FIGURES) add(figure, read(a), read(b));
  for (const unit of ['connection rows', 'neurons'] as const) {
    const [left, right] = [a, b].map(({ transmitters }) => (transmitters?.unit === unit ? transmitters.counts : null));
    for (const label of unionOf(Object.keys(left ?? {}), Object.keys(right ?? {}))) {
      const share = (counts: Readonly<Record<string, number>> | null | undefined): number | null =>
        counts === null || counts === undefined ? null : (counts[label] ?? 0) / sumOf(counts);
      add({ section: `transmitters, of ${unit}`, label: label || 'none', unit: 'share' }, share(left), share(right));
    }
  }
  for (const role of unionOf(Object.keys(a.report.roleSizes), Object.keys(b.report.roleSizes))) {
    if (role.startsWith('macro_')) continue; // 31 rows of 6 or 7
    const size = ({ report }: ConnectomeProfile): number | null => report.roleSizes[role] ?? null;
    add({ section: 'population sizes', label: role, unit: 'count' }, size(a), size(b));
  }
  const section = `mean rate after ${a.activity.warmupTicks.toLocaleString('en')} ticks`;
  add({ section, label: 'all neurons', unit: 'Hz' }, a.activity.populationHz, b.activity.populationHz);
  const names = ({ activity }: ConnectomeProfile): string[] => activity.groups.map(({ name }) => name);
  for (const name of unionOf(names(a), names(b))) {
    const rate = ({ activity }: ConnectomeProfile): number | null =>
      activity.groups.find((group) => group.name === name)?.hz ?? null;
    add({ section, label: name, unit: 'Hz' }, rate(a), rate(b));
  }
  add({ section, label: 'neurons that spiked', unit: 'share' }, a.activity.activeShare, b.activity.activeShare);
  return rows;
}

type Reader = (profile: ConnectomeProfile) => number | null;

const FIGURES: readonly (readonly [Figure, Reader])[] = [
  figure('size', 'neurons', 'count', ({ report }) => report.neurons),
  figure('size', 'directed pair edges', 'count', ({ report }) => report.edges),
  figure('size', 'retina columns', 'count', ({ retinaColumns }) => retinaColumns),
  figure('size', 'plastic candidates', 'count', ({ report }) => report.plasticCandidates),
  ...spreadFigures('out-degree', ({ report }) => report.outDegree),
  ...spreadFigures('in-degree', ({ report }) => report.inDegree),
  ...spreadFigures('contacts an edge', ({ report }) => report.contacts),
  figure('signs', 'negative edges', 'share', ({ report }) => report.negativeEdges),
  figure('signs', 'negative contacts', 'share', ({ report }) => report.negativeContacts),
  figure('signs', 'neurons, all outputs positive', 'share', (p) => p.signs.excitatory / p.report.neurons),
  figure('signs', 'neurons, all outputs negative', 'share', (p) => p.signs.inhibitory / p.report.neurons),
  figure('signs', 'neurons, outputs of both signs', 'share', (p) => p.signs.mixed / p.report.neurons),
  figure('signs', 'neurons without output', 'share', (p) => p.signs.withoutOutput / p.report.neurons),
  figure('structure', 'reciprocal edges', 'share', ({ report }) => report.reciprocity),
  figure('structure', 'self-edges', 'count', ({ report }) => report.selfEdges),
  figure('structure', 'Kenyon to MBON pairs', 'count', ({ report }) => report.kenyonToMbon.pairs),
  figure('structure', 'MBON to MBON pairs', 'count', ({ report }) => report.mbonToMbon.pairs),
];

function figure(section: string, label: string, unit: ComparisonRow['unit'], read: Reader): readonly [Figure, Reader] {
  return [{ section, label, unit }, read];
}

function spreadFigures(
  section: string,
  spreadOf: (profile: ConnectomeProfile) => Spread,
): (readonly [Figure, Reader])[] {
  const quantiles = ['mean', 'p10', 'median', 'p90', 'p99', 'max'] as const;
  return quantiles.map((name) => figure(section, name, 'count', (profile) => spreadOf(profile)[name]));
}

/** In the first list's order, then what only the second has. */
function unionOf(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])];
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
