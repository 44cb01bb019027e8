import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeFlysimEnvelope } from '../../systems/checkpoint/envelope-flysim.ts';
import { createReferenceBrain } from '../../systems/kernel/reference.ts';
import { decoderPreset } from '../../systems/readout/presets.ts';
import { createReadout } from '../../systems/readout/readout.ts';
import { runFly } from '../fixture/fly-process.ts';
import { toyGConnectome } from '../systems/kernel/test-graphs.ts';

const PROFILE =
  'lif-1ms-f64-v2/pokered-unique8-v8/fp/fly-kc-mbon-rstdp-v2/binjgb:c60e138d/pokered:0cd19d3b/statefmt:199616';

/** A file as an older service writes it: one fly after 2,516 ticks. */
async function peerFile(): Promise<{ readonly folder: string; readonly file: string; readonly bytes: Uint8Array }> {
  const brain = createReferenceBrain({ agentId: 'fly-a', seed: 22_222, connectome: toyGConnectome() });
  const readout = createReadout(decoderPreset('gameboy'), brain.rateRoles);
  await brain.advance(2_500);
  readout.calibrate(brain.rates);
  await brain.advance(16);
  readout.decide(brain.rates, brain.ticks(), { boot: false, bound: [], location: null });
  const bytes = encodeFlysimEnvelope({
    remainderMs: 0.742706298828125,
    warmedUp: true,
    brain: brain.exportState(),
    readout: readout.exportState(),
    generation: 12,
    wallMs: 1_700_000_000_000,
    romHash: 'c'.repeat(64),
    emulatorFrame: 2,
    compatibility: PROFILE,
    speed: 1,
    buttons: 0,
    rankSinceMs: 900,
    lastEventId: 3,
    reward: {},
    ratchet: {},
    reinforcements: 1,
    emulator: Uint8Array.of(1, 2, 3),
    framebuffer: new Uint8Array(160 * 144 * 4),
    ratchetGame: new Uint8Array(0),
    ratchetFrame: new Uint8Array(0),
  });
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
