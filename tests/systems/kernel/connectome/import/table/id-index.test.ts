import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCsvRecords } from '../../../../../../systems/kernel/connectome/import/table/csv-records.ts';
import { createIdIndex } from '../../../../../../systems/kernel/connectome/import/table/id-index.ts';
import { createTableRow } from '../../../../../../systems/kernel/connectome/import/table/table-row.ts';
import type { TableRow } from '../../../../../../systems/kernel/connectome/import/table/table-row.ts';

const anyId = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });

test('every id below 2^63 is read exactly', () => {
  fc.assert(
    fc.property(anyId, (id) => {
      expect(readId(String(id))).toBe(id);
    }),
  );
  for (const id of [0n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n - 1n]) expect(readId(String(id))).toBe(id);
  expect(readId('00720575940621039145')).toBe(720_575_940_621_039_145n);
});

test('every id of 2^63 or more is refused', () => {
  const wide = fc.bigInt({ min: 2n ** 63n, max: 2n ** 80n });
  fc.assert(
    fc.property(wide, (id) => {
      expect(() => readId(String(id))).toThrow(/2\^63 or more/);
    }),
  );
});

test('an index finds each id at its rank and nothing else', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyId, { maxLength: 60 }), fc.array(anyId, { maxLength: 20 }), (ids, others) => {
      const sorted = BigUint64Array.from(ids).sort();
      const { find } = createIdIndex(sorted);
      sorted.forEach((id, rank) => expect(find(...halves(id))).toBe(rank));
      for (const id of others.filter((other) => !ids.includes(other))) expect(find(...halves(id))).toBe(-1);
    }),
  );
});

test('neighbouring ids that a 64-bit float cannot tell apart are apart', () => {
  const ids = BigUint64Array.from({ length: 500 }, (_, k) => 720_575_940_621_039_000n + BigInt(k));
  const { find } = createIdIndex(ids);
  ids.forEach((id, rank) => expect(find(...halves(id))).toBe(rank));
});

test('ids that share their lower half are apart', () => {
  const ids = BigUint64Array.from({ length: 500 }, (_, k) => (BigInt(2 * k) << 32n) | 7n);
  const { find } = createIdIndex(ids);
  ids.forEach((id, rank) => expect(find(...halves(id))).toBe(rank));
  for (const id of ids) expect(find(...halves(id + (1n << 32n)))).toBe(-1);
});

function halves(id: bigint): [high: number, low: number] {
  return [Number(id >> 32n), Number(id & 0xffff_ffffn)];
}

function readId(text: string): bigint {
  const read: { row: TableRow | null } = { row: null };
  const records = createCsvRecords('ids.csv', 'Get another.', (record) => {
    read.row = createTableRow(record, ['id'], [0], 'ids.csv', 'Get another.');
  });
  records.push(Buffer.from(text));
  records.end();
  read.row!.readId(0);
  return (BigInt(read.row!.idHigh) << 32n) | BigInt(read.row!.idLow);
}
