import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { CompressionType, DataType, Precision, RecordBatchReader, compressionRegistry } from 'apache-arrow';
import type { AsyncRecordBatchFileReader, RecordBatch, Vector } from 'apache-arrow';
import { decompressFrameSync } from 'lz4-napi';
import { DataError } from '../../../../../engine/errors.ts';
import { oneLine } from '../../one-line.ts';

/** One open Arrow IPC file ("Feather version 2"), buffers plain or LZ4-framed. The owner calls `close` once. */
export type FeatherFile = {
  readonly path: string;
  readonly columns: readonly string[];
  readonly batchCount: number;
  /** Record batches in file order, one in memory at a time. @throws DataError FEATHER_BATCH */
  batches(): AsyncIterable<FeatherBatch>;
  close(): Promise<void>;
};

/** Columns of one record batch, copied out on request. Every reader throws DataError FEATHER_TYPE, FEATHER_COLUMN. */
export type FeatherBatch = {
  readonly rows: number;
  /** Row of the file that this batch starts with; the first is 0. */
  readonly firstRow: number;
  /** 64-bit ids as two 32-bit halves, into arrays of at least `rows`. @throws DataError FEATHER_ID */
  ids(column: string, low: Uint32Array, high: Uint32Array): void;
  /** Numbers of any width; NaN where there is none. */
  numbers(column: string, into: Float64Array): void;
  /** Text per row, '' where there is none. */
  texts(column: string, each: (row: number, text: string) => void): void;
  /** Three coordinates per row from a list, a struct of x, y, z, or text; rows without a point are not reported. */
  points(column: string, each: (row: number, x: number, y: number, z: number) => void): void;
};

type NumberArray = Exclude<NodeJS.TypedArray, Uint8ClampedArray>;

const MAGIC = 'ARROW1';

compressionRegistry.set(CompressionType.LZ4_FRAME, {
  decode: (data) => decompressFrameSync(Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
});

/**
 * Opens a Feather file and checks its columns.
 * @param required columns without which the file is of no use
 * @throws DataError FEATHER_FILE when it is absent, cut off or of another format; FEATHER_COLUMN
 */
export async function openFeather(path: string, required: readonly string[]): Promise<FeatherFile> {
  const handle = await open(path).catch((cause: unknown) => {
    throw new DataError('FEATHER_FILE', `${path} cannot be read. ${REMEDY}`, { cause });
  });
  try {
    await checkMagic(handle, path);
    const reader = await openReader(handle, path);
    const columns = reader.schema.fields.map(({ name }) => name);
    for (const name of required) {
      if (columns.includes(name)) continue;
      throw new DataError(
        'FEATHER_COLUMN',
        `${path} has no column "${name}" but ${oneLine(columns.join(', '))}. ${REMEDY}`,
      );
    }
    const batchCount = reader.numRecordBatches;
    return { path, columns, batchCount, batches: () => iterate(reader, path), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function checkMagic(handle: FileHandle, path: string): Promise<void> {
  const { size } = await handle.stat();
  const head = Buffer.alloc(MAGIC.length);
  const tail = Buffer.alloc(MAGIC.length);
  if (size >= 4 * MAGIC.length) {
    await handle.read(head, 0, MAGIC.length, 0);
    await handle.read(tail, 0, MAGIC.length, size - MAGIC.length);
  }
  if (head.toString('latin1') !== MAGIC) {
    throw new DataError('FEATHER_FILE', `${path} (${size} bytes) does not start as an Arrow file. ${REMEDY}`);
  }
  if (tail.toString('latin1') !== MAGIC) {
    throw new DataError('FEATHER_FILE', `${path} (${size} bytes) is cut off: its end mark is missing. ${REMEDY}`);
  }
}

async function openReader(handle: FileHandle, path: string): Promise<AsyncRecordBatchFileReader> {
  try {
    const reader = await RecordBatchReader.from(handle);
    if (!reader.isFile() || !reader.isAsync()) throw new Error('it is a stream, not a file');
    return await reader.open();
  } catch (cause) {
    throw new DataError('FEATHER_FILE', `${path}: its table of contents is damaged (${reason(cause)}). ${REMEDY}`, {
      cause,
    });
  }
}

async function* iterate(reader: AsyncRecordBatchFileReader, path: string): AsyncGenerator<FeatherBatch> {
  let firstRow = 0;
  for (let number = 0; number < reader.numRecordBatches; number++) {
    let batch: RecordBatch | null;
    try {
      batch = await reader.readRecordBatch(number);
    } catch (cause) {
      throw new DataError('FEATHER_BATCH', `${path}: batch ${number} cannot be decoded (${reason(cause)}). ${REMEDY}`, {
        cause,
      });
    }
    if (batch === null) throw new DataError('FEATHER_BATCH', `${path}: batch ${number} is missing. ${REMEDY}`);
    yield readBatch(batch, path, firstRow);
    firstRow += batch.numRows;
  }
}

function readBatch(batch: RecordBatch, path: string, firstRow: number): FeatherBatch {
  const rows = batch.numRows;

  function column(name: string): Vector {
    const vector: Vector | null = batch.getChild(name);
    if (vector === null) throw new DataError('FEATHER_COLUMN', `${path} has no column "${name}". ${REMEDY}`);
    return vector;
  }

  function refuseType(name: string, vector: Vector, wanted: string): DataError {
    return new DataError(
      'FEATHER_TYPE',
      `${path}: column "${name}" is ${String(vector.type)}, not ${wanted}. ${REMEDY}`,
    );
  }

  /** The values of a numeric column. @throws DataError FEATHER_BATCH when the buffer is shorter than the batch says */
  function values(name: string, vector: Vector): NumberArray {
    const found = vector.data[0]?.values as NumberArray | undefined;
    if (found !== undefined && found.length >= rows) return found;
    throw new DataError(
      'FEATHER_BATCH',
      `${path}: column "${name}" has ${found?.length ?? 0} of ${rows} values from row ${firstRow} on. ${REMEDY}`,
    );
  }

  function refuseId(name: string, row: number, what: string): DataError {
    return new DataError('FEATHER_ID', `${path}: "${name}" of row ${firstRow + row} is ${what}. ${REMEDY}`);
  }

  function ids(name: string, low: Uint32Array, high: Uint32Array): void {
    const vector = column(name);
    if (rows === 0) return;
    if (!DataType.isInt(vector.type) || vector.type.bitWidth < 32)
      throw refuseType(name, vector, 'a 32 or 64 bit integer');
    if (vector.nullCount > 0) {
      for (let row = 0; row < rows; row++) if (!vector.isValid(row)) throw refuseId(name, row, 'empty, not an id');
    }
    if (vector.type.bitWidth === 32) {
      const narrow = values(name, vector);
      for (let row = 0; row < rows; row++) {
        if (narrow[row]! < 0) throw refuseId(name, row, `${narrow[row]}, below 0`);
        low[row] = Number(narrow[row]!);
        high[row] = 0;
      }
      return;
    }
    const wide = values(name, vector);
    const words = new Uint32Array(wide.buffer, wide.byteOffset, 2 * rows);
    for (let row = 0; row < rows; row++) {
      low[row] = words[2 * row]!;
      high[row] = words[2 * row + 1]!;
      if (high[row]! >= 0x8000_0000) throw refuseId(name, row, `${wide[row]}, outside 0 to 2^63 - 1`);
    }
  }

  function numbers(name: string, into: Float64Array): void {
    const vector = column(name);
    if (rows === 0) return;
    const type = vector.type as DataType;
    if (DataType.isNull(type)) {
      into.fill(Number.NaN, 0, rows);
      return;
    }
    if (!DataType.isInt(type) && !(DataType.isFloat(type) && type.precision !== Precision.HALF))
      throw refuseType(name, vector, 'a number');
    if (DataType.isInt(type) && type.bitWidth === 64) {
      const wide = values(name, vector);
      const words = new Int32Array(wide.buffer, wide.byteOffset, 2 * rows);
      const isSigned = type.isSigned;
      for (let row = 0; row < rows; row++) {
        const top = isSigned ? words[2 * row + 1]! : words[2 * row + 1]! >>> 0;
        into[row] = top * 2 ** 32 + (words[2 * row]! >>> 0);
      }
    } else {
      const plain = values(name, vector) as Float64Array; // or a narrower array: both give numbers
      for (let row = 0; row < rows; row++) into[row] = plain[row]!;
    }
    if (vector.nullCount === 0) return;
    for (let row = 0; row < rows; row++) if (!vector.isValid(row)) into[row] = Number.NaN;
  }

  function texts(name: string, each: (row: number, text: string) => void): void {
    const vector = column(name);
    const type = vector.type as DataType;
    const inner = DataType.isDictionary(type) ? (type.dictionary as DataType) : type;
    if (!DataType.isUtf8(inner) && !DataType.isLargeUtf8(inner) && !DataType.isNull(inner)) {
      throw refuseType(name, vector, 'text');
    }
    for (let row = 0; row < rows; row++) each(row, (vector.get(row) as string | null) ?? '');
  }

  function points(name: string, each: (row: number, x: number, y: number, z: number) => void): void {
    const vector = column(name);
    const type = vector.type as DataType;
    if (DataType.isNull(type)) return;
    const isText = DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isDictionary(type);
    const isList = DataType.isList(type) || DataType.isFixedSizeList(type);
    if (!isText && !isList && !DataType.isStruct(type)) throw refuseType(name, vector, 'a point');
    for (let row = 0; row < rows; row++) {
      const value: unknown = vector.get(row);
      if (value === null || value === undefined) continue;
      const found = isText ? parsePoint(value as string) : Array.from(coordinatesOf(value), Number);
      if (found.length === 3 && found.every(Number.isFinite)) each(row, found[0]!, found[1]!, found[2]!);
    }
  }

  return { rows, firstRow, ids, numbers, texts, points };
}

function coordinatesOf(value: unknown): Iterable<unknown> {
  const named = value as { readonly x?: unknown; readonly y?: unknown; readonly z?: unknown };
  return Symbol.iterator in Object(value) && named.x === undefined
    ? (value as Iterable<unknown>)
    : [named.x, named.y, named.z];
}

/** "1, 2, 3" with or without brackets. */
function parsePoint(text: string): number[] {
  return text
    .split(/[^\d.eE+-]+/)
    .filter((part) => part !== '')
    .map(Number);
}

function reason(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split('\n')[0]!;
}

const REMEDY = 'Download the file again.';
