import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFly, scratchFolder, testHome } from '../fixture/fly-process.ts';

test('fly trace finds two runs of one seed equal and names where another seed parts, on the real brain and core', async () => {
  const home = { FLY_HOME: await testHome() };
  const folder = scratchFolder();
  const record = async (name: string, seed: string): Promise<string> => {
    const file = join(folder, name);
    const { code, output } = await runFly(['trace', 'record', file, '--transitions', '12', '--seed', seed], home);
    expect(output).toContain('12 transitions of windfall');
    expect(code).toBe(0);
    return file;
  };
  const first = await record('first.jsonl', '3');
  const again = await record('again.jsonl', '3');
  const other = await record('other.jsonl', '4');
  expect(readFileSync(again, 'utf8')).toBe(readFileSync(first, 'utf8'));
  expect(await runFly(['trace', 'compare', first, again], home)).toEqual({
    code: 0,
    output: 'equal: 12 transitions\n',
  });
  const { code, output } = await runFly(['trace', 'compare', first, other], home);
  expect(code).toBe(1);
  expect(output).toContain('started with another fly-a.seed');
  expect(output).toContain('equal for 0 transitions, then at step 1: advanceBrains, fly-a, spikes');
});

test.each<[string, string[], string]>([
  ['no count', ['trace', 'record', '/tmp/x.jsonl'], '--transitions'],
  ['a count that is none', ['trace', 'record', '/tmp/x.jsonl', '--transitions', 'many'], 'FLAG_VALUE'],
])('fly trace record with %s is wrong use, in one line', async (_, args, said) => {
  const { code, output } = await runFly(args, { FLY_HOME: scratchFolder() });
  expect(code).toBe(2);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(output).toContain(said);
});

test('fly trace compare names a file that is no trace', async () => {
  const { code, output } = await runFly(['trace', 'compare', 'package.json', 'package.json'], {
    FLY_HOME: scratchFolder(),
  });
  expect(code).toBe(1);
  expect(output).toContain('TRACE_FORMAT: package.json line 1');
});
