import { DataError } from '../../../../../engine/errors.ts';
import type { IdIndex } from '../table/id-index.ts';
import { readTable } from '../table/read-table.ts';
import { remedyFor } from './codex-files.ts';
import type { RowCount, TableInput } from './table-input.ts';

/** Connection rows between known neurons, file order; the arrays are longer than `length`. */
export type ConnectionRows = RowCount & {
  readonly length: number;
  readonly pre: Uint32Array;
  readonly post: Uint32Array;
  readonly contacts: Uint32Array;
  /** Position in `transmitters`. */
  readonly transmitter: Uint16Array;
  /** Upper-cased labels, in order of appearance. */
  readonly transmitters: readonly string[];
};

const COLUMNS = ['pre_root_id', 'post_root_id', 'syn_count', 'nt_type'];
/** The real export has 3.9 M rows. */
const FIRST_CAPACITY = 1 << 22;
const MAX_TRANSMITTERS = 1_000;

/** @throws DataError IMPORT_VALUE for ids and counts, also in rows that are then dropped */
export async function readConnections(index: IdIndex, { path, onBytes, signal }: TableInput): Promise<ConnectionRows> {
  const remedy = remedyFor('connections.csv.gz');
  let pre = new Uint32Array(FIRST_CAPACITY);
  let post = new Uint32Array(FIRST_CAPACITY);
  let contacts = new Uint32Array(FIRST_CAPACITY);
  let transmitter = new Uint16Array(FIRST_CAPACITY);
  let length = 0;
  let absentRows = 0;
  const codes = new Map<string, number>();
  const transmitters: string[] = [];

  function codeOf(text: string): number {
    const known = codes.get(text);
    if (known !== undefined) return known;
    const label = text.toUpperCase();
    let code = transmitters.indexOf(label);
    if (code === -1) code = transmitters.push(label) - 1;
    if (transmitters.length > MAX_TRANSMITTERS) {
      const found = `${path}: nt_type holds more than ${MAX_TRANSMITTERS} different texts, so it is no transmitter column`;
      throw new DataError('IMPORT_COLUMN', `${found}. ${remedy}`);
    }
    codes.set(text, code);
    return code;
  }

  function grow(): void {
    const longer = 2 * pre.length;
    const copy = <T extends Uint32Array | Uint16Array>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    pre = copy(new Uint32Array(longer), pre);
    post = copy(new Uint32Array(longer), post);
    contacts = copy(new Uint32Array(longer), contacts);
    transmitter = copy(new Uint16Array(longer), transmitter);
  }

  const rows = await readTable({
    path,
    columns: COLUMNS,
    remedy,
    onBytes,
    signal,
    onRow(row) {
      row.readId(0);
      const source = index.find(row.idHigh, row.idLow);
      row.readId(1);
      const target = index.find(row.idHigh, row.idLow);
      const count = row.whole(2);
      if (source === -1 || target === -1) {
        absentRows++;
        return;
      }
      if (length === pre.length) grow();
      pre[length] = source;
      post[length] = target;
      contacts[length] = count;
      transmitter[length] = codeOf(row.text(3));
      length++;
    },
  });
  return { rows, absentRows, length, pre, post, contacts, transmitter, transmitters };
}
