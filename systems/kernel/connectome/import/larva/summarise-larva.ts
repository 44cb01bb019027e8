import type { LarvaReport } from './report-larva.ts';

/** What an operator reads after an import: one fact a line. */
export function summariseLarva({
  inventory,
  edges,
  signs,
  missing,
  assumed,
  suggestedParameters,
}: LarvaReport): string[] {
  return [
    `${grouped(inventory.kept)} neurons, ${grouped(edges.pairs)} edges, ${grouped(edges.contacts)} contacts, ` +
      `${grouped(edges.selfEdges)} self-edges`,
    `left out, without any edge: ${grouped(inventory.isolated.length)} neurons; repeated pairs: ${grouped(edges.duplicates)}`,
    `signs: ${signs.rule}`,
    ...missing.map((sentence) => `missing: ${sentence}`),
    ...assumed.map((sentence) => `assumed: ${sentence}`),
    `kernel constants that suit it: ${JSON.stringify(suggestedParameters)}`,
  ];
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
