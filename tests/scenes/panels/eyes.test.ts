import { expect, test } from 'vitest';
import { sampleOffsets } from '../../../scenes/panels/eyes.ts';

test('columns sample the pixels of the published example (brain.md 4.6)', () => {
  const retina = {
    count: 4,
    neuron: Uint32Array.from([0, 1, 2, 3]),
    hemisphere: Uint8Array.from([1, 1, 0, 1]),
    xy: Float32Array.from([0, 0, 3, 0, 0, 1, 1.5, 0.5]),
  };
  const row = (...pixels: number[][]): number[] => pixels.flatMap((rgb) => [...rgb, 255]);
  const picture = Uint8Array.from([
    ...row([255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255]),
    ...row([128, 128, 128], [10, 20, 30], [0, 0, 0], [200, 100, 50]),
  ]);
  const drives = [...sampleOffsets(retina, 4, 2)].map((at) =>
    Math.fround(((picture[at]! * 0.2126 + picture[at + 1]! * 0.7152 + picture[at + 2]! * 0.0722) / 255) * 0.2),
  );
  expect(drives).toEqual([0.20000000298023224, 0.014440000057220459, 0.092274509370327, 0]);
});
