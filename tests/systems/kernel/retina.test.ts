import { expect, test } from 'vitest';
import { projectRetina } from '../../../systems/kernel/retina.ts';
import { noiseFrames, syntheticConnectome, testConnectome } from './test-graphs.ts';

const COLUMNS = [
  { neuron: 0, hemisphere: 1, x: 0, y: 0 },
  { neuron: 0, hemisphere: 1, x: 3, y: 0 },
  { neuron: 0, hemisphere: 0, x: 0, y: 1 },
  { neuron: 0, hemisphere: 1, x: 1.5, y: 0.5 },
];

function retinaOf(columns: typeof COLUMNS): ReturnType<typeof testConnectome>['retina'] {
  return testConnectome({ indptr: [0, 0], targets: [], weights: [], columns }).retina;
}

test('the 4x2 picture gives the published drives (spec: brain.md 4.6)', () => {
  const pixels = [
    ...[
      [255, 255, 255],
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
    ],
    ...[
      [128, 128, 128],
      [10, 20, 30],
      [0, 0, 0],
      [200, 100, 50],
    ],
  ];
  const rgba = Uint8Array.from(pixels.flatMap((rgb) => [...rgb, 255]));
  const drive = new Float32Array(4);
  projectRetina(rgba, 4, 2, retinaOf(COLUMNS), 0.2, drive);
  expect([...drive]).toEqual([0.20000000298023224, 0.014440000057220459, 0.092274509370327, 0]);
});

test('a single left column has no span and reads the right edge (spec: brain.md 4.6)', () => {
  const drive = new Float32Array(1);
  const rgba = Uint8Array.of(0, 0, 0, 255, 255, 255, 255, 255);
  projectRetina(rgba, 2, 1, retinaOf([{ neuron: 0, hemisphere: 0, x: 7, y: 7 }]), 0.2, drive);
  expect(drive[0]).toBe(Math.fround(0.2));
});

test('a picture twice as large with doubled pixels maps to the same drives (spec: brain.md 15)', () => {
  const { retina } = syntheticConnectome();
  const small = Uint8Array.from({ length: 160 * 144 * 4 }, (_, at) => ((at >> 2) % 160 < 80 ? 255 : 0));
  const large = Uint8Array.from({ length: 320 * 288 * 4 }, (_, at) => ((at >> 2) % 320 < 160 ? 255 : 0));
  const fromSmall = new Float32Array(retina.count);
  const fromLarge = new Float32Array(retina.count);
  projectRetina(small, 160, 144, retina, 0.2, fromSmall);
  projectRetina(large, 320, 288, retina, 0.2, fromLarge);
  expect(fromLarge).toEqual(fromSmall);
});

test('a picture of the wrong length is refused and the drive stays', () => {
  const drive = new Float32Array(4).fill(0.1);
  const frame = noiseFrames(3, 1)[0]!;
  for (const [width, height] of [
    [160, 143],
    [0, 0],
    [160.5, 144],
  ] as const) {
    expect(() => projectRetina(frame, width, height, retinaOf(COLUMNS), 0.2, drive)).toThrow(
      expect.objectContaining({ code: 'RETINA_SHAPE' }),
    );
  }
  expect(drive).toEqual(new Float32Array(4).fill(0.1));
});
