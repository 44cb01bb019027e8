import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { generateCodex } from '../../bench/generate-codex.ts';
import { runFly, startFly } from '../../fixture/fly-process.ts';
import { SMALLEST, codexSet } from '../../systems/kernel/connectome/import/fafb/codex-set.ts';
import { temporaryFolder } from '../../systems/kernel/connectome/toy-bundle.ts';

test('import fafb writes a bundle that verify calls sound, with progress and the main facts', async () => {
  const root = await temporaryFolder();
  const home = join(root, 'home');
  const truth = await generateCodex(join(root, 'codex'), { neurons: 2_000, edges: 30_000, rows: 43_000, seed: 7 });
  const run = await runFly(['connectome', 'import', 'fafb', join(root, 'codex'), '--accept-checksum'], {
    FLY_HOME: home,
  });
  expect(run.code).toBe(0);
  expect(run.output).toMatch(/^connections\.csv\.gz: 100 %$/m);
  expect(run.output).toContain(`2,000 neurons, ${truth.edges.toLocaleString('en')} edges, 1,572 retina columns`);
  expect(run.output).toContain('rows merged into an edge 13,000');
  expect(run.output).toContain('NOT the published release');
  const verify = await runFly(['connectome', 'verify', 'fafb-v783'], { FLY_HOME: home });
  expect(verify.output).toMatch(/^sound .*fafb-v783: 2000 neurons, 30000 edges/m);
  const list = await runFly(['connectome', 'list'], { FLY_HOME: home });
  expect(list.output).toContain('fafb-v783: FlyWire FAFB v783 format, files not verified (measured)');
});

test('other files are refused with exit code 1 and one line that names the remedy', async () => {
  const { folder, out } = await codexSet(SMALLEST);
  const run = await runFly(['connectome', 'import', 'fafb', folder], { FLY_HOME: join(out, '..', '..') });
  expect(run.code).toBe(1);
  expect(run.output).toMatch(/^fly: IMPORT_CHECKSUM: .*expected e946b552.*got [0-9a-f]{64}.*--accept-checksum/m);
});

test('a data set without importer is wrong use, with the nearest name', async () => {
  const run = await runFly(['connectome', 'import', 'fabf', '.'], { FLY_HOME: await temporaryFolder() });
  expect(run.code).toBe(2);
  expect(run.output).toContain('there is no importer for "fabf". Did you mean fafb?');
});

test('Ctrl-C ends an import with exit code 130 and leaves no bundle', async () => {
  const root = await temporaryFolder();
  const folder = join(root, 'codex');
  await generateCodex(folder, { neurons: 20_000, edges: 300_000, rows: 430_000, seed: 7 });
  const home = join(root, 'home');
  await mkdir(join(home, 'connectomes'), { recursive: true });
  const run = startFly(['connectome', 'import', 'fafb', folder, '--accept-checksum'], { FLY_HOME: home });
  await run.printed('checking: ');
  run.child.kill('SIGINT');
  expect((await run.exit).code).toBe(130);
  expect(run.output()).toContain('interrupted');
  expect(await readdir(join(home, 'connectomes'))).not.toContain('fafb-v783');
});

test('a damaged file is one line, never a stack', async () => {
  const { folder, out } = await codexSet(SMALLEST);
  const whole = gzipSync(SMALLEST['connections.csv.gz']);
  await writeFile(join(folder, 'connections.csv.gz'), whole.subarray(0, 20));
  const run = await runFly(['connectome', 'import', 'fafb', folder, '--accept-checksum'], {
    FLY_HOME: join(out, '..', '..'),
  });
  expect(run.code).toBe(1);
  expect(run.output).toMatch(/^fly: IMPORT_GZIP: .*connections\.csv\.gz is cut short/m);
  expect(run.output).not.toMatch(/^ +at /m);
});
