/** Repeated words of one table column: each distinct word once, one number a row. */
export type TextColumn = {
  readonly codes: Uint32Array;
  readonly words: readonly string[];
};

export type TextColumnBuilder = {
  set(row: number, text: string): void;
  build(rows: number): TextColumn;
};

export function createTextColumn(): TextColumnBuilder {
  const codeOf = new Map<string, number>([['', 0]]);
  let codes = new Uint32Array(1 << 12);
  return {
    set(row, text) {
      if (row >= codes.length) {
        const longer = new Uint32Array(2 * row + 1);
        longer.set(codes);
        codes = longer;
      }
      let code = codeOf.get(text);
      if (code === undefined) {
        code = codeOf.size;
        codeOf.set(text, code);
      }
      codes[row] = code;
    },
    build: (rows) => ({ codes: codes.slice(0, rows), words: [...codeOf.keys()] }),
  };
}

export function textAt(column: TextColumn, row: number): string {
  return column.words[column.codes[row]!]!;
}

/** The rows `order[0]`, `order[1]`, ... of a column. */
export function pickTexts(column: TextColumn, order: Uint32Array): TextColumn {
  return { codes: Uint32Array.from(order, (row) => column.codes[row]!), words: column.words };
}

/** How often each word occurs, words sorted; '' counts as `blank`. */
export function tallyTexts(column: TextColumn): Record<string, number> {
  const counts = new Float64Array(column.words.length);
  for (const code of column.codes) counts[code]!++;
  const entries = column.words.map((word, code): [string, number] => [word === '' ? '(blank)' : word, counts[code]!]);
  return Object.fromEntries(entries.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}
