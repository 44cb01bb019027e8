import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readTable } from '../../../../../../systems/kernel/connectome/import/table/read-table.ts';
import type { TableRow } from '../../../../../../systems/kernel/connectome/import/table/table-row.ts';
import { temporaryFolder } from '../../toy-bundle.ts';

test('columns are found by name wherever they are, and read as text, numbers and ids', async () => {
  const found = await read('z, count ,name,id\n-1.5,7,"a ""b"", c",720575940621039145\n2e3,0,,9\n', (row) => {
    row.readId(0);
    const id = (BigInt(row.idHigh) << 32n) | BigInt(row.idLow);
    return [row.number(), id, row.text(1), row.whole(2), row.decimal(3)];
  });
  expect(found).toEqual([
    [2, 720_575_940_621_039_145n, 'a "b", c', 7, -1.5],
    [3, 9n, '', 0, 2_000],
  ]);
});

test('a gzip file of several members is one table', async () => {
  const path = join(await temporaryFolder(), 'table.csv.gz');
  await writeFile(path, Buffer.concat([gzipSync('id,count,name,z\n1,2,'), gzipSync('x,4\n')]));
  const names: string[] = [];
  const rows = await readTable({
    path,
    columns: ['name'],
    remedy: '',
    onRow: (row) => void names.push(row.text(0)),
  });
  expect([rows, names]).toEqual([1, ['x']]);
});

test('a signal that is aborted already reads no row', async () => {
  const path = join(await temporaryFolder(), 'table.csv.gz');
  await writeFile(path, gzipSync('id\n1\n'));
  const reason = new Error('enough');
  const rows: number[] = [];
  const run = readTable({
    path,
    columns: ['id'],
    remedy: '',
    signal: AbortSignal.abort(reason),
    onRow: (row) => void rows.push(row.number()),
  });
  await expect(run).rejects.toBe(reason);
  expect(rows).toEqual([]);
});

async function read<T>(text: string, onRow: (row: TableRow) => T): Promise<T[]> {
  const path = join(await temporaryFolder(), 'table.csv.gz');
  await writeFile(path, gzipSync(text));
  const found: T[] = [];
  await readTable({
    path,
    columns: ['id', 'name', 'count', 'z'],
    remedy: 'Get another.',
    onRow: (row) => void found.push(onRow(row)),
  });
  return found;
}
