import type { ViewerGeometry } from '../../engine/contract/connectome.ts';
import type { Projected } from './project.ts';
import { restColour } from './tint.ts';

/** The brain at rest: packed light a pixel, 0 where there is none. Row `y` has light only in `spans[2y]..spans[2y+1]`. */
export type BasePicture = {
  readonly width: number;
  readonly height: number;
  readonly light: Uint32Array;
  readonly spans: Int32Array;
};

/** More would only blur into a fog (mockups: about 5,600). */
const MAX_FIBRES = 5_600;
const FIBRE_STEPS = 48;
/** Pull of a fibre's middle towards the centre, so that pairs gather into tracts instead of a web of chords. */
const TRACT_PULL = 0.22;
/** Span from which the pull is whole; the brain is 2 wide. */
const LONG_FIBRE = 0.9;
/** What far neurons sink to. */
const DISTANCE_HUE = 0x46586a;

export type Exposure = { readonly neuron: number; readonly fibre: number; readonly ghost: boolean };

/**
 * Rasterised once: a dim point a neuron and faint fibres, added in linear light, then `1 - exp(-x)`. Near is brighter
 * and truer in hue. `ghost` drops the hues (the part that has not grown yet).
 */
export function drawBasePicture(
  viewer: ViewerGeometry,
  tints: Uint8Array,
  projected: Projected,
  width: number,
  height: number,
  exposure: Exposure,
): BasePicture {
  const sum = new Float32Array(width * height * 3);
  const hues = restColour.map((rgb) => linear(exposure.ghost ? 0x6a7076 : rgb));
  const far = linear(exposure.ghost ? 0x5c6268 : DISTANCE_HUE);
  const { xy, near } = projected;
  for (let i = 0; i < tints.length; i++) {
    const x = xy[i * 2]! | 0;
    const y = xy[i * 2 + 1]! | 0;
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    add(sum, (y * width + x) * 3, hues[tints[i]!]!, far, near[i]!, exposure.neuron);
  }
  addFibres(sum, viewer, tints, projected, width, height, hues, far, exposure.fibre);
  return develop(sum, width, height);
}

function addFibres(
  sum: Float32Array,
  viewer: ViewerGeometry,
  tints: Uint8Array,
  projected: Projected,
  width: number,
  height: number,
  hues: readonly Linear[],
  far: Linear,
  amount: number,
): void {
  const { fibres, positions } = viewer;
  const pairs = fibres.length >> 1;
  const stride = Math.max(1, Math.ceil(pairs / MAX_FIBRES));
  const point = new Float32Array(3);
  for (let pair = 0; pair < pairs; pair += stride) {
    const a = fibres[pair * 2]! * 3;
    const b = fibres[pair * 2 + 1]! * 3;
    const tint = Math.max(tints[a / 3]!, tints[b / 3]!);
    const length = Math.hypot(positions[a]! - positions[b]!, positions[a + 1]! - positions[b + 1]!);
    const pull = 1 - TRACT_PULL * Math.min(1, length / LONG_FIBRE); // a short fibre is straight
    const middleX = ((positions[a]! + positions[b]!) / 2) * pull;
    const middleY = ((positions[a + 1]! + positions[b + 1]!) / 2) * pull;
    const middleZ = ((positions[a + 2]! + positions[b + 2]!) / 2) * pull;
    const steps = Math.max(4, Math.min(FIBRE_STEPS * 4, Math.round(length * width * 0.5)));
    for (let step = 0; step <= steps; step++) {
      const t = step / steps;
      const u = 1 - t;
      projected.map(
        u * u * positions[a]! + 2 * u * t * middleX + t * t * positions[b]!,
        u * u * positions[a + 1]! + 2 * u * t * middleY + t * t * positions[b + 1]!,
        u * u * positions[a + 2]! + 2 * u * t * middleZ + t * t * positions[b + 2]!,
        point,
      );
      const x = point[0]! | 0;
      const y = point[1]! | 0;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      add(sum, (y * width + x) * 3, hues[tint]!, far, point[2]!, amount);
    }
  }
}

type Linear = readonly [number, number, number];

function add(sum: Float32Array, at: number, hue: Linear, far: Linear, near: number, amount: number): void {
  const strength = amount * (0.35 + 0.65 * near);
  const truth = 0.45 + 0.55 * near;
  sum[at] = sum[at]! + (far[0] + (hue[0] - far[0]) * truth) * strength;
  sum[at + 1] = sum[at + 1]! + (far[1] + (hue[1] - far[1]) * truth) * strength;
  sum[at + 2] = sum[at + 2]! + (far[2] + (hue[2] - far[2]) * truth) * strength;
}

function develop(sum: Float32Array, width: number, height: number): BasePicture {
  const light = new Uint32Array(width * height);
  const spans = new Int32Array(height * 2);
  for (let y = 0; y < height; y++) {
    let first = width;
    let last = 0;
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      const r = encode(1 - Math.exp(-sum[at]!));
      const g = encode(1 - Math.exp(-sum[at + 1]!));
      const b = encode(1 - Math.exp(-sum[at + 2]!));
      if (r + g + b < 6) continue;
      light[y * width + x] = 0xff000000 | (b << 16) | (g << 8) | r;
      if (x < first) first = x;
      last = x + 1;
    }
    spans[y * 2] = first;
    spans[y * 2 + 1] = last;
  }
  return { width, height, light, spans };
}

function linear(rgb: number): Linear {
  const decode = (byte: number): number => {
    const value = byte / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [decode((rgb >> 16) & 255), decode((rgb >> 8) & 255), decode(rgb & 255)];
}

function encode(value: number): number {
  return Math.round(255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055));
}
