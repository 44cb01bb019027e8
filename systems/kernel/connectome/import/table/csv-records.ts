import { DataError } from '../../../../../engine/errors.ts';

/** One record as places in a byte buffer; valid only during the call that receives it. */
export type CsvRecord = {
  /** Position in the file, the header is row 1; blank lines do not count. */
  row: number;
  fields: number;
  bytes: Buffer;
  /** First byte of each field, inside its quotes. */
  readonly starts: Int32Array;
  /** One past the last byte of each field, inside its quotes. */
  readonly ends: Int32Array;
  /** 1 where a field holds doubled quotes. */
  readonly escaped: Uint8Array;
};

export type CsvRecords = {
  /** Splits what is whole and keeps the rest for the next call. */
  push(chunk: Uint8Array): void;
  /** The last record needs no newline. */
  end(): void;
};

const MAX_FIELDS = 1_024;
/** A record longer than this is an unclosed quote. */
const MAX_RECORD_BYTES = 1 << 20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const LF = 0x0a;
const CR = 0x0d;
const INCOMPLETE = -1;

/**
 * Splits comma-separated values by bytes (RFC 4180): quoted fields, doubled quotes, newlines inside quotes, LF or CRLF,
 * a byte-order mark. A quote inside an unquoted field is a plain character. Blank lines are skipped.
 * @param where names the file in messages
 * @param remedy ends every message
 * @throws DataError IMPORT_ROW from `push` and `end`
 */
export function createCsvRecords(where: string, remedy: string, onRecord: (record: CsvRecord) => void): CsvRecords {
  const starts = new Int32Array(MAX_FIELDS);
  const ends = new Int32Array(MAX_FIELDS);
  const escaped = new Uint8Array(MAX_FIELDS);
  const record: CsvRecord = { row: 0, fields: 0, bytes: Buffer.alloc(0), starts, ends, escaped };
  let pending: Buffer = Buffer.alloc(0);
  let begun = false;

  function split(final: boolean): void {
    let from = 0;
    if (!begun) {
      if (pending.length < 3 && !final) return;
      begun = true;
      if (pending[0] === 0xef && pending[1] === 0xbb && pending[2] === 0xbf) from = 3;
    }
    while (from < pending.length) {
      const next = scanRecord(pending, from, final);
      if (next === INCOMPLETE) break;
      from = next;
      if (record.fields === 1 && starts[0] === ends[0]) continue;
      record.row += 1;
      record.bytes = pending;
      onRecord(record);
    }
    pending = pending.subarray(from);
    if (pending.length > MAX_RECORD_BYTES) {
      throw refuse(`has no end within ${MAX_RECORD_BYTES.toLocaleString('en')} bytes (an unclosed quote?)`);
    }
  }

  /** Fills the field places of the record at `from`; returns where the next one starts, or INCOMPLETE. */
  function scanRecord(bytes: Buffer, from: number, final: boolean): number {
    const limit = bytes.length;
    let at = from;
    for (let field = 0; ; field++) {
      if (field === MAX_FIELDS) throw refuse(`has more than ${MAX_FIELDS} fields`);
      escaped[field] = 0;
      if (at < limit && bytes[at] === QUOTE) {
        at = scanQuoted(bytes, at + 1, field, final);
        if (at === INCOMPLETE) return INCOMPLETE;
      } else {
        starts[field] = at;
        while (at < limit && bytes[at] !== COMMA && bytes[at] !== LF) at++;
        if (at === limit && !final) return INCOMPLETE;
        const endsLine = at === limit || bytes[at] === LF;
        ends[field] = endsLine && at > starts[field]! && bytes[at - 1] === CR ? at - 1 : at;
      }
      if (at < limit && bytes[at] === COMMA) {
        at++;
        continue;
      }
      record.fields = field + 1;
      return at + 1;
    }
  }

  /** From inside the opening quote to the comma, newline or end behind the closing one. */
  function scanQuoted(bytes: Buffer, from: number, field: number, final: boolean): number {
    const limit = bytes.length;
    starts[field] = from;
    let at = from;
    for (;;) {
      while (at < limit && bytes[at] !== QUOTE) at++;
      if (at + 1 >= limit && !final) return INCOMPLETE;
      if (at >= limit) throw refuse('ends inside a quoted field');
      if (bytes[at + 1] !== QUOTE) break;
      escaped[field] = 1;
      at += 2;
    }
    ends[field] = at;
    at++;
    if (bytes[at] === CR) {
      if (at + 1 >= limit && !final) return INCOMPLETE;
      if (at + 1 >= limit || bytes[at + 1] === LF) at++;
    }
    if (at < limit && bytes[at] !== COMMA && bytes[at] !== LF) {
      throw refuse(`has text behind the closing quote of field ${field + 1}`);
    }
    return at;
  }

  function refuse(reason: string): DataError {
    return new DataError('IMPORT_ROW', `${where}: row ${record.row + 1} ${reason}. ${remedy}`);
  }

  return {
    push(chunk) {
      const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      pending = pending.length === 0 ? fresh : Buffer.concat([pending, fresh]);
      split(false);
    },
    end() {
      split(true);
    },
  };
}
