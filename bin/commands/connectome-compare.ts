import { writeFile } from 'node:fs/promises';
import { drawComparison } from '../../scenes/charts/comparison-chart.ts';
import type { ChartSide, ComparisonChart } from '../../scenes/charts/comparison-chart.ts';
import type { RateBar } from '../../scenes/charts/draw-rates.ts';
import { compareConnectomes } from '../../systems/kernel/connectome/compare-connectomes.ts';
import type { ConnectomeComparison } from '../../systems/kernel/connectome/compare-connectomes.ts';
import type { ComparisonRow } from '../../systems/kernel/connectome/compare/compare-profiles.ts';
import { describeParameters } from '../../systems/kernel/connectome/compare/read-report-facts.ts';
import type { ConnectomeProfile } from '../../systems/kernel/connectome/compare/profile-connectome.ts';
import { resolveBundle } from './resolve-bundle.ts';

/** Two wirings side by side: a table on standard output, and a picture when a file is named. */
export async function connectomeCompareCommand(
  nameA: string,
  nameB: string,
  { png, json }: { png?: string; json?: boolean },
): Promise<void> {
  const folders = [await resolveBundle(nameA), await resolveBundle(nameB)] as const;
  const comparison = await compareConnectomes(folders);
  if (png !== undefined) await writeFile(png, await drawComparison(toChart(comparison)));
  if (json === true) process.stdout.write(`${JSON.stringify(comparison, null, 2)}\n`);
  else process.stdout.write(formatComparison(comparison));
  if (png !== undefined) process.stderr.write(`drawn to ${png}\n`);
}

/** The table: one section after the other, first wiring, second wiring, second over first. */
export function formatComparison({ a, b, rows }: ConnectomeComparison): string {
  const cells = rows.map((row) => [
    row.label,
    formatValue(row.a, row.unit),
    formatValue(row.b, row.unit),
    formatRatio(row),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(5, ...cells.map((cell) => cell[column]!.length)));
  const lines = [describeSide('A', a), describeSide('B', b)];
  let section = '';
  rows.forEach((row, index) => {
    if (row.section !== section) {
      section = row.section;
      const head = section.padEnd(widths[0]! + 2);
      lines.push(
        '',
        `${head}  ${'A'.padStart(widths[1]!)}  ${'B'.padStart(widths[2]!)}  ${'B/A'.padStart(widths[3]!)}`,
      );
    }
    const [label, ...values] = cells[index]!;
    lines.push(
      `  ${label!.padEnd(widths[0]!)}  ${values.map((value, i) => value.padStart(widths[i + 1]!)).join('  ')}`,
    );
  });
  return `${lines.join('\n')}\n`;
}

function describeSide(letter: string, { name, origin, credit, identity, parameters }: ConnectomeProfile): string {
  const constants = describeParameters(parameters);
  return (
    `${letter}  ${name}: ${ORIGIN_WORDS[origin]}, identity ${identity.slice(0, 16)}\n` +
    `   ${credit}\n` +
    `   kernel constants: ${constants === '' ? 'defaults' : `defaults, but ${constants} as its importer suggests`}`
  );
}

const ORIGIN_WORDS = {
  grown: 'grown twin, not a measured wiring',
  rewired: 'rewired control, not a measured wiring',
  measured: 'measured wiring',
} as const;

function formatValue(value: number | null, unit: ComparisonRow['unit']): string {
  if (value === null) return '-';
  if (unit === 'share') return `${(100 * value).toFixed(2)} %`;
  if (unit === 'Hz') return value.toFixed(2);
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(2);
}

function formatRatio({ ratio }: ComparisonRow): string {
  return ratio === null ? '-' : ratio.toFixed(ratio < 0.1 && ratio > 0 ? 4 : 2);
}

/** What the picture shows of a comparison. */
export function toChart({ a, b, rows }: ConnectomeComparison): ComparisonChart {
  const { warmupTicks, measuredTicks } = a.activity;
  return {
    sides: [toSide(a), toSide(b)],
    facts: DRAWN_FACTS.flatMap(([section, label, shown]) => {
      const row = rows.find((each) => each.section === section && each.label === label);
      if (row === undefined) return [];
      const values = [formatValue(row.a, row.unit), formatValue(row.b, row.unit)] as const;
      return [{ label: shown, values, ratio: formatRatio(row) }];
    }),
    rates: toBars(a, b),
    rateNote: `${measuredTicks.toLocaleString('en')} ms after ${warmupTicks.toLocaleString('en')}, grey light, no learning`,
  };
}

const DRAWN_FACTS = [
  ['out-degree', 'mean', 'mean degree'],
  ['out-degree', 'median', 'median out-degree'],
  ['in-degree', 'median', 'median in-degree'],
  ['contacts an edge', 'mean', 'contacts an edge'],
  ['signs', 'negative edges', 'negative edges'],
  ['structure', 'reciprocal edges', 'reciprocal edges'],
  ['structure', 'Kenyon to MBON pairs', 'KC to MBON pairs'],
  ['size', 'retina columns', 'retina columns'],
] as const;

function toSide({ name, origin, report, outDegree, inDegree, contacts }: ConnectomeProfile): ChartSide {
  const { neurons, edges } = report;
  return { name, origin: ORIGIN_WORDS[origin], neurons, edges, outDegree, inDegree, contacts };
}

/** Fewer neurons than this give a rate that says more about one neuron than about a population. */
const DRAWN_POPULATION = 20;

function toBars(a: ConnectomeProfile, b: ConnectomeProfile): RateBar[] {
  const groups = [a, b].map(({ activity }) => new Map(activity.groups.map((group) => [group.name, group])));
  const names = [...new Set(groups.flatMap((group) => [...group.keys()]))];
  const drawn = names.filter((name) => groups.some((group) => (group.get(name)?.neurons ?? 0) >= DRAWN_POPULATION));
  // names of our own roles first; an importer's qualified groups (`larva.KCs`) fill the room that is left
  drawn.sort((left, right) => Number(left.includes('.')) - Number(right.includes('.')));
  return [
    { label: 'all neurons', meaning: 'internal', hz: [a.activity.populationHz, b.activity.populationHz] },
    ...drawn.map((name): RateBar => {
      const [left, right] = groups.map((group) => group.get(name)?.hz ?? null);
      return { label: name, meaning: meaningOf(name), hz: [left ?? null, right ?? null] };
    }),
  ];
}

/** By the words in a population's name; whatever has none is internal. */
function meaningOf(name: string): RateBar['meaning'] {
  const found = MEANINGS.find(([pattern]) => pattern.test(name));
  return found === undefined ? 'internal' : found[1];
}

const MEANINGS: readonly (readonly [RegExp, RateBar['meaning']])[] = [
  [/kenyon|KCs/i, 'kenyon'],
  [/pam|ppl1|MBINs/i, 'dopamine'],
  [/sens|visual|afferent|\bascending/i, 'sensory'],
  [/motor|descending|efferent|proboscis|steer|forward|backward|dVNC|dSEZ|RGN/i, 'motor'],
];
