import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { createBrainHost } from '../../systems/kernel/brain-host.ts';
import { ensureTwin } from '../../systems/kernel/connectome/grow-in-worker.ts';
import { loadBundle } from '../../systems/kernel/connectome/load-bundle.ts';
import { createReferenceBrain } from '../../systems/kernel/reference.ts';
import { noiseFrames } from '../systems/kernel/test-graphs.ts';
import { expectSameState } from '../systems/kernel/test-kernels.ts';

// A quarter of a second of brain time in every run of the tests; `FLY_SOAK=1` makes it 10,000 ticks (docs/brain.md).
const BATCH_TICKS = 17;
const TICKS = process.env.FLY_SOAK === '1' ? 10_000 : 15 * BATCH_TICKS;
/** Where a fresh brain takes a running one over. */
const HANDOVER_TICK = Math.floor(TICKS / 2);
const FRAMES = noiseFrames(4_242, 4);
/** In batches. */
const REWARD_EVERY = 12;
const FIRST_REWARD = 5;
/** The default one, then three derived seeds (spec: brain.md 11, master seed 42). */
const SEEDS = [22_222, -184946063, 535504990, -1247653395];

type Driven = {
  installFrame(rgba: Uint8Array, widthPx: number, heightPx: number): void;
  stimulate(ms: number): void;
  reinforce(reward: number): void;
};

/** What happens before each batch, so that eye, pulse and plasticity all work. */
function act(brain: Driven, batch: number): void {
  brain.installFrame(FRAMES[batch % 4]!, 160, 144);
  if (batch % 30 === 2) brain.stimulate(120);
  if (batch % REWARD_EVERY === FIRST_REWARD) brain.reinforce(batch % (2 * REWARD_EVERY) === FIRST_REWARD ? 1 : -0.25);
}

describe(`the grown twin, ${TICKS} ticks with plasticity on`, () => {
  const home = mkdtempSync(join(tmpdir(), 'fly-soak-'));
  let connectome: Connectome;

  beforeAll(async () => {
    connectome = await loadBundle(await ensureTwin({ home, seed: 1, onProgress: () => {} }));
  }, 120_000);

  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test('compiled and reference states are equal after every single tick, across a restore in the middle', async () => {
    const host = createBrainHost(connectome, { flies: 2 });
    const reference = createReferenceBrain({ agentId: 'oracle', seed: SEEDS[0]!, connectome });
    let compiled = await host.openBrain({ agentId: 'fly-0', seed: SEEDS[0]!, thread: 'inline' });
    for (let tick = 0; tick < TICKS; tick++) {
      if (tick === HANDOVER_TICK) {
        const state = compiled.exportState();
        await compiled.close();
        compiled = await host.openBrain({ agentId: 'fly-0-restored', seed: SEEDS[0]!, thread: 'inline' });
        compiled.importState(state);
      }
      if (tick % BATCH_TICKS === 0) for (const brain of [compiled, reference]) act(brain, tick / BATCH_TICKS);
      const [spikes, expected] = [await compiled.advance(1), await reference.advance(1)];
      if (spikes !== expected) expect.fail(`${spikes} spikes at tick ${tick}, the reference has ${expected}`);
      expectSameState(compiled.exportState(), reference.exportState());
    }
    expect(compiled.ticks()).toBe(TICKS);
    expect(compiled.learning()).toStrictEqual(reference.learning());
    expect(compiled.learning()).toMatchObject({
      synapses: 16_384,
      updates: Math.ceil((Math.ceil(TICKS / BATCH_TICKS) - FIRST_REWARD) / REWARD_EVERY),
    });
    expect(compiled.populationRateHz()).toBeGreaterThan(1);
    await host.close();
  }, 600_000);

  test('four flies in four threads on one topology each equal their own reference', async () => {
    const host = createBrainHost(connectome, { flies: SEEDS.length });
    const flies = await Promise.all(
      SEEDS.map((seed, index) => host.openBrain({ agentId: `fly-${index}`, seed, thread: 'worker' })),
    );
    const batches = Math.ceil(TICKS / BATCH_TICKS);
    await Promise.all(
      flies.map(async (brain) => {
        for (let batch = 0; batch < batches; batch++) {
          act(brain, batch);
          await brain.advance(BATCH_TICKS);
        }
      }),
    );
    for (const [index, seed] of SEEDS.entries()) {
      const reference = createReferenceBrain({ agentId: 'oracle', seed, connectome });
      for (let batch = 0; batch < batches; batch++) {
        act(reference, batch);
        await reference.advance(BATCH_TICKS);
      }
      expectSameState(flies[index]!.exportState(), reference.exportState());
    }
    await host.close();
  }, 600_000);
});
