import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFly } from '../../fixture/fly-process.ts';
import { writeLarva } from '../../systems/kernel/connectome/import/larva/larva-data.ts';
import { writeRelease } from '../../systems/kernel/connectome/import/malecns/small-release.ts';
import { temporaryFolder } from '../../systems/kernel/connectome/toy-bundle.ts';

test('import larva writes a sound bundle and says what is missing and assumed', async () => {
  const root = await temporaryFolder();
  const env = { FLY_HOME: join(root, 'home') };
  const run = await runFly(['connectome', 'import', 'larva', await writeLarva(join(root, 'tables'))], env);
  expect(run.code).toBe(0);
  expect(run.output).toMatch(/^missing: transmitters/m);
  expect(run.output).toMatch(/^assumed: every edge is positive/m);
  const verify = await runFly(['connectome', 'verify', 'larva-2023'], env);
  expect(verify.output).toMatch(/^sound .*larva-2023: 5 neurons, 5 edges/m);
});

test('import larva --unsigned refuse leaves no bundle', async () => {
  const root = await temporaryFolder();
  const folder = await writeLarva(join(root, 'tables'));
  const env = { FLY_HOME: join(root, 'home') };
  const run = await runFly(['connectome', 'import', 'larva', folder, '--unsigned', 'refuse'], env);
  expect(run.code).toBe(1);
  expect(run.output).toMatch(/^fly: LARVA_UNSIGNED: /m);
  expect((await runFly(['connectome', 'list'], env)).output).toContain('no connectome yet');
});

test('import malecns keeps the two thresholds apart and never calls other files the release', async () => {
  const root = await temporaryFolder();
  const folder = await writeRelease(join(root, 'tables'));
  const env = { FLY_HOME: join(root, 'home') };
  const refused = await runFly(['connectome', 'import', 'malecns', folder], env);
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(/^fly: MALECNS_CHECKSUM: .*2177e246.*--accept-checksum/m);
  for (const threshold of ['1', '5']) {
    const run = await runFly(
      ['connectome', 'import', 'malecns', folder, '--accept-checksum', '--threshold', threshold],
      env,
    );
    expect(run.code).toBe(0);
    expect(run.output).toContain('NOT the published release');
  }
  const list = await runFly(['connectome', 'list'], env);
  expect(list.output).toMatch(
    /^malecns-v1: MaleCNS v1\.0 format, files not verified \(measured\), 6 neurons, 6 edges/m,
  );
  expect(list.output).toMatch(/^malecns-v1-min5: .*pairs from 5 contacts \(measured\), 6 neurons, 3 edges/m);
});

test('a threshold that is no number is wrong use', async () => {
  const run = await runFly(['connectome', 'import', 'malecns', '.', '--threshold', 'five'], {
    FLY_HOME: await temporaryFolder(),
  });
  expect(run.code).toBe(2);
  expect(run.output).toContain('--threshold five');
});
