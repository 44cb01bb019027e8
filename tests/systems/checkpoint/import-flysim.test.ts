import { expect, test } from 'vitest';
import { encodeFlysimEnvelope } from '../../../systems/checkpoint/envelope-flysim.ts';
import type { FlysimSave } from '../../../systems/checkpoint/envelope-flysim.ts';
import { importFlysim } from '../../../systems/checkpoint/import-flysim.ts';
import type { FlysimTarget } from '../../../systems/checkpoint/import-flysim.ts';
import { toyConnectome } from '../kernel/test-graphs.ts';
import { FLYSIM_CONTEXT, FLYSIM_PROFILE, FLYSIM_ROM, createFly, flysimOf, livedFly } from './example-flysim.ts';
import type { Fly } from './example-flysim.ts';
import { expectSameState } from '../kernel/test-kernels.ts';

function target({ brain, readout }: Fly): FlysimTarget {
  return {
    compatibility: FLYSIM_PROFILE,
    romHash: FLYSIM_ROM,
    migration: { migratable: ['pokered-unique8-v7'], allowed: null },
    brain,
    readout,
  };
}

test('a fly of a peer’s file lives on bit for bit, and its place in our clocks comes with it (brain.md 9.5, 10.2)', async () => {
  const peer = await livedFly();
  const bytes = encodeFlysimEnvelope(flysimOf(peer));
  const here = createFly();
  const { clocks, save } = importFlysim(bytes, target(here));
  expect(clocks).toMatchObject({ step: 1n, executedTicks: 2_516n, warmupTicks: 2_500n });
  expect(save.emulator).toEqual(Uint8Array.of(1, 2, 3));
  expectSameState(here.brain.exportState(), peer.brain.exportState());
  expect(await here.brain.advance(200)).toBe(await peer.brain.advance(200));
  for (const { brain, readout } of [here, peer]) readout.decide(brain.rates, brain.ticks(), FLYSIM_CONTEXT);
  expectSameState(here.brain.exportState(), peer.brain.exportState());
  expect(here.readout.exportState()).toEqual(peer.readout.exportState());
});

test.each<[what: string, changes: Partial<FlysimSave>, says: string]>([
  [
    'kernel',
    { compatibility: FLYSIM_PROFILE.replace('f64-v2', 'f64-v2:9b0f15e3') },
    'saved with lif-1ms-f64-v2:9b0f15e3, here is lif-1ms-f64-v2',
  ],
  ['wiring', { compatibility: FLYSIM_PROFILE.replace('/fp/', '/75ba5d35/') }, 'saved with 75ba5d35, here is fp'],
  [
    'plasticity',
    { compatibility: FLYSIM_PROFILE.replace('fly-kc-mbon-rstdp-v2', 'rstdp-v2:39ad4aaa') },
    'saved with rstdp-v2:39ad4aaa',
  ],
  [
    'emulator',
    { compatibility: FLYSIM_PROFILE.replace('c60e138d', '00000000') },
    'saved with binjgb:00000000, here is binjgb:c60e138d',
  ],
  [
    'adapter that can be named',
    { compatibility: FLYSIM_PROFILE.replace('v8', 'v7') },
    'adapter pokered-unique8-v7 can be migrated; name it',
  ],
  [
    'adapter that cannot',
    { compatibility: FLYSIM_PROFILE.replace('v8', 'v1') },
    'adapter pokered-unique8-v1 cannot be migrated',
  ],
  ['number of segments', { compatibility: `${FLYSIM_PROFILE}/more` }, 'saved with more, here is nothing'],
  ['cartridge', { romHash: 'd'.repeat(64) }, `saved with cartridge ${'d'.repeat(64)}, here is ${FLYSIM_ROM}`],
])(
  'a file of another %s is refused in one line with both sides, and nothing changes (brain.md 10.2)',
  async (_what, changes, says) => {
    const bytes = encodeFlysimEnvelope(flysimOf(await livedFly(), changes));
    await expectRefusal(bytes, 'FLYSIM_PROFILE', says);
  },
);

test('a file whose profile fits and whose brain does not is refused by field, and nothing changes (brain.md 4.8)', async () => {
  const other = createFly(toyConnectome());
  await expectRefusal(encodeFlysimEnvelope(flysimOf(other)), 'BRAIN_STATE', 'visualDrive');
});

test('a fault in the decoder’s half alone changes nothing of the brain either (brain.md 9.5, 15)', async () => {
  const peer = await livedFly();
  const readout = { ...(peer.readout.exportState() as object), nextDecision: null };
  await expectRefusal(encodeFlysimEnvelope(flysimOf(peer, { readout })), 'DECODER_STATE', 'nextDecision');
});

test('a remainder that no Game Boy leaves is found before anything is written (brain.md 9.1)', async () => {
  await expectRefusal(
    encodeFlysimEnvelope(flysimOf(await livedFly(), { remainderMs: 0.1 })),
    'FLYSIM',
    'remainder 0.1',
  );
});

test('a cut file changes nothing', async () => {
  const bytes = encodeFlysimEnvelope(flysimOf(await livedFly()));
  await expectRefusal(bytes.subarray(0, bytes.length - 5), /^ENVELOPE/, '');
});

/** Another fly that lives here refuses the file and stays what it was. */
async function expectRefusal(bytes: Uint8Array, code: string | RegExp, says: string): Promise<void> {
  const here = await livedFly();
  await here.brain.advance(50);
  const [brain, readout] = [here.brain.exportState(), here.readout.exportState()];
  let refused: unknown;
  try {
    importFlysim(bytes, target(here));
  } catch (error) {
    refused = error;
  }
  expect(refused).toMatchObject({ code: expect.stringMatching(code) as string });
  expect((refused as Error).message).toContain(says);
  expect((refused as Error).message).not.toContain('\n');
  expectSameState(here.brain.exportState(), brain);
  expect(here.readout.exportState()).toEqual(readout);
}
