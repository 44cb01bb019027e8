import { DataError } from '../../../../../engine/errors.ts';
import { bodyText } from './body-index.ts';
import { openFeather } from './feather.ts';
import type { FeatherBatch } from './feather.ts';
import { createTextColumn, pickTexts, textAt } from './text-column.ts';
import type { TextColumn } from './text-column.ts';

/** `superclass`: rows with a superclass, the number Codex shows. `traced`: rows whose status is Traced. */
export type InventoryRule = 'superclass' | 'traced';

export const SIDES = ['L', 'R', 'M', 'blank'] as const;

/** The chosen neurons, ascending body ids; every array is in that order. */
export type Inventory = {
  readonly rule: InventoryRule;
  readonly neurons: number;
  /** Halves of the 64-bit body ids. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly superclass: TextColumn;
  readonly class: TextColumn;
  readonly subclass: TextColumn;
  readonly type: TextColumn;
  readonly status: TextColumn;
  /** Names in other data sets by column, where the table has the column. */
  readonly aliases: Readonly<Record<string, TextColumn>>;
  /** Index into `SIDES`: the soma's side, else the root's, else blank. */
  readonly side: Uint8Array;
  /** Lattice coordinates of a retina column, NaN without one. */
  readonly hex1: Float64Array;
  readonly hex2: Float64Array;
  /** `3 * neurons` in the release's voxels: the soma, else where its fibre points to it; NaN without either. */
  readonly soma: Float32Array;
  readonly counts: InventoryCounts;
};

/** Rows of the annotation table under each rule that others use, and how ours came out. */
export type InventoryCounts = {
  readonly rows: number;
  readonly withSuperclass: number;
  readonly traced: number;
  readonly withType: number;
  readonly withSoma: number;
  readonly chosen: number;
  /** Chosen neurons whose side text was none of L, R, M or blank; they count as blank. */
  readonly oddSides: Readonly<Record<string, number>>;
  readonly sideFromRoot: number;
  readonly positionFromFibre: number;
};

/** Names of the same cell in other data sets; kept as the release has them, never a role (spec: brain.md 3.3). */
const ALIAS_COLUMNS = ['flywireType', 'hemibrainType', 'mancType'] as const;
const TEXT_COLUMNS = ['status', 'superclass', 'class', 'subclass', 'type', 'somaSide', 'rootSide'] as const;
const REQUIRED = ['bodyId', ...TEXT_COLUMNS, 'somaLocation', 'assignedOlHex1', 'assignedOlHex2'];

/**
 * Reads the annotation table and picks the inventory (spec: brain.md 3.1, 3.2).
 * @throws DataError FEATHER_*; MALECNS_DUPLICATE when a body has two rows; MALECNS_INVENTORY when no row qualifies
 */
export async function readInventory(path: string, rule: InventoryRule): Promise<Inventory> {
  const file = await openFeather(path, REQUIRED);
  try {
    const hasFibre = file.columns.includes('tosomaLocation');
    const table = createTable([...TEXT_COLUMNS, ...ALIAS_COLUMNS.filter((name) => file.columns.includes(name))]);
    for await (const batch of file.batches()) table.append(batch, hasFibre);
    return pickInventory(table, rule, path);
  } finally {
    await file.close();
  }
}

type Table = ReturnType<typeof createTable>;

/** All rows of the annotation table as columns. */
function createTable(textColumns: readonly string[]): {
  append(batch: FeatherBatch, hasFibre: boolean): void;
  rows(): number;
  low(): Uint32Array;
  high(): Uint32Array;
  hex1(): Float64Array;
  hex2(): Float64Array;
  soma(): Float32Array;
  /** 1 where `soma` is the fibre's hint. */
  fromFibre(): Uint8Array;
  text(name: (typeof TEXT_COLUMNS)[number]): TextColumn;
  aliases(): [name: string, column: TextColumn][];
} {
  let rows = 0;
  let low = new Uint32Array(0);
  let high = new Uint32Array(0);
  let hex1 = new Float64Array(0);
  let hex2 = new Float64Array(0);
  let soma = new Float32Array(0);
  let fromFibre = new Uint8Array(0);
  const texts = new Map(textColumns.map((name) => [name, createTextColumn()]));

  function grow(wanted: number): void {
    if (wanted <= low.length) return;
    const size = Math.max(1 << 16, 2 * wanted);
    const copy = <T extends Uint32Array | Float64Array | Float32Array | Uint8Array>(from: T, into: T): T => {
      into.set(from);
      return into;
    };
    low = copy(low, new Uint32Array(size));
    high = copy(high, new Uint32Array(size));
    hex1 = copy(hex1, new Float64Array(size));
    hex2 = copy(hex2, new Float64Array(size));
    soma = copy(soma, new Float32Array(3 * size));
    fromFibre = copy(fromFibre, new Uint8Array(size));
  }

  return {
    append(batch, hasFibre) {
      const start = rows;
      rows += batch.rows;
      grow(rows);
      batch.ids('bodyId', low.subarray(start), high.subarray(start));
      batch.numbers('assignedOlHex1', hex1.subarray(start));
      batch.numbers('assignedOlHex2', hex2.subarray(start));
      soma.fill(Number.NaN, 3 * start, 3 * rows);
      if (hasFibre) {
        batch.points('tosomaLocation', (row, x, y, z) => {
          soma.set([x, y, z], 3 * (start + row));
          fromFibre[start + row] = 1;
        });
      }
      batch.points('somaLocation', (row, x, y, z) => {
        soma.set([x, y, z], 3 * (start + row));
        fromFibre[start + row] = 0;
      });
      for (const [name, column] of texts) batch.texts(name, (row, text) => column.set(start + row, text.trim()));
    },
    rows: () => rows,
    low: () => low,
    high: () => high,
    hex1: () => hex1,
    hex2: () => hex2,
    soma: () => soma,
    fromFibre: () => fromFibre,
    text: (name) => texts.get(name)!.build(rows),
    aliases: () => ALIAS_COLUMNS.filter((name) => texts.has(name)).map((name) => [name, texts.get(name)!.build(rows)]),
  };
}

function pickInventory(table: Table, rule: InventoryRule, path: string): Inventory {
  const rows = table.rows();
  const [low, high, soma, fromFibre] = [table.low(), table.high(), table.soma(), table.fromFibre()];
  const superclass = table.text('superclass');
  const status = table.text('status');
  const type = table.text('type');
  const chosen: number[] = [];
  const counts = { rows, withSuperclass: 0, traced: 0, withType: 0, withSoma: 0 };
  for (let row = 0; row < rows; row++) {
    const hasSuperclass = textAt(superclass, row) !== '';
    const isTraced = textAt(status, row) === 'Traced';
    counts.withSuperclass += Number(hasSuperclass);
    counts.traced += Number(isTraced);
    counts.withType += Number(textAt(type, row) !== '');
    counts.withSoma += Number(!Number.isNaN(soma[3 * row]!) && fromFibre[row] === 0);
    if (rule === 'superclass' ? hasSuperclass : isTraced) chosen.push(row);
  }
  if (chosen.length === 0) {
    throw new DataError(
      'MALECNS_INVENTORY',
      `${path}: no row qualifies by the rule "${rule}". Use the annotation table.`,
    );
  }
  const order = Uint32Array.from(chosen).sort((a, b) => high[a]! - high[b]! || low[a]! - low[b]!);
  for (let i = 1; i < order.length; i++) {
    const [a, b] = [order[i - 1]!, order[i]!];
    if (low[a] !== low[b] || high[a] !== high[b]) continue;
    const body = bodyText(low[a]!, high[a]!);
    throw new DataError(
      'MALECNS_DUPLICATE',
      `${path}: body ${body} has two rows. Use one annotation table of one release.`,
    );
  }
  const sides = decideSides(pickTexts(table.text('somaSide'), order), pickTexts(table.text('rootSide'), order));
  let positionFromFibre = 0;
  for (const row of order) positionFromFibre += fromFibre[row]!;
  return {
    rule,
    neurons: order.length,
    low: Uint32Array.from(order, (row) => low[row]!),
    high: Uint32Array.from(order, (row) => high[row]!),
    superclass: pickTexts(superclass, order),
    class: pickTexts(table.text('class'), order),
    subclass: pickTexts(table.text('subclass'), order),
    type: pickTexts(type, order),
    status: pickTexts(status, order),
    aliases: Object.fromEntries(table.aliases().map(([name, column]) => [name, pickTexts(column, order)])),
    side: sides.side,
    hex1: Float64Array.from(order, (row) => table.hex1()[row]!),
    hex2: Float64Array.from(order, (row) => table.hex2()[row]!),
    soma: Float32Array.from({ length: 3 * order.length }, (_, k) => soma[3 * order[Math.floor(k / 3)]! + (k % 3)]!),
    counts: { ...counts, chosen: order.length, ...sides.counts, positionFromFibre },
  };
}

/** The soma's side; where it is blank, the root's (spec: brain.md 3.2). Never a guess. */
function decideSides(
  soma: TextColumn,
  root: TextColumn,
): { side: Uint8Array; counts: { oddSides: Record<string, number>; sideFromRoot: number } } {
  const side = new Uint8Array(soma.codes.length);
  const oddSides: Record<string, number> = {};
  let sideFromRoot = 0;
  for (let i = 0; i < side.length; i++) {
    const own = textAt(soma, i);
    const text = own === '' ? textAt(root, i) : own;
    const known = SIDES.indexOf(text as (typeof SIDES)[number]);
    if (own === '' && text !== '') sideFromRoot++;
    if (text !== '' && known === -1) oddSides[text] = (oddSides[text] ?? 0) + 1;
    side[i] = known === -1 ? SIDES.indexOf('blank') : known;
  }
  return { side, counts: { oddSides, sideFromRoot } };
}
