/** What every table reader of this import gets. */
export type TableInput = {
  readonly path: string;
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal | undefined;
};

/** Rows of one table, and those whose neuron is not in the inventory (spec: brain.md 2, rule 1). */
export type RowCount = { readonly rows: number; readonly absentRows: number };
