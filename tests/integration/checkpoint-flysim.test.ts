import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeFlysimEnvelope } from '../../systems/checkpoint/envelope-flysim.ts';
import { runFly } from '../fixture/fly-process.ts';
import { flysimOf, livedFly } from '../systems/checkpoint/example-flysim.ts';

/** A file as an older service writes it: one fly after 2,516 ticks. */
async function peerFile(): Promise<{ readonly folder: string; readonly file: string; readonly bytes: Uint8Array }> {
  const bytes = encodeFlysimEnvelope(flysimOf(await livedFly()));
  const folder = mkdtempSync(join(tmpdir(), 'fly-flysim-'));
  const file = join(folder, 'saved.flysim');
  writeFileSync(file, bytes);
  return { folder, file, bytes };
}

test('fly checkpoint inspect says what an older service’s file holds; import refuses it and writes nothing (brain.md 9.5, 10.2)', async () => {
  const { folder, file } = await peerFile();
  const home = join(folder, 'home');
  const inspect = await runFly(['checkpoint', 'inspect', file], { FLY_HOME: home });
  expect(inspect.code).toBe(0);
  expect(inspect.output).toContain('FLYSIM01, generation 12');
  expect(inspect.output).toContain('2023-11-14T22:13:20.000Z');
  expect(inspect.output).toMatch(/^boundary +1, 2,516 brain ticks$/m);
  expect(inspect.output).toContain('profile     binjgb:c60e138d');
  const imported = await runFly(['checkpoint', 'import', file], { FLY_HOME: home });
  expect(imported.code).toBe(1);
  expect(imported.output).toMatch(/^fly: FLYSIM_PROFILE: .*saved with \S+, here is \S+.*nothing was written/m);
  expect(readdirSync(folder)).toEqual(['saved.flysim']);
});

test('a cut or damaged file of an older service is named as such by both commands', async () => {
  const { folder, bytes } = await peerFile();
  const damaged = bytes.slice();
  damaged[bytes.length >> 1]! ^= 1;
  for (const [name, data] of [
    ['cut.flysim', bytes.subarray(0, bytes.length - 5)],
    ['damaged.flysim', damaged],
  ] as const) {
    writeFileSync(join(folder, name), data);
    for (const command of ['inspect', 'import']) {
      const { code, output } = await runFly(['checkpoint', command, join(folder, name)], { FLY_HOME: folder });
      expect(code).toBe(1);
      expect(output).toMatch(/^fly: ENVELOPE_\w+: /m);
    }
  }
  expect(readdirSync(folder)).not.toContain('checkpoints');
});
