import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Brain } from '../../../engine/contract/brain.ts';
import type { Connectome } from '../../../engine/contract/connectome.ts';
import { createBrainHost } from '../../../systems/kernel/brain-host.ts';
import { ensureTwin } from '../../../systems/kernel/connectome/grow-in-worker.ts';
import { loadBundle } from '../../../systems/kernel/connectome/load-bundle.ts';
import { describeVision, probeVision } from '../../../systems/kernel/probe-vision.ts';
import { createReferenceBrain } from '../../../systems/kernel/reference.ts';
import { syntheticConnectome, toyConnectome } from './test-graphs.ts';

const opener =
  (connectome: Connectome, seed = 22_222) =>
  (): Promise<Brain> =>
    createBrainHost(connectome, { flies: 1 }).openBrain({ agentId: 'probe', seed, thread: 'inline' });

/** The same graph without the output edges of the cells that carry the retina. */
function withBlindRetina(connectome: Connectome): Connectome {
  const { neurons, indptr, targets, weights, retina } = connectome;
  const isRetina = new Set(retina.neuron);
  const kept: number[] = [];
  const rows = new Uint32Array(neurons + 1);
  for (let s = 0; s < neurons; s++) {
    if (!isRetina.has(s)) for (let e = indptr[s]!; e < indptr[s + 1]!; e++) kept.push(e);
    rows[s + 1] = kept.length;
  }
  return {
    ...connectome,
    edges: kept.length,
    indptr: rows,
    targets: Uint32Array.from(kept, (e) => targets[e]!),
    weights: Int16Array.from(kept, (e) => weights[e]!),
  };
}

test('on the grown twin light changes the command scores far beyond the noise; with blind L1 cells it changes nothing', async () => {
  const home = process.env.FLY_HOME ?? join(tmpdir(), 'fly-test-home');
  const twin = await loadBundle(await ensureTwin({ home, seed: 1 }));
  const seeing = await probeVision(opener(twin));
  expect(seeing.differs).toBe(true);
  expect(seeing.effect).toBeGreaterThan(3 * seeing.noise);
  const blind = await probeVision(opener(withBlindRetina(twin)));
  expect(blind).toEqual({ differs: false, effect: 0, noise: blind.noise });
  expect(blind.noise).toBeGreaterThan(0);
  expect(describeVision(blind)).toContain('the picture does NOT reach the readout');
}, 60_000);

const SHORT = { warmupTicks: 300, runTicks: 200 };

test('two sets of runs in the same light are not told apart, whatever the seed', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const brain = await opener(syntheticConnectome(), seed)();
    const sameLight = { ...brain, installFrame: () => undefined, importState: jolt(brain) };
    const { differs, effect, noise } = await probeVision(() => Promise.resolve(sameLight), SHORT);
    expect(effect).toBeGreaterThan(0);
    expect(noise).toBeGreaterThan(0);
    expect(differs).toBe(false);
  }
});

/** Moves the noise stream of every other run, so that pairs are as unlike as a real difference would make them. */
function jolt(brain: Brain): Brain['importState'] {
  let run = 0;
  return (state) => brain.importState({ ...state, rng: run++ % 2 === 0 ? state.rng : state.rng ^ 0x5555_5555 });
}

test('the compiled kernel and the reference are probed alike', async () => {
  const connectome = syntheticConnectome();
  const reference = (): Promise<Brain> =>
    Promise.resolve(createReferenceBrain({ agentId: 'probe', seed: 22_222, connectome }));
  expect(await probeVision(opener(connectome), SHORT)).toEqual(await probeVision(reference, SHORT));
});

test('a brain without retina or without commands is never said to see', async () => {
  expect((await probeVision(opener(toyConnectome()), SHORT)).differs).toBe(false);
  const { roles, ...rest } = syntheticConnectome();
  const mute = { ...rest, roles: new Map([...roles].filter(([name]) => !name.startsWith('command_'))) };
  expect(await probeVision(opener(mute), SHORT)).toEqual({ differs: false, effect: 0, noise: 0 });
});
