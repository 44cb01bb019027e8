import type { MaleCnsReport } from './report-malecns.ts';

/** What an operator reads after an import: one fact a line, the five quantities of brain.md 3.1 apart. */
export function summariseMaleCns(report: MaleCnsReport): string[] {
  const { inventory, weights, signed, transmitters, retina, sides, profiles, provenance } = report;
  const { notPositive, bothOutside, preOutside, postOutside, belowThreshold, autapses, duplicates } = weights.excluded;
  const { codexSuperclass, traced } = inventory.reportedByOthers;
  const notPublished = Object.entries(provenance.sources).filter(([, { state }]) => state === 'accepted');
  return [
    `inventory: ${grouped(inventory.counts.chosen)} neurons by the rule "${inventory.rule}" ` +
      `(Codex shows ${grouped(codexSuperclass)}; Traced ${grouped(inventory.counts.traced)}, others count ${grouped(traced)})`,
    `table: ${grouped(weights.rows)} pairs of segments, ${grouped(weights.contacts)} contacts`,
    `kept: ${grouped(weights.kept.pairs)} pairs of neurons, ${grouped(weights.kept.contacts)} contacts, ` +
      `at least ${weights.threshold} a pair, ${grouped(weights.autapses)} self-edges`,
    `left out: an end outside ${grouped(bothOutside + preOutside + postOutside)}, below the threshold ` +
      `${grouped(belowThreshold)}, self-edges ${grouped(autapses)}, repeated ${grouped(duplicates)}, without contacts ${grouped(notPositive)}`,
    `signed weights: ${transmitters.policy.name}, ${grouped(transmitters.negativeNeurons)} inhibitory neurons, ` +
      `range ${signed.smallest} to ${signed.largest}, clipped ${grouped(signed.clipped)}`,
    `signs from: ${listCounts(transmitters.sources)}`,
    `sides: ${listCounts(sides)}`,
    `retina: ${retina.left} left and ${retina.right} right L1 columns; without lattice ${retina.withoutHex}, without side ${retina.withoutSide}`,
    `populations without a neuron: ${report.emptyPopulations.join(', ') || 'none'}`,
    ...profiles.map(({ id, missing }) => `${id}: ${missing.length === 0 ? 'complete' : `lacks ${missing.join(', ')}`}`),
    notPublished.length === 0
      ? 'files: the published release'
      : `files: NOT the published release (${notPublished.map(([file]) => file).join(', ')}); the bundle is named as not verified`,
  ];
}

function listCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${grouped(count)}`)
    .join(', ');
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
