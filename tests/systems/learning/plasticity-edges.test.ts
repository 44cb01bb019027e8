import { expect, test } from 'vitest';
import type { Connectome } from '../../../engine/contract/connectome.ts';
import { selectPlasticEdges } from '../../../systems/learning/plasticity-edges.ts';
import { resolvePlasticityParameters } from '../../../systems/learning/plasticity-parameters.ts';
import type { PlasticityParameters } from '../../../systems/learning/plasticity-parameters.ts';
import { syntheticConnectome, testConnectome, toyConnectome } from '../kernel/test-graphs.ts';
import { sha256 } from '../kernel/test-kernels.ts';

function select(connectome: Connectome, overrides: Partial<PlasticityParameters>): [number[], number] {
  const { edge, topology } = selectPlasticEdges(connectome, resolvePlasticityParameters(overrides));
  return [[...edge], topology];
}

test('edges and topology of the toy brain, role by role (spec: brain.md 6.7)', () => {
  const toy = toyConnectome();
  expect(select(toy, {})).toEqual([[0], 1346561649]);
  expect(select(toy, { postRole: 'motor' })).toEqual([[2], 3950622483]);
  expect(select(toy, { preRole: 'mbon', postRole: 'motor' })).toEqual([[3], 1823622055]);
  expect(select(toy, { preRole: 'mbon', postRole: 'mbon' })).toEqual([[4], 2771193544]);
  expect(select(toy, { preRole: 'absent' })).toEqual([[], 2166136261]);
});

test('a budget keeps the strongest edges, in edge order (spec: brain.md 6.7)', () => {
  const roles = new Map([
    ['kenyon', Uint32Array.of(0, 1, 2)],
    ['mbon', Uint32Array.of(1, 2, 3)],
  ]);
  const wide = { ...toyConnectome(), roles };
  expect(select(wide, {})).toEqual([[0, 2, 3, 4], 4102350764]);
  expect(select(wide, { budget: 2 })).toEqual([[0, 2], 4094859615]);
});

test('self-edges and edges without positive weight stay fixed (spec: brain.md 6.2)', () => {
  const roles = { kenyon: [0], mbon: [0, 1] };
  const connectome = testConnectome({ indptr: [0, 4, 4], targets: [0, 1, 1, 1], weights: [9, -4, 0, 2], roles });
  expect(select(connectome, {})[0]).toEqual([3]);
});

test('the synthetic brain has the published edge list (spec: brain.md 15, S2)', () => {
  const { edge, topology } = selectPlasticEdges(syntheticConnectome(), resolvePlasticityParameters());
  expect(edge.length).toBe(4_414);
  expect(topology).toBe(799891091);
  expect(sha256(edge)).toBe('6435a57cb7aa436505c5a69380a44f608cfd7a991056d05afc0387bc3267e436');
});
