import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readVision, VISION_FILE, writeVision } from '../../../../systems/kernel/connectome/vision-record.ts';

const PROBE = { differs: true, effect: 0.94, noise: 0.017 };
const folder = (): string => mkdtempSync(join(tmpdir(), 'fly-vision-'));

test('what a probe found is kept beside the bundle for this graph alone', async () => {
  const bundle = folder();
  expect(await readVision(bundle, 'graph-a')).toBeNull();
  await writeVision(bundle, 'graph-a', PROBE);
  expect(await readVision(bundle, 'graph-a')).toEqual(PROBE);
  expect(await readVision(bundle, 'graph-b')).toBeNull();
  expect(readdirSync(bundle)).toEqual([VISION_FILE]);
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"identity":"graph-a"}',
  '{"identity":"graph-a","differs":"yes","effect":1,"noise":1}',
])('a record that says %j is no record', async (text) => {
  const bundle = folder();
  writeFileSync(join(bundle, VISION_FILE), text);
  expect(await readVision(bundle, 'graph-a')).toBeNull();
});

test('a folder that cannot be written is no failure', async () => {
  await writeVision(join(folder(), 'missing'), 'graph-a', PROBE);
});
