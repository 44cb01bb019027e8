import { expect, test } from 'vitest';
import type { Brain } from '../../../engine/contract/brain.ts';
import { sha256Hex } from '../../../engine/identity/digest.ts';
import { decodeAgentEnvelope, encodeAgentEnvelope } from '../../../systems/checkpoint/agent-envelope.ts';
import { createReferenceBrain } from '../../../systems/kernel/reference.ts';
import { createDecoder } from '../../../systems/readout/decoder.ts';
import type { Decoder } from '../../../systems/readout/decoder.ts';
import { createJoypadPacker } from '../../../systems/readout/joypad-mask.ts';
import { decoderPreset } from '../../../systems/readout/presets.ts';
import { noiseFrames, syntheticConnectome } from '../kernel/test-graphs.ts';

/** Exact in binary: 548,625/32,768 ms (spec: brain.md 9.1). */
const MS_PER_FRAME = 548_625 / 32_768;
const FRAMES = noiseFrames(4_242, 16);
const CONNECTOME = syntheticConnectome();

type Fly = { readonly brain: Brain; readonly decoder: Decoder; remainder: number };

function createFly(): Fly {
  const brain = createReferenceBrain({ agentId: 'fly-a', seed: 22_222, connectome: CONNECTOME });
  return { brain, decoder: createDecoder(decoderPreset('gameboy'), brain.rateRoles), remainder: 0 };
}

async function warmUp({ brain, decoder }: Fly): Promise<void> {
  brain.setLearning(false);
  await brain.advance(2_500);
  brain.setLearning(true);
  decoder.calibrate(brain.rates);
  brain.installFrame(FRAMES[0]!, 160, 144);
}

/** Plays frames `from` to `to` of scenario S2 (spec: brain.md 15) and writes their masks. */
async function play(fly: Fly, from: number, to: number, masks: Uint8Array): Promise<void> {
  const { brain, decoder } = fly;
  const pack = createJoypadPacker(decoder.channels);
  for (let k = from; k <= to; k++) {
    fly.remainder += MS_PER_FRAME;
    const ticks = Math.floor(fly.remainder);
    fly.remainder -= ticks;
    await brain.advance(ticks);
    masks[k - 1] = pack(decoder.decode(brain.rates, brain.ticks(), Math.floor(k / 120) % 2 === 0));
    brain.installFrame(FRAMES[k % 16]!, 160, 144);
    const reward = k % 40 === 0 ? 1 : 0;
    if (reward > 0) brain.stimulate(120);
    if (k % 90 !== 0) brain.reinforce(reward);
  }
}

function expectPublishedRun(masks: Uint8Array, { remainder }: Fly): void {
  expect(remainder).toBe(0.623779296875);
  expect(Array.from(masks.subarray(0, 8))).toEqual([113, 113, 113, 113, 49, 49, 1, 1]);
  expect(sha256Hex(masks)).toBe('ed46ab539397a2246dc964f844c707f3a9cf3df68623a79701a31c12931c51bd');
}

test('600 frames of brain and readout together press the published buttons (brain.md 15, S2)', async () => {
  const fly = createFly();
  const masks = new Uint8Array(600);
  await warmUp(fly);
  await play(fly, 1, 600, masks);
  expectPublishedRun(masks, fly);
});

test('PER-01 a fly saved at frame 247 and taken over by a fresh one presses the same buttons on (brain.md 15, S2)', async () => {
  const first = createFly();
  const masks = new Uint8Array(600);
  await warmUp(first);
  await play(first, 1, 247, masks);
  const bytes = encodeAgentEnvelope({
    identity: null,
    remainderMs: first.remainder,
    warmedUp: true,
    brain: first.brain.exportState(),
    readout: first.decoder.exportState(),
  });

  const second = createFly();
  const saved = decodeAgentEnvelope(bytes, null);
  second.brain.importState(saved.brain);
  second.decoder.importState(saved.readout);
  second.remainder = saved.remainderMs;
  await play(second, 248, 600, masks);
  expectPublishedRun(masks, second);
});
