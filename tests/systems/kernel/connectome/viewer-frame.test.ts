import { expect, test } from 'vitest';
import { toViewerFrame } from '../../../../systems/kernel/connectome/viewer-frame.ts';

test('nanometres become the frame of ViewerGeometry: centroid at 0, half-width 1, y up, z towards the viewer', () => {
  const positions = Float32Array.of(300_000, 100_000, 40_000, 500_000, 200_000, 20_000, 700_000, 300_000, 60_000);
  toViewerFrame(positions);
  expect(Array.from(positions)).toEqual(Array.from(Float32Array.of(-1, 0.5, 0, 0, 0, 0.1, 1, -0.5, -0.1)));
});

test('positions in the frame already stay bit for bit, also when brought there twice', () => {
  const positions = Float32Array.of(-1, 0.25, 0.1, 0.9, -0.3, 0);
  const before = positions.slice();
  toViewerFrame(positions);
  expect(positions).toEqual(before);
});

test('a neuron without a position is put at the centre and does not move it', () => {
  const positions = Float32Array.of(0, 0, 0, 1_000, 500, 500, 3_000, 500, 500);
  toViewerFrame(positions);
  expect(Array.from(positions)).toEqual([0, 0, 0, -1, 0, 0, 1, 0, 0]);
});

test('one single place, or none, gives no infinity', () => {
  const one = Float32Array.of(5_000, 6_000, 7_000);
  toViewerFrame(one);
  expect(Array.from(one)).toEqual([0, 0, 0]);
  const none = new Float32Array(6);
  toViewerFrame(none);
  expect(Array.from(none)).toEqual([0, 0, 0, 0, 0, 0]);
});
