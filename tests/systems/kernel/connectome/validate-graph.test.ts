import { expect, test } from 'vitest';
import { packIndices, packWeights, requireRoles } from '../../../../systems/kernel/connectome/validate-graph.ts';

test('weights beyond 16 bits are refused, not wrapped (brain.md 1.5, overflowing weights)', () => {
  expect(Array.from(packWeights([-32_768, 0, 32_767], 'x'))).toEqual([-32_768, 0, 32_767]);
  expect(() => packWeights([1, 32_768], 'x')).toThrow(expect.objectContaining({ code: 'GRAPH_WEIGHT' }));
  expect(() => packWeights([0.5], 'x')).toThrow(expect.objectContaining({ code: 'GRAPH_WEIGHT' }));
});

test('64-bit identifiers are refused where indices belong (brain.md 1.5, wide IDs)', () => {
  expect(Array.from(packIndices([3, 0], 4, 'x'))).toEqual([3, 0]);
  expect(() => packIndices([720_575_940_599_457_990], 4, 'x')).toThrow(
    expect.objectContaining({ code: 'GRAPH_INDEX' }),
  );
  expect(() => packIndices([4], 4, 'x')).toThrow(expect.objectContaining({ code: 'GRAPH_INDEX' }));
});

test('an absent and an empty population are both errors for a profile that needs them (brain.md 1.5)', () => {
  const roles = new Map([
    ['kenyon', Uint32Array.of(1)],
    ['mbon', new Uint32Array(0)],
  ]);
  expect(() => requireRoles(roles, ['kenyon'], 'x')).not.toThrow();
  for (const name of ['mbon', 'visual_l1']) {
    expect(() => requireRoles(roles, ['kenyon', name], 'x')).toThrow(
      expect.objectContaining({ code: 'GRAPH_ROLE_MISSING' }),
    );
  }
});
