import { readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { importFafb } from '../../../../../../systems/kernel/connectome/import/fafb/import-fafb.ts';
import { loadBundle } from '../../../../../../systems/kernel/connectome/load-bundle.ts';
import { SMALLEST, codexSet, id } from './codex-set.ts';
import type { CodexSet } from './codex-set.ts';

const CACHE = '.fafb-v783-import';

test('an import interrupted before writing goes on without reading the connections again', async () => {
  const set = await codexSet(SMALLEST);
  await interruptAt(set, 'writing');
  expect(await readdir(dirname(set.out))).toEqual([CACHE]);

  expect(await phasesOf(set)).not.toContain('connections.csv.gz');
  expect(await readdir(dirname(set.out))).toEqual(['fafb-v783']);

  const straight = await codexSet(SMALLEST);
  expect(await phasesOf(straight)).toContain('connections.csv.gz');
  for (const file of await readdir(straight.out)) {
    expect(await readFile(join(set.out, file)), file).toEqual(await readFile(join(straight.out, file)));
  }
});

test('kept edges of other files are not used, and replaced', async () => {
  const set = await codexSet(SMALLEST);
  await interruptAt(set, 'writing');
  const other = SMALLEST['connections.csv.gz'].replace(',5,', ',6,');
  await writeFile(join(set.folder, 'connections.csv.gz'), gzipSync(other));
  expect(await phasesOf(set)).toContain('connections.csv.gz');
  expect(Array.from((await loadBundle(set.out)).weights)).toEqual([6]);
});

test('kept edges depend on the inventory too: indices are ranks in it', async () => {
  const set = await codexSet(SMALLEST);
  await interruptAt(set, 'writing');
  const more = `${SMALLEST['classification.csv.gz']}${id(-1)},,,,,\n`;
  await writeFile(join(set.folder, 'classification.csv.gz'), gzipSync(more));
  expect(await phasesOf(set)).toContain('connections.csv.gz');
  expect(Array.from((await loadBundle(set.out)).indptr)).toEqual([0, 0, 1, 1]);
});

test.each([
  ['with a flipped byte', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(bytes.at(-1) ^ 1)])],
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
  ['that are empty', () => Buffer.alloc(0)],
])('kept edges %s are read anew', async (_, damage) => {
  const set = await codexSet(SMALLEST);
  await interruptAt(set, 'writing');
  const [name] = await readdir(join(dirname(set.out), CACHE));
  const path = join(dirname(set.out), CACHE, name!);
  await writeFile(path, damage(await readFile(path)));
  expect(await phasesOf(set)).toContain('connections.csv.gz');
  expect(Array.from((await loadBundle(set.out)).weights)).toEqual([5]);
});

test.each(['checking', 'classification.csv.gz', 'connections.csv.gz'])(
  'an import aborted while %s ends with the reason of the signal and leaves nothing',
  async (phase) => {
    const set = await codexSet(SMALLEST);
    await interruptAt(set, phase);
    expect(await readdir(dirname(set.out)).catch(() => [])).toEqual([]);
  },
);

/** Aborts when `phase` is first reported; nothing is reported after that. */
async function interruptAt(set: CodexSet, phase: string): Promise<void> {
  const abort = new AbortController();
  const reason = new Error('enough');
  let reportsAfter = 0;
  const run = importFafb({
    ...set,
    acceptChecksum: true,
    signal: abort.signal,
    onProgress: (progress) => {
      if (abort.signal.aborted) reportsAfter++;
      if (progress.phase === phase) abort.abort(reason);
    },
  });
  await expect(run).rejects.toBe(reason);
  expect(reportsAfter).toBe(0);
}

async function phasesOf(set: CodexSet): Promise<Set<string>> {
  const phases = new Set<string>();
  await importFafb({ ...set, acceptChecksum: true, onProgress: ({ phase }) => phases.add(phase) });
  return phases;
}
