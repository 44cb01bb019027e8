/** One table: a column for every name, numbers to the right. */
export function formatRows(rows: readonly object[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => names.map((name) => formatCell((row as Record<string, unknown>)[name])));
  const isText = names.map((name) => rows.some((row) => typeof (row as Record<string, unknown>)[name] === 'string'));
  const widths = names.map((name, i) => Math.max(name.length, ...cells.map((cell) => cell[i]!.length)));
  return [names, ...cells].map((line) =>
    line
      .map((cell, i) => (isText[i]! ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  );
}

function formatCell(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(3);
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(formatCell).join(' ');
  if (value === undefined || value === null) return '';
  return Object.entries(value)
    .map(([name, part]) => `${name} ${formatCell(part)}`)
    .join(' ');
}
