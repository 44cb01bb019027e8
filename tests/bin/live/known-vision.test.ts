import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownVision, measureVision } from '../../../bin/live/known-vision.ts';
import { readVision } from '../../../systems/kernel/connectome/vision-record.ts';
import { toyConnectome } from '../../systems/kernel/test-graphs.ts';

test('a probe under other kernel constants is not what a show says of its own brain; its own probe is kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fly-vision-'));
  const connectome = toyConnectome();
  const own = `${connectome.identity} lif-1ms-f64-v2`;
  await measureVision(folder, connectome, { noiseKicks: 7 });
  expect(await readVision(folder, own)).toBeNull();
  const seen = await knownVision(folder, connectome, {});
  expect(seen.differs).toBe(false); // the toy has no retina
  expect(await readVision(folder, own)).toEqual(seen);
});
