import { writeFile } from 'node:fs/promises';
import {
  CompressionType,
  Field,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  compressionRegistry,
  makeData,
  vectorFromArray,
} from 'apache-arrow';
import type { Data, DataType } from 'apache-arrow';
import { compressFrameSync, decompressFrameSync } from 'lz4-napi';

/** One column: values of `type`, null where there is none. Typed arrays are written as they are. */
export type FeatherColumn = {
  readonly name: string;
  readonly type: DataType;
  readonly values: ArrayLike<unknown> & { slice(from: number, to: number): ArrayLike<unknown> };
};

/** Rows a batch, as pyarrow writes them. */
const BATCH_ROWS = 65_536;

/** Writes a Feather 2 file with LZ4-framed buffers, the format of the MaleCNS release (spec: brain.md 3.2). */
export async function writeFeather(
  path: string,
  columns: readonly FeatherColumn[],
  batchRows: number = BATCH_ROWS,
): Promise<void> {
  compressionRegistry.set(CompressionType.LZ4_FRAME, {
    encode: (data) => compressFrameSync(bufferOf(data)),
    decode: (data) => decompressFrameSync(bufferOf(data)),
  });
  const schema = new Schema(columns.map(({ name, type }) => new Field(name, type, true)));
  const writer = new RecordBatchFileWriter({ compressionType: CompressionType.LZ4_FRAME });
  writer.reset(undefined, schema);
  const rows = columns[0]!.values.length;
  for (let from = 0; from < rows; from += batchRows) {
    const to = Math.min(rows, from + batchRows);
    const children = columns.map((column) => sliceColumn(column, from, to));
    writer.write(new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: to - from, children })));
  }
  writer.finish();
  await writeFile(path, writer.toUint8Array(true));
}

function sliceColumn({ type, values }: FeatherColumn, from: number, to: number): Data {
  const part = values.slice(from, to);
  if (ArrayBuffer.isView(part)) {
    return makeData({ type, data: part, length: to - from, nullCount: 0 } as never) as Data;
  }
  return vectorFromArray(part as unknown[], type).data[0]!;
}

function bufferOf(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
