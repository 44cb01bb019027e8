import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DataError } from '../../../../../../engine/errors.ts';
import { createCsvRecords } from '../../../../../../systems/kernel/connectome/import/table/csv-records.ts';

test('fields, empty fields, quotes, doubled quotes and quoted newlines', () => {
  expect(split('a,b,c\n1,,"x ""y"", z"\r\n"two\r\nlines",2,3')).toEqual([
    ['a', 'b', 'c'],
    ['1', '', 'x "y", z'],
    ['two\r\nlines', '2', '3'],
  ]);
});

test('blank lines are no rows; a quoted empty field and a row of commas are fields', () => {
  expect(split('\n\r\na,b\n\n,\r\n"",""\n\n')).toEqual([
    ['a', 'b'],
    ['', ''],
    ['', ''],
  ]);
});

test('a byte-order mark is skipped, also before a quote and when the file is cut behind it', () => {
  expect(split('\uFEFF"a",b')).toEqual([['a', 'b']]);
  expect(split('\uFEFF"a",b', 1)).toEqual([['a', 'b']]);
  expect(split('\uFEFF')).toEqual([]);
  expect(split('ab')).toEqual([['ab']]); // shorter than a mark
});

test('a quote inside an unquoted field is a character of it', () => {
  expect(split('5" wide,b')).toEqual([['5" wide', 'b']]);
  expect(split('"x""y",1\n5"",2')).toEqual([
    ['x"y', '1'],
    ['5""', '2'],
  ]);
});

test('any table of text comes back, however it is cut into chunks', () => {
  const field = fc.string({ unit: fc.constantFrom('a', 'é', '7', ',', '"', '\n', '\r', ' '), maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      (rows, newline, endsWithNewline, chunk) => {
        const text = rows.map((row) => row.map(quote).join(',')).join(newline) + (endsWithNewline ? newline : '');
        expect(split(text, chunk)).toEqual(rows);
      },
    ),
  );
});

test('well-formed tables are read as csv-parse reads them', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '"', 'b', ',', ' ', '\n'), maxLength: 5 });
  fc.assert(
    fc.property(fc.array(fc.array(field, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 }), (rows) => {
      const text = rows.map((row) => row.map(quote).join(',')).join('\n');
      expect(split(text, 3)).toEqual(parse(text, { relax_quotes: true }));
    }),
  );
});

test.each([
  ['a,"b', 'row 1 ends inside a quoted field'],
  ['a,b\n"c"d,e', 'row 2 has text behind the closing quote of field 1'],
  [',,'.repeat(1_024), 'has more than 1024 fields'],
  [`a\n"${'x'.repeat(3 << 20)}`, 'row 2 has no end within 1,048,576 bytes'],
])('a malformed record is refused with its row (%#)', (text, says) => {
  let message = '';
  try {
    split(text, 1 << 16);
  } catch (error) {
    expect(error).toBeInstanceOf(DataError);
    message = (error as DataError).message;
  }
  expect(message).toContain(says);
  expect(message).toMatch(/^table\.csv\.gz: .* Get another\.$/);
});

/** Splits `text` fed in chunks of `chunk` bytes. */
function split(text: string, chunk = 4): string[][] {
  const found: string[][] = [];
  const records = createCsvRecords('table.csv.gz', 'Get another.', ({ bytes, fields, starts, ends, escaped }) => {
    found.push(
      Array.from({ length: fields }, (_, k) => {
        const value = bytes.toString('utf8', starts[k], ends[k]);
        return escaped[k] === 1 ? value.replaceAll('""', '"') : value;
      }),
    );
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) records.push(bytes.subarray(at, at + chunk));
  records.end();
  return found;
}

function quote(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
