import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReportFacts } from '../../../../systems/kernel/connectome/compare/read-report-facts.ts';
import { loadBundle } from '../../../../systems/kernel/connectome/load-bundle.ts';
import { writeBundle } from '../../../../systems/kernel/connectome/write-bundle.ts';
import type { BundleParts } from '../../../../systems/kernel/connectome/write-bundle.ts';
import { writeRewired } from '../../../../systems/kernel/connectome/write-rewired.ts';
import { temporaryFolder, toyGameParts, toyParts } from './toy-bundle.ts';

test('a rewired control says so, keeps neurons, roles and retina, and draws no fibre of the old graph', async () => {
  const home = await temporaryFolder();
  const from = join(home, 'toy');
  await writeBundle(from, ringParts());
  await writeRewired(from, join(home, 'control'), 3);
  const before = await loadBundle(from);
  const after = await loadBundle(join(home, 'control'));
  expect(after).toMatchObject({ origin: 'rewired', name: 'Rewired control of Toy', neurons: 24, edges: 48 });
  expect(after.roles).toEqual(before.roles);
  expect(Array.from(after.roles.keys())).toEqual(Array.from(before.roles.keys()));
  expect(after.retina).toEqual(before.retina);
  expect(new Uint32Array(after.targets).sort()).toEqual(new Uint32Array(before.targets).sort());
  expect(after.viewer.fibres.length).toBe(0);
  expect(after.identity).not.toBe(before.identity);
});

test('a control runs under the constants its original suggests', async () => {
  const home = await temporaryFolder();
  const suggestedParameters = { noiseKicks: 8, synapseScale: 0.004 };
  await writeBundle(join(home, 'toy'), { ...ringParts(), report: { suggestedParameters } });
  await writeRewired(join(home, 'toy'), join(home, 'control'), 3);
  expect((await readReportFacts(join(home, 'control'))).parameters).toEqual(suggestedParameters);
});

test('a graph that has no other wiring of its degrees is refused by name and nothing is written', async () => {
  const home = await temporaryFolder();
  const toy = toyParts();
  await writeBundle(join(home, 'toy'), {
    ...toy,
    meta: { ...toy.meta, neurons: 2, edges: 2, roles: {} },
    // neuron 0 reaches both neurons, so every wiring of these degrees has its self-edge
    graph: {
      ...toy.graph,
      indptr: Uint32Array.of(0, 2, 2),
      targets: Uint32Array.of(0, 1),
      weights: Int16Array.of(1, 2),
    },
    viewer: { positions: new Float32Array(6), classes: new Uint8Array(2), viewerEdges: new Uint32Array(0) },
  });
  await expect(writeRewired(join(home, 'toy'), join(home, 'control'), 1)).rejects.toMatchObject({
    code: 'REWIRE_DENSE',
  });
  expect(await readdir(home)).toEqual(['toy']);
});

/** 24 neurons in a ring, each to its next two: loose enough to shuffle. */
function ringParts(): BundleParts {
  const toy = toyGameParts();
  const neurons = 24;
  return {
    ...toy,
    meta: { ...toy.meta, neurons, edges: 2 * neurons },
    circuitRoles: { dataset: 'test', neurons, roles: { sensory: [0], macro_talk: [1] } },
    graph: {
      ...toy.graph,
      indptr: Uint32Array.from({ length: neurons + 1 }, (_, i) => 2 * i),
      targets: Uint32Array.from({ length: 2 * neurons }, (_, e) => ((e >> 1) + 1 + (e & 1)) % neurons),
      weights: Int16Array.from({ length: 2 * neurons }, (_, e) => e - neurons),
    },
    viewer: {
      positions: new Float32Array(3 * neurons),
      classes: new Uint8Array(neurons).fill(1),
      viewerEdges: Uint32Array.of(0, 1),
    },
  };
}
