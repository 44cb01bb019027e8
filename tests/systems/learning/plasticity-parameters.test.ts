import { expect, test } from 'vitest';
import { plasticityVersion, resolvePlasticityParameters } from '../../../systems/learning/plasticity-parameters.ts';
import type { PlasticityParameters } from '../../../systems/learning/plasticity-parameters.ts';

test.each<[string, Partial<PlasticityParameters>]>([
  ['39ad4aaa', { traceMs: 4_000 }],
  ['bf3ca548', { pairMs: 30 }],
  ['46d0e172', { pairMs: 25 }],
  ['aec597eb', { pairWindowMs: 50 }],
  ['c3aff228', { potentiation: 0.2 }],
  ['d8ab4809', { depression: 0.1 }],
  ['c1adf637', { learningRate: 0.004 }],
  ['b96f41e8', { restoring: 0.0002 }],
  ['70ce8e92', { minGain: 0.8 }],
  ['69988500', { maxGain: 1.2 }],
])('plasticity version suffix %s belongs to %o (spec: brain.md 6.6)', (suffix, overrides) => {
  expect(plasticityVersion(resolvePlasticityParameters(overrides))).toBe(`rstdp-v2:${suffix}`);
});

test('roles and budget are no part of the version (spec: brain.md 6.6)', () => {
  const renamed = resolvePlasticityParameters({ preRole: 'a', postRole: 'b', budget: 1 });
  expect(plasticityVersion(renamed)).toBe('fly-kc-mbon-rstdp-v2');
});
