import { describe, expect, test } from 'vitest';
import type { Kernel } from '../../../systems/kernel/kernel.ts';
import { drawBaseline } from '../../../systems/kernel/draw-baseline.ts';
import { nextXorshift } from '../../../systems/kernel/xorshift.ts';
import { noiseFrames, syntheticConnectome, testConnectome, toyGConnectome } from './test-graphs.ts';
import { KERNELS, sha256 } from './test-kernels.ts';

const QUIET = { noiseKicks: 0, baselineMax: 0 };

describe.each(KERNELS)('%s kernel', (_name, open) => {
  test('clamps after every edge, so the order of sources shows (spec: brain.md 4.3)', () => {
    const connectome = testConnectome({
      indptr: [0, 1, 3, 3],
      targets: [2, 0, 2],
      weights: [-500, 40, 300],
    });
    const kernel = open(connectome, 22_222, QUIET);
    kernel.importState({ ...kernel.exportState(), membrane: Float32Array.of(1.2, 1.1, 0.25) });

    expect(kernel.step(1)).toBe(2);
    expect([...kernel.spikeBits]).toEqual([0b011]);
    const state = kernel.exportState();
    expect([...state.membrane]).toEqual([0.20000000298023224, 0, -0.5]);
    expect([...state.refractory]).toEqual([2, 2, 0]);
    expect(state.populationRate).toBe(26.666666666666664);

    kernel.step(1);
    expect(kernel.exportState().refractory[0]).toBe(1);
    expect(kernel.exportState().membrane[0]).toBe(0.19024589657783508);
    kernel.step(1);
    expect(kernel.exportState().refractory[0]).toBe(0);
    expect(kernel.exportState().membrane[0]).toBe(0.18096749484539032);
  });

  test('a neuron that is always driven fires every third tick (spec: brain.md 4.3, consequences)', () => {
    const kernel = open(testConnectome({ indptr: [0, 0], targets: [], weights: [] }), 22_222, {
      ...QUIET,
      noiseKicks: 1,
      noiseAmount: 2,
    });
    expect(Array.from({ length: 9 }, () => kernel.step(1))).toEqual([1, 0, 0, 1, 0, 0, 1, 0, 0]);
  });

  test('overlapping pulses take the longer one and never sum (spec: brain.md 4.7)', () => {
    const kernel = open(toyGConnectome());
    kernel.stimulate(120);
    kernel.stimulate(80);
    expect(kernel.stimulusRemainingMs()).toBe(120);
    kernel.step(50);
    kernel.stimulate(60);
    expect(kernel.stimulusRemainingMs()).toBe(70);
    kernel.step(100);
    expect(kernel.stimulusRemainingMs()).toBe(0);
  });

  test('the toy brain reproduces 3,000 ms of scenario S1 (spec: brain.md 15)', () => {
    const kernel = open(toyGConnectome());
    const frame = noiseFrames(7, 1)[0]!;
    expect(sha256(frame)).toBe('7b56f3d73fd27085612cf17a685bae806c49491feb6511927f2713c389280096');
    let spikes = 0;
    for (let tick = 0; tick < 3_000; tick++) {
      if (tick === 100) {
        kernel.installFrame(frame, 160, 144);
        expect([...kernel.visualDrive]).toEqual([0.13665254414081573, 0.020778195932507515]);
      }
      if (tick === 500) kernel.stimulate(120);
      if (tick === 700) kernel.reinforce(1);
      if (tick === 2_000) {
        kernel.reinforce(-0.5);
        expect(toySummary(kernel)).toMatchObject({
          rng: 847207202,
          gain: 1.0005989074707031,
          trace: 0.9996000528335571,
        });
        expect(kernel.learning().updates).toBe(2);
        expect(spikes).toBe(2_668);
      }
      spikes += kernel.step(1);
      if (tick === 0) {
        const { membrane, rng } = kernel.exportState();
        expect([...membrane]).toEqual([0, 0.07500000298023224, -0.02500000037252903, 0.15000000596046448]);
        expect(rng).toBe(1934640183);
      }
      if (tick === 999) {
        expect(toySummary(kernel)).toMatchObject({ rng: -642618201, gain: 1.0015228986740112, trace: 1 });
        expect(kernel.populationRateHz()).toBe(347.0294280955024);
        expect(spikes).toBe(1_336);
      }
    }
    expect(spikes).toBe(4_000);
    const { rng, membrane } = kernel.exportState();
    expect(rng).toBe(1020222952);
    expect(membrane[0]).toBe(65.58931732177734);
    expect(sha256(membrane)).toBe('826f54eb29f0b3a7b88b93c57e21d949371ad705c098a920a249b6da5d378b0a');
  });

  test('12,545 ticks with rewards and stimulation reproduce scenario S2 (spec: brain.md 15)', () => {
    const connectome = syntheticConnectome();
    expect(sha256(connectome.targets)).toBe('a6caf046d4c3c2c378c54d0ab54b72bda255a8101160efaa2af708226781f97a');
    expect(sha256(connectome.weights)).toBe('caac6f30451675ef9fea10c616548a2eb4caf843304edfde675cb1ea608f3d08');
    const kernel = open(connectome);
    expect(kernel.learning().synapses).toBe(4_414);
    expect(kernel.exportState().plasticity.topology).toBe(799891091);
    kernel.setLearning(false);
    expect(kernel.step(2_500)).toBe(628_864);
    expect(kernel.exportState().rng).toBe(1051468331);
    expect(kernel.populationRateHz()).toBe(61.29176788660193);
    kernel.setLearning(true);

    const frames = noiseFrames(4_242, 16);
    expect(sha256(Buffer.concat(frames))).toBe('7ae6898d1bc42a959afb46551307a9400c0109ed2c3329954fe021660dd8cda4');
    kernel.installFrame(frames[0]!, 160, 144);
    let remainder = 0;
    let spikes = 0;
    for (let frame = 1; frame <= 600; frame++) {
      remainder += 548_625 / 32_768;
      const ticks = Math.floor(remainder);
      remainder -= ticks;
      spikes += kernel.step(ticks);
      kernel.installFrame(frames[frame % 16]!, 160, 144);
      if (frame % 40 === 0) kernel.stimulate(120);
      if (frame % 90 !== 0) kernel.reinforce(frame % 40 === 0 ? 1 : 0);
      const published = S2_FRAMES.get(frame);
      if (published) {
        const { ms, rng, membrane, plasticity } = kernel.exportState();
        expect([ms, rng, plasticity.updates, sha256(membrane), sha256(plasticity.gains)]).toEqual(published);
      }
    }
    const { plasticity, lastSpikeMs } = kernel.exportState();
    expect(spikes).toBe(3_856_318);
    expect(sha256(plasticity.traces)).toBe('b528686cca471a1728d5473508082c908e1860abca9f4b62847da7608f958364');
    expect(sha256(plasticity.touched)).toBe('0cb437455763db48b8a944742dcc6af30e832677b8b422e43ce4aa6a1fef7774');
    expect(sha256(lastSpikeMs)).toBe('6904c5b624a15632b2ec78ccca7273ca6f0e1dc72ef37cb69d529d55abd1b77d');
    expect(kernel.learning()).toMatchObject({
      changed: 4_414,
      meanChange: 0.021098295271423644,
      maxChange: 0.02130138874053955,
    });
  });

  test('tracks command, macro and the six named populations in bundle order (spec: brain.md 4.5)', () => {
    const members = [0];
    const roles = { motor: members, macro_a: members, forward: members, command_0: members, sensory: members };
    const connectome = testConnectome({ indptr: [0, 0], targets: [], weights: [], roles });
    expect(open(connectome).rateRoles).toEqual(['macro_a', 'forward', 'command_0']);
    expect(open(connectome, 1, { rateRoles: ['sensory', 'absent', 'forward'] }).rateRoles).toEqual([
      'sensory',
      'forward',
    ]);
    expect(open(connectome, 1, { rateRoles: [] }).rateRoles).toEqual([]);
  });

  test('a neuron listed twice counts once per spike while the size is the list length (spec: brain.md 4.5)', () => {
    const roles = { command_0: [0, 0, 1, 1], command_1: [] };
    const kernel = open(testConnectome({ indptr: [0, 0, 0], targets: [], weights: [], roles }), 22_222, QUIET);
    kernel.importState({ ...kernel.exportState(), membrane: Float32Array.of(5, 0) });
    kernel.step(1);
    expect([...kernel.rates]).toEqual([(1 * 1000) / 4 / 25, 0]);
  });

  test('more than 64 tracked populations are refused (spec: brain.md 4.5)', () => {
    const roles = Object.fromEntries(Array.from({ length: 65 }, (_, k) => [`macro_${k}`, [0]]));
    const connectome = testConnectome({ indptr: [0, 0], targets: [], weights: [], roles });
    expect(() => open(connectome)).toThrow(expect.objectContaining({ code: 'RATE_ROLES' }));
  });
});

test('the stream of seed 22222 and of seed 1 (spec: brain.md 4.4)', () => {
  expect(outputs(22_222, 6)).toEqual([1374414818, 2413927497, 829730269, 1025812730, 2941001735, 1121345921]);
  expect(outputs(1, 6)).toEqual([270369, 67634689, 2647435461, 307599695, 2398689233, 745495504]);
  expect(nextXorshift(nextXorshift(22_222))).toBe(-1881039799);
  let state = 22_222;
  for (let i = 0; i < 10_000; i++) state = nextXorshift(state);
  expect(state).toBe(-141621295);
});

test('baselines come first from the stream, the noise continues it (spec: brain.md 4.4)', () => {
  const { baseline, rng } = drawBaseline(139_255, 22_222, 0.06);
  expect([...baseline.subarray(0, 4)]).toEqual([
    0.01920035295188427, 0.033722177147865295, 0.011591197922825813, 0.01433043833822012,
  ]);
  expect(rng).toBe(56231472);
  expect(outputs(rng, 6).map((value) => value % 139_255)).toEqual([91120, 45243, 20734, 9525, 89139, 14054]);
});

test('the synthetic brain draws the published baselines (spec: brain.md 15, S2)', () => {
  const { baseline } = drawBaseline(4_096, 22_222, 0.06);
  expect(sha256(baseline)).toBe('ef30e19cf5529989e68c541feace05b2bfcbc0e091d2d50e5c1f3b37a1dc060e');
});

// spec: brain.md 15, table of S2: ms, rng, updates, membrane digest, gains digest
const S2_FRAMES = new Map<number, readonly (number | string)[]>([
  [
    1,
    [
      2516,
      721019368,
      0,
      '131cfec95813b6edbdbe750f010138c9f3c929b11d0f3e6b9c71968148bb6fed',
      'f978bcc1fe8da12e1288b73430528af0948347a6880342d7cab598a1582e5cc1',
    ],
  ],
  [
    200,
    [
      5848,
      1831259840,
      5,
      '86affd3ea75ded7011ca96affba6c9aed5cf1f33a3c8cf62f943e1ff0a49ab42',
      'a63bb8c2c9cf54b584ec469564c5b1a2d6a390c7e1ed730a4cc8dab9dd75b405',
    ],
  ],
  [
    400,
    [
      9197,
      302509967,
      9,
      '5ab6c85e097a92db4d12a24efcd509c344aed16a3396660f70287e326efd957a',
      'e49a484d880b581ab7c795d9ba33ca00aaa151a9b8ead44d6bdf5bfb314d2de8',
    ],
  ],
  [
    600,
    [
      12545,
      1780385409,
      14,
      'e8d5f78d9a01f4952abd65b6ec3075dab4cdc65fa8e2fe490023b8b9b398f530',
      '82801b7665c7fbd7137a849fe5a19f289d3e360f4319f3716929dc44d75bb7f6',
    ],
  ],
]);

function toySummary(kernel: Kernel): { rng: number; gain: number; trace: number } {
  const { rng, plasticity } = kernel.exportState();
  return { rng, gain: plasticity.gains[0]!, trace: plasticity.traces[0]! };
}

function outputs(seed: number, count: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => (state = nextXorshift(state)) >>> 0);
}
