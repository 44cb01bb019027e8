import { DataError } from '../../../../../engine/errors.ts';
import type { CsvRecord } from './csv-records.ts';

/**
 * The current row of a table. Column `k` is the k-th wanted column. Every reader throws DataError IMPORT_VALUE naming
 * file, row, column and value when the field is not what it should be.
 */
export type TableRow = {
  /** The header is row 1. */
  number(): number;
  text(column: number): string;
  /** A 64-bit id below 2^63, into `idHigh` and `idLow`; it never becomes a floating-point number. */
  readId(column: number): void;
  idHigh: number;
  idLow: number;
  /** A whole number from 0 to 2^32 - 1. */
  whole(column: number): number;
  /** A finite decimal number. */
  decimal(column: number): number;
  /** The error for a field that its reader accepts but its meaning does not. */
  refuse(column: number, reason: string): DataError;
};

const ZERO = 0x30;
const MINUS = 0x2d;
const HIGH_LIMIT = 0x8000_0000;
const WHOLE_LIMIT = 0xffff_ffff;
const SHOWN_CHARACTERS = 40;

/** @param fieldOf the file's field number of each wanted column */
export function createTableRow(
  record: CsvRecord,
  columns: readonly string[],
  fieldOf: readonly number[],
  where: string,
  remedy: string,
): TableRow {
  const { starts, ends, escaped } = record;
  const row: TableRow = { number: () => record.row, text, readId, idHigh: 0, idLow: 0, whole, decimal, refuse };

  function text(column: number): string {
    const field = fieldOf[column]!;
    const value = record.bytes.toString('utf8', starts[field], ends[field]);
    return escaped[field] === 1 ? value.replaceAll('""', '"') : value;
  }

  function readId(column: number): void {
    const field = fieldOf[column]!;
    const bytes = record.bytes;
    const end = ends[field]!;
    let at = starts[field]!;
    if (at === end) throw refuse(column, 'is empty, not an id');
    let high = 0;
    let low = 0;
    for (; at < end; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) throw refuse(column, 'is not a whole number, so not an id');
      const wide = low * 10 + digit;
      low = wide >>> 0;
      high = high * 10 + (wide - low) / 0x1_0000_0000;
      if (high >= HIGH_LIMIT) throw refuse(column, 'is 2^63 or more, wider than any id');
    }
    row.idHigh = high;
    row.idLow = low;
  }

  function whole(column: number): number {
    const field = fieldOf[column]!;
    const bytes = record.bytes;
    const end = ends[field]!;
    let at = starts[field]!;
    if (at === end) throw refuse(column, 'is empty, not a whole number');
    if (bytes[at] === MINUS) throw refuse(column, 'is negative');
    let value = 0;
    for (; at < end; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) throw refuse(column, 'is not a whole number');
      value = value * 10 + digit;
      if (value > WHOLE_LIMIT) throw refuse(column, 'is more than 4,294,967,295');
    }
    return value;
  }

  function decimal(column: number): number {
    const trimmed = text(column).trim();
    const value = trimmed === '' ? NaN : Number(trimmed);
    if (!Number.isFinite(value)) throw refuse(column, 'is not a number');
    return value;
  }

  function refuse(column: number, reason: string): DataError {
    const value = JSON.stringify(text(column).slice(0, SHOWN_CHARACTERS));
    const place = `${where}: row ${record.row}, ${columns[column]}`;
    return new DataError('IMPORT_VALUE', `${place}: ${value} ${reason}. ${remedy}`);
  }

  return row;
}
