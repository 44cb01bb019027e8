import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DataError } from '../../../../../../engine/errors.ts';
import { CODEX_FILES } from '../../../../../../systems/kernel/connectome/import/fafb/codex-files.ts';
import type { CodexFile } from '../../../../../../systems/kernel/connectome/import/fafb/codex-files.ts';
import { importFafb } from '../../../../../../systems/kernel/connectome/import/fafb/import-fafb.ts';
import { loadBundle } from '../../../../../../systems/kernel/connectome/load-bundle.ts';
import { SMALLEST, codexSet, id } from './codex-set.ts';
import type { CodexSet } from './codex-set.ts';

test('the smallest whole set imports', async () => {
  const set = await codexSet(SMALLEST);
  await importFafb({ ...set, acceptChecksum: true });
  expect(await loadBundle(set.out)).toMatchObject({ neurons: 2, edges: 1 });
});

test('CRLF, byte-order mark, quotes and a missing last newline change nothing', async () => {
  const plain = await codexSet(SMALLEST);
  const dressed = await codexSet(
    mapTables((text) => {
      const lines = text.trimEnd().split('\n');
      const quoted = lines.map((line) =>
        line
          .split(',')
          .map((field) => `"${field}"`)
          .join(','),
      );
      return `\uFEFF${quoted.join('\r\n')}`;
    }),
  );
  await importFafb({ ...plain, acceptChecksum: true });
  await importFafb({ ...dressed, acceptChecksum: true });
  const digests = async (folder: string): Promise<string[]> =>
    (await loadBundle(folder)).fingerprint.split(':').slice(1);
  expect(await digests(dressed.out)).toEqual(await digests(plain.out));
});

test('other files are refused with name, expected and found sha256 and the remedy (brain.md 2)', async () => {
  const message = await refusal(await codexSet(SMALLEST), 'IMPORT_CHECKSUM', false);
  expect(message).toMatch(/classification\.csv\.gz: sha256 expected e946b552[0-9a-f]{56}, got [0-9a-f]{64}\./);
  expect(message).toContain('--accept-checksum');
});

test('every missing file is named at once, with where to get it', async () => {
  const set = await codexSet(SMALLEST);
  await rm(join(set.folder, 'coordinates.csv.gz'));
  await rm(join(set.folder, 'connections.csv.gz'));
  const message = await refusal(set, 'IMPORT_FILE');
  expect(message).toContain('connections.csv.gz, coordinates.csv.gz are missing in');
  expect(message).toContain('https://storage.googleapis.com/flywire-data/codex/data/fafb/783/');
});

test('a folder that does not exist is refused', async () => {
  const { out } = await codexSet(SMALLEST);
  await refusal({ folder: join(out, 'nowhere'), out }, 'IMPORT_FILE');
});

test('a file of no bytes is refused as empty', async () => {
  const set = await codexSet(SMALLEST);
  await writeFile(join(set.folder, 'coordinates.csv.gz'), '');
  expect(await refusal(set, 'IMPORT_EMPTY')).toContain('coordinates.csv.gz is empty (0 bytes)');
});

test.each(CODEX_FILES)('%s without a header line is refused as empty', async (file) => {
  expect(await refusal(await codexSet({ ...SMALLEST, [file]: '' }), 'IMPORT_EMPTY')).toContain(file);
});

test.each(CODEX_FILES)('%s cut short inside its gzip stream is refused', async (file) => {
  const set = await codexSet(SMALLEST);
  const whole = gzipSync(SMALLEST[file]);
  await writeFile(join(set.folder, file), whole.subarray(0, whole.length - 9));
  expect(await refusal(set, 'IMPORT_GZIP')).toMatch(new RegExp(`${file} is cut short`));
});

test('a file that is not gzip is refused', async () => {
  const set = await codexSet(SMALLEST);
  await writeFile(join(set.folder, 'connections.csv.gz'), SMALLEST['connections.csv.gz']);
  expect(await refusal(set, 'IMPORT_GZIP')).toContain('connections.csv.gz is not a sound gzip file');
});

test('a gzip file with a flipped byte is refused', async () => {
  const set = await codexSet(SMALLEST);
  const damaged = gzipSync(SMALLEST['coordinates.csv.gz']);
  damaged[damaged.length - 7]! ^= 1; // its check sum
  await writeFile(join(set.folder, 'coordinates.csv.gz'), damaged);
  expect(await refusal(set, 'IMPORT_GZIP')).toContain('coordinates.csv.gz');
});

test('a classification without neurons is refused', async () => {
  const text = 'root_id,flow,super_class,class,sub_class,side\n';
  const message = await refusal(await codexSet({ ...SMALLEST, 'classification.csv.gz': text }), 'IMPORT_EMPTY');
  expect(message).toContain('has a header but no neuron');
});

type BadTable = readonly [what: string, file: CodexFile, from: string, to: string, code: string, says: string];

test.each<BadTable>([
  [
    'a missing column',
    'connections.csv.gz',
    'syn_count',
    'count',
    'IMPORT_COLUMN',
    'has no column "syn_count"; its header is pre_root_id, post_root_id, count',
  ],
  [
    'a column given twice',
    'coordinates.csv.gz',
    'root_id,position',
    'position,position',
    'IMPORT_COLUMN',
    'has no column "root_id"',
  ],
  ['an ambiguous column', 'classification.csv.gz', 'flow', 'side', 'IMPORT_COLUMN', 'has no column "flow"'],
  [
    'a repeated neuron',
    'classification.csv.gz',
    id(1),
    id(0),
    'IMPORT_DUPLICATE',
    `root_id ${id(0)} is in rows 2 and 3`,
  ],
  [
    'an id that is text',
    'classification.csv.gz',
    id(1),
    'neuron',
    'IMPORT_VALUE',
    'row 3, root_id: "neuron" is not a whole number',
  ],
  ['an id with a fraction', 'coordinates.csv.gz', id(0), '7.2e17', 'IMPORT_VALUE', 'row 2, root_id: "7.2e17" is not'],
  ['an empty id', 'connections.csv.gz', `${id(0)},`, ',', 'IMPORT_VALUE', 'row 2, pre_root_id: "" is empty'],
  [
    'an id of 2^63',
    'connections.csv.gz',
    id(1),
    '9223372036854775808',
    'IMPORT_VALUE',
    'row 2, post_root_id: "9223372036854775808" is 2^63 or more',
  ],
  ['an id of fifty digits', 'connections.csv.gz', id(1), '9'.repeat(50), 'IMPORT_VALUE', 'is 2^63 or more'],
  ['a negative count', 'connections.csv.gz', ',5,', ',-5,', 'IMPORT_VALUE', 'row 2, syn_count: "-5" is negative'],
  [
    'a broken count',
    'connections.csv.gz',
    ',5,',
    ',5.5,',
    'IMPORT_VALUE',
    'row 2, syn_count: "5.5" is not a whole number',
  ],
  ['no count', 'connections.csv.gz', ',5,', ',,', 'IMPORT_VALUE', 'row 2, syn_count: "" is empty'],
  ['a count beyond 32 bits', 'connections.csv.gz', ',5,', ',4294967296,', 'IMPORT_VALUE', 'is more than 4,294,967,295'],
  [
    'a position of two numbers',
    'coordinates.csv.gz',
    '[1 2 3]',
    '[1 2]',
    'IMPORT_VALUE',
    'row 2, position: "[1 2]" is not three numbers in brackets',
  ],
  [
    'a position without brackets',
    'coordinates.csv.gz',
    '[1 2 3]',
    '1 2 3',
    'IMPORT_VALUE',
    'is not three numbers in brackets',
  ],
  [
    'a position of words',
    'coordinates.csv.gz',
    '[1 2 3]',
    '[a b c]',
    'IMPORT_VALUE',
    'is not three numbers in brackets',
  ],
  [
    'a column place that is text',
    'column_assignment.csv.gz',
    'left,1',
    'left,one',
    'IMPORT_VALUE',
    'row 2, x: "one" is not a number',
  ],
  [
    'a column without place',
    'column_assignment.csv.gz',
    'left,1,2',
    'left,1,',
    'IMPORT_VALUE',
    'row 2, y: "" is not a number',
  ],
  ['a row too short', 'connections.csv.gz', ',ACH', '', 'IMPORT_ROW', 'row 2 has 3 fields, the header has 4'],
  [
    'a quote that never closes',
    'column_assignment.csv.gz',
    'L1',
    '"L1',
    'IMPORT_ROW',
    'row 2 ends inside a quoted field',
  ],
  [
    'text behind a quote',
    'column_assignment.csv.gz',
    'L1',
    '"L"1',
    'IMPORT_ROW',
    'row 2 has text behind the closing quote of field 2',
  ],
])('%s is refused in one line with file, place and remedy', async (_, file, from, to, code, says) => {
  expect(SMALLEST[file]).toContain(from);
  const set = await codexSet({ ...SMALLEST, [file]: SMALLEST[file].replace(from, to) });
  const message = await refusal(set, code);
  expect(message).toContain(file);
  expect(message).toContain(says);
  expect(message).toContain(`Download it again from https://`);
});

test.each<BadTable>([
  [
    'a quoted newline in an id',
    'classification.csv.gz',
    id(1),
    `"${id(1)}\n"`,
    'IMPORT_VALUE',
    'row 3, root_id: "720575940621039101\\n" is not a whole number',
  ],
  [
    'a quoted newline in a count',
    'connections.csv.gz',
    ',5,',
    ',"\r\n5",',
    'IMPORT_VALUE',
    'row 2, syn_count: "\\r\\n5" is not a whole number',
  ],
  [
    'a quoted newline in a column name',
    'connections.csv.gz',
    'syn_count',
    '"syn\ncount"',
    'IMPORT_COLUMN',
    'has no column "syn_count"',
  ],
  [
    'a neuron with an id above 2^63',
    'classification.csv.gz',
    id(1),
    '18446744073709551615',
    'IMPORT_VALUE',
    'row 3, root_id: "18446744073709551615" is 2^63 or more',
  ],
])('%s is named in one line, the line break written out', async (_, file, from, to, code, says) => {
  const set = await codexSet({ ...SMALLEST, [file]: SMALLEST[file].replace(from, to) });
  const message = await refusal(set, code);
  expect(message).toContain(file);
  expect(message).toContain(says);
});

test('a quoted newline in a field that is only text changes no number', async () => {
  const file = 'classification.csv.gz';
  const set = await codexSet({ ...SMALLEST, [file]: SMALLEST[file].replace(`${id(0)},,,,,`, `${id(0)},,,,"a\nb",`) });
  await importFafb({ ...set, acceptChecksum: true });
  expect(await loadBundle(set.out)).toMatchObject({ neurons: 2, edges: 1 });
});

test('a connection given twice is one edge of both counts, and the report says so (brain.md 2, rule 6)', async () => {
  const file = 'connections.csv.gz';
  const set = await codexSet({ ...SMALLEST, [file]: `${SMALLEST[file]}${id(0)},${id(1)},5,ACH\n` });
  const report = await importFafb({ ...set, acceptChecksum: true });
  const { edges, weights } = await loadBundle(set.out);
  expect([edges, Array.from(weights)]).toEqual([1, [10]]);
  expect(JSON.stringify(report)).toMatch(/"mergedRows":1|"merged":1/);
});

test('an ambiguous column is refused although its name is there', async () => {
  const text = SMALLEST['column_assignment.csv.gz'].replace('root_id,type', 'type,type');
  const set = await codexSet({
    ...SMALLEST,
    'column_assignment.csv.gz': `root_id,${text.replaceAll('\n', '\n0,').slice(0, -2)}`,
  });
  expect(await refusal(set, 'IMPORT_COLUMN')).toContain('has more than one column "type"');
});

test('a refused import leaves the earlier bundle as it was, and nothing else', async () => {
  const set = await codexSet(SMALLEST);
  await importFafb({ ...set, acceptChecksum: true });
  const before = (await loadBundle(set.out)).fingerprint;
  await writeFile(join(set.folder, 'coordinates.csv.gz'), 'damaged');
  await refusal(set, 'IMPORT_GZIP');
  expect((await loadBundle(set.out)).fingerprint).toBe(before);
  expect(await readdir(dirname(set.out))).toEqual(['fafb-v783']);
});

/** Message of the refusal; nothing may lie at `out` that was not there before. */
async function refusal(set: CodexSet, code: string, acceptChecksum = true): Promise<string> {
  await mkdir(dirname(set.out), { recursive: true });
  const before = await readdir(dirname(set.out));
  const error: unknown = await importFafb({ ...set, acceptChecksum }).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DataError);
  expect((error as DataError).code).toBe(code);
  expect((error as DataError).message).not.toContain('\n');
  expect((await readdir(dirname(set.out))).filter((name) => !name.endsWith('-import'))).toEqual(before);
  return (error as DataError).message;
}

function mapTables(map: (text: string) => string): Record<CodexFile, string> {
  return Object.fromEntries(CODEX_FILES.map((file) => [file, map(SMALLEST[file])])) as Record<CodexFile, string>;
}
