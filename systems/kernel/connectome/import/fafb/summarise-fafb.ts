import { deviations } from './fafb-report.ts';
import type { FafbReport } from './fafb-report.ts';

const SHOWN_DEVIATIONS = 5;

/** What an operator reads after an import: one fact a line. */
export function summariseFafb(report: FafbReport): string[] {
  const { neurons, edges, retinaColumns, tables, connections, published } = report;
  const absent = Object.entries(tables)
    .filter(([, { absentRows }]) => absentRows > 0)
    .map(([file, { absentRows }]) => `${grouped(absentRows)} of ${file}`);
  const unknown = Object.entries(connections.unknownTransmitters).map(
    ([label, rows]) => `${label === '' ? '(none)' : label} ${grouped(rows)}`,
  );
  return [
    `${grouped(neurons)} neurons, ${grouped(edges)} edges, ${grouped(retinaColumns)} retina columns`,
    `rows merged into an edge ${grouped(connections.mergedRows)}, self-edges ${grouped(connections.selfEdges)}, ` +
      `transmitter conflicts ${grouped(connections.transmitterConflicts)}, clamped ${grouped(connections.clampedPairs)}`,
    `rows with unknown transmitters: ${unknown.join(', ') || 'none'}`,
    `rows left out, their neuron is unknown: ${absent.join(', ') || 'none'}`,
    ...describeComparison(report),
    published
      ? 'files: the published release'
      : 'files: NOT the published release; the bundle is named as not verified (--accept-checksum)',
  ];
}

function describeComparison(report: FafbReport): string[] {
  const compared = Object.values(report.counts).filter((count) => count.published !== null).length;
  if (compared === 0) return [];
  const wrong = deviations(report);
  if (wrong.length === 0) return [`all ${compared} published counts are met`];
  return [`DIFFERS from the publication: ${wrong.slice(0, SHOWN_DEVIATIONS).join('; ')}`];
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
