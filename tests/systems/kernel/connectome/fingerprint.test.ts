import { expect, test } from 'vitest';
import type { BundleMeta } from '../../../../systems/kernel/connectome/bundle-meta.ts';
import { mergeRoles } from '../../../../systems/kernel/connectome/bundle-meta.ts';
import { fingerprintText, identifyGraph } from '../../../../systems/kernel/connectome/fingerprint.ts';
import { toyGameParts, toyParts } from './toy-bundle.ts';

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'; // SHA-256 of nothing

test('the toy fixture has the seven published digests (brain.md 1.8)', () => {
  const { meta, graph } = toyParts();
  expect(fingerprintText(meta)).toBe(
    '{"schemaVersion":1,"dataset":"test","neurons":4,"edges":5,"roles":{"kenyon":[0],"mbon":[1,2],"motor":[3],"command_0":[3]},"visual":{"population":"test","count":0}}',
  );
  expect(identifyGraph(meta, graph).fingerprint.split(':')).toEqual([
    '6fc94f73d2d1b940e2b8a6e4224060882d6d91f6b5569bb9a4183d11f8e18c91',
    '8bdf98f4ed0ca7cfb4724fa50a77b1c66f6b7042c0422afebb09fd40250f78ce',
    '83e0b196d6adcc42813206eaad8aae6b171cae5150c53222dcc91c31f12d83a3',
    '2105641faa8b997b59a7d840b32b29f36f5e174290d399ba2ac7d608897ac6d2',
    EMPTY,
    EMPTY,
    EMPTY,
  ]);
});

test('the toy with a retina has the published meta digest (brain.md 1.8, Toy-G)', () => {
  const { meta, graph } = toyGameParts();
  expect(identifyGraph(meta, graph).fingerprint.split(':')[0]).toBe(
    'd9e11018294e907d4ccfb207dd782ebd73ebcb34d94fa79fb1a910bf6b60072f',
  );
});

test('adding the role macro_talk changes no part of the fingerprint (brain.md 1.8), but changes our identity', () => {
  const { meta, graph } = toyParts();
  const sidecar = { dataset: 'test', neurons: 4, roles: { macro_talk: [1, 3] } };
  const plain = identifyGraph(meta, graph);
  const macro = identifyGraph(mergeRoles(meta, sidecar), graph);
  expect(macro.fingerprint).toBe(plain.fingerprint);
  expect(macro.identity).not.toBe(plain.identity);
});

test('our identity ignores compressed sizes and key order, and sees every weight and the order of roles', () => {
  const { meta, graph } = toyParts();
  const { identity } = identifyGraph(meta, graph);
  const recompressed = { ...meta, artifacts: { 'indptr.binz': { bytes: 20, compressedBytes: 31, sha256: '00' } } };
  expect(identifyGraph(recompressed, graph).identity).toBe(identity);
  const reordered = Object.fromEntries(Object.entries(meta).reverse()) as unknown as BundleMeta;
  expect(identifyGraph(reordered, graph).identity).toBe(identity);
  const roles = Object.fromEntries(Object.entries(meta.roles).reverse());
  expect(identifyGraph({ ...meta, roles }, graph).identity).not.toBe(identity);
  const weights = graph.weights.slice();
  weights[1] = -6;
  expect(identifyGraph(meta, { ...graph, weights }).identity).not.toBe(identity);
});

test('merged roles keep their place, new ones follow, macro roles come last (brain.md 1.4)', () => {
  const { meta } = toyParts();
  const sidecar = { dataset: 'test', neurons: 4, roles: { macro_talk: [1], sensory: [0], mbon: [2], macro_menu: [2] } };
  const merged = mergeRoles(meta, sidecar).roles;
  expect(Object.keys(merged)).toEqual(['kenyon', 'mbon', 'motor', 'command_0', 'sensory', 'macro_talk', 'macro_menu']);
  expect(merged['mbon']).toEqual([2]);
});
