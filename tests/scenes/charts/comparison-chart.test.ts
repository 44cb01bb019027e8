import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { drawComparison } from '../../../scenes/charts/comparison-chart.ts';
import type { ChartSide, ComparisonChart } from '../../../scenes/charts/comparison-chart.ts';
import { colour } from '../../../scenes/theme.ts';

const SIDE: ChartSide = {
  name: 'first',
  origin: 'grown twin, not a measured wiring',
  neurons: 139_255,
  edges: 2_700_513,
  outDegree: { atLeast: [1, 10, 100], share: [1, 0.5, 0.01] },
  inDegree: { atLeast: [1, 10, 100], share: [0.9, 0.4, 0.02] },
  contacts: { positive: [0, 0, 0.3, 0.2], negative: [0, 0, 0.4, 0.1] },
};

const CHART: ComparisonChart = {
  sides: [SIDE, { ...SIDE, name: 'second', outDegree: { atLeast: [1, 4], share: [0.8, 0.1] } }],
  facts: [{ label: 'mean degree', values: ['19.39', '19.39'], ratio: '1.00' }],
  rates: [
    { label: 'motor', meaning: 'motor', hz: [10, null] },
    { label: 'sensory', meaning: 'sensory', hz: [2, 5] },
  ],
  rateNote: 'after 2,500 ticks',
};

type Picture = { readonly rgba: Uint8ClampedArray; readonly width: number; readonly height: number };

async function decode(png: Uint8Array): Promise<Picture> {
  const image = await loadImage(Buffer.from(png));
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { rgba: context.getImageData(0, 0, width, height).data, width, height };
}

function count({ rgba }: Picture, wanted: number): number {
  let found = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    if (((rgba[i]! << 16) | (rgba[i + 1]! << 8) | rgba[i + 2]!) === wanted) found++;
  }
  return found;
}

test('a comparison is a 1920x1080 PNG with both wirings in it, outlined bars in the colour of their meaning', async () => {
  const picture = await decode(await drawComparison(CHART));
  expect([picture.width, picture.height]).toEqual([1_920, 1_080]);
  expect(count(picture, colour.bezel)).toBeGreaterThan(20_000); // the first wiring's filled shapes
  expect(count(picture, colour.ink)).toBeGreaterThan(3_000);
  expect(count(picture, colour.sensory)).toBeGreaterThan(200);
  expect(count(picture, colour.motor)).toBe(0); // the second wiring has no motor population, so no outline
});

test('the same figures give the same picture, others another one', async () => {
  const first = Buffer.from(await drawComparison(CHART));
  expect(first.equals(await drawComparison(CHART))).toBe(true);
  const other = { ...CHART, rates: [{ ...CHART.rates[1]!, hz: [5, 2] as const }] };
  expect(first.equals(await drawComparison(other))).toBe(false);
});

test('a wiring without edges, columns or rates is drawn, not refused', async () => {
  const empty = { atLeast: [], share: [] };
  const none = { ...SIDE, outDegree: empty, inDegree: empty, contacts: { positive: [0], negative: [0] } };
  const png = await drawComparison({ ...CHART, sides: [none, none], facts: [], rates: [] });
  expect((await decode(png)).width).toBe(1_920);
});

test('nothing is drawn outside the safe inset of 48 px (show.md 2)', async () => {
  const { rgba, width, height } = await decode(await drawComparison(CHART));
  let strays = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (x >= 48 && x < width - 48 && y >= 48 && y < height - 48) continue;
      const i = (y * width + x) * 4;
      if (((rgba[i]! << 16) | (rgba[i + 1]! << 8) | rgba[i + 2]!) !== colour.background) strays++;
    }
  }
  expect(strays).toBe(0);
});
