import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DataError } from '../../../../../engine/errors.ts';
import { oneLine } from '../../one-line.ts';
import { createCsvRecords } from './csv-records.ts';
import type { CsvRecord } from './csv-records.ts';
import { createTableRow } from './table-row.ts';
import type { TableRow } from './table-row.ts';

export type ReadTableOptions = {
  /** A gzip-compressed CSV file with a header line. */
  readonly path: string;
  /** Names of the columns `onRow` reads; a row's column `k` is the k-th of these, wherever the file has it. */
  readonly columns: readonly string[];
  /** What to do about a bad file; ends every message. */
  readonly remedy: string;
  /** Called per data row, in file order. The row is the same object every time. */
  readonly onRow: (row: TableRow) => void;
  /** Compressed bytes read so far. */
  readonly onBytes?: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
};

const CHUNK_BYTES = 1 << 18;

/**
 * Streams one table, a few hundred kilobytes at a time.
 * @returns number of data rows
 * @throws DataError IMPORT_FILE, IMPORT_GZIP, IMPORT_EMPTY, IMPORT_COLUMN, IMPORT_ROW, and what `onRow` throws
 * @throws the signal's reason when it aborts
 */
export async function readTable(options: ReadTableOptions): Promise<number> {
  const { path, columns, remedy, onRow, onBytes, signal } = options;
  const table: { row: TableRow | null; headerFields: number; rows: number } = { row: null, headerFields: 0, rows: 0 };
  const records = createCsvRecords(path, remedy, (record) => {
    if (table.row === null) {
      table.row = createTableRow(record, columns, findColumns(record, options), path, remedy);
      table.headerFields = record.fields;
      return;
    }
    if (record.fields !== table.headerFields) {
      const found = `row ${record.row} has ${record.fields} fields, the header has ${table.headerFields}`;
      throw new DataError('IMPORT_ROW', `${path}: ${found}. ${remedy}`);
    }
    table.rows++;
    onRow(table.row);
  });
  try {
    await pipeline(
      createReadStream(path, { highWaterMark: CHUNK_BYTES }),
      async function* count(source: AsyncIterable<Buffer>) {
        let bytes = 0;
        for await (const chunk of source) {
          bytes += chunk.length;
          onBytes?.(bytes);
          yield chunk;
        }
      },
      createGunzip({ chunkSize: CHUNK_BYTES }),
      async function split(source: AsyncIterable<Buffer>) {
        for await (const chunk of source) records.push(chunk);
      },
      signal === undefined ? {} : { signal },
    );
  } catch (error) {
    signal?.throwIfAborted();
    throw explain(error, path, remedy);
  }
  records.end();
  if (table.row === null) throw new DataError('IMPORT_EMPTY', `${path} is empty: it has no header line. ${remedy}`);
  return table.rows;
}

/** Header positions of the wanted columns. */
function findColumns(header: CsvRecord, { path, columns, remedy }: ReadTableOptions): number[] {
  const names = Array.from({ length: header.fields }, (_, field) =>
    header.bytes.toString('utf8', header.starts[field], header.ends[field]).trim(),
  );
  return columns.map((column) => {
    const at = names.indexOf(column);
    if (at === -1 || names.lastIndexOf(column) !== at) {
      const what = at === -1 ? 'has no column' : 'has more than one column';
      throw new DataError('IMPORT_COLUMN', `${path} ${what} "${column}"; its header is ${listNames(names)}. ${remedy}`);
    }
    return at;
  });
}

const SHOWN_NAMES = 12;

function listNames(names: readonly string[]): string {
  const shown = names
    .slice(0, SHOWN_NAMES)
    .map((name) => oneLine(name.slice(0, 40)))
    .join(', ');
  return names.length > SHOWN_NAMES ? `${shown} and ${names.length - SHOWN_NAMES} more` : shown;
}

/** Zlib and file errors in an operator's words; others pass. */
function explain(error: unknown, path: string, remedy: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  if (code === 'Z_BUF_ERROR') {
    return new DataError('IMPORT_GZIP', `${path} is cut short: its gzip stream does not end. ${remedy}`, {
      cause: error,
    });
  }
  if (code.startsWith('Z_')) {
    const reason = error instanceof Error ? error.message : code;
    return new DataError('IMPORT_GZIP', `${path} is not a sound gzip file (${reason}). ${remedy}`, { cause: error });
  }
  if (code.startsWith('E') && !code.startsWith('ERR_')) {
    return new DataError('IMPORT_FILE', `${path} cannot be read (${code}). ${remedy}`, { cause: error });
  }
  return error;
}
