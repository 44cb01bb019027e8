import type { Canvas } from './canvas.ts';
import {
  CLEAR,
  blit,
  createCanvas,
  dither,
  drawLine,
  fillEllipse,
  fillRect,
  fromText,
  noise,
  outline,
  setShade,
  shadeAt,
} from './canvas.ts';

/** How one orchard looks. Shades and quarters of shades, see `dither`. */
export type Theme = {
  readonly skyQuarters: number;
  readonly horizonQuarters: number;
  readonly canopy: 'round' | 'tall' | 'wide' | 'weeping' | 'bush' | 'snowy';
  readonly canopyQuarters: number;
  readonly ground: 'grass' | 'sand' | 'snow' | 'stone';
  readonly fruit: FruitKind;
  readonly clouds: 'fair' | 'few' | 'rain' | 'storm' | 'night' | 'sun' | 'snow';
  readonly hillSalt: number;
};

export type FruitKind = 'apple' | 'pear' | 'fig' | 'plum' | 'lemon' | 'cherry' | 'olive' | 'quince';

/** A strip of scenery is 16 columns wide; rows 0..3 of the play field belong to the sky strip. */
export const STRIP_WIDTH_PX = 128;
export const STRIP_HEIGHT_PX = 96;
/** Ground level inside a strip. */
export const GROUND_Y = 72;

export function drawStrip(theme: Theme, trees: readonly { x: number; size: 'small' | 'big' }[]): Canvas {
  const strip = createCanvas(STRIP_WIDTH_PX, STRIP_HEIGHT_PX, 0);
  drawBackdrop(strip, theme);
  for (const tree of trees) {
    const picture = drawTree(theme, tree.size);
    blit(strip, picture, tree.x - (picture.widthPx >> 1), GROUND_Y + 1 - picture.heightPx);
  }
  drawGround(strip, theme);
  return strip;
}

/** Tone of the nearest slope, which shows behind everything that stands on the ground. */
export function nearQuarters(theme: Theme): number {
  if (theme.skyQuarters >= 6) return 9;
  return theme.ground === 'snow' ? 3 : theme.ground === 'sand' ? 5 : 6;
}

/** Three ranges of hills that repeat every strip: pale far ones, a tree line, a dithered near slope. */
function drawBackdrop(strip: Canvas, theme: Theme): void {
  const night = theme.skyQuarters >= 6;
  const far = night ? 5 : 4;
  const near = nearQuarters(theme);
  for (let x = 0; x < strip.widthPx; x++) {
    const farY = 52 - domes(x, theme.hillSalt, 64, 22);
    const nearY = 66 - domes(x, theme.hillSalt + 3, 64, 16);
    for (let y = 0; y < GROUND_Y; y++) {
      const sky = y > 34 ? theme.horizonQuarters : theme.skyQuarters;
      let shade = dither(sky, x, y);
      if (y >= farY) shade = dither(y === farY && !night ? 8 : far, x, y);
      if (y >= nearY) shade = y === nearY ? 2 : dither(near, x, y);
      if (y >= 64) shade = dither(near, x, y);
      setShade(strip, x, y, shade);
    }
  }
  for (let i = 0; i < 14; i++) {
    const x = (i % 7) * 9 + (noise(i % 7, 5, theme.hillSalt) & 3) + (i < 7 ? 0 : 64);
    drawFir(strip, x, 54 - domes(x, theme.hillSalt, 64, 22), 6 + (noise(i % 7, 1, theme.hillSalt) & 3));
  }
}

/** A fir on the far ridge: a cone two pixels wider every third row, drawn only over sky and far hill. */
function drawFir(strip: Canvas, x: number, foot: number, height: number): void {
  for (let i = 0; i < height; i++) {
    const half = Math.floor((i + 1) / 3);
    for (let dx = -half; dx <= half; dx++) {
      const px = (x + dx + strip.widthPx) % strip.widthPx;
      if (foot - height + i < foot) setShade(strip, px, foot - height + i, 2);
    }
  }
}

/** Height of rolling domes that repeat every `period` pixels. */
function domes(x: number, salt: number, period: number, high: number): number {
  let best = 0;
  for (let i = -1; i <= 2; i++) {
    for (const offset of [0, 1]) {
      const centre = i * period + ((salt * 23 + offset * 34) % period);
      const radius = 26 + ((salt * 7 + offset * 13) % 14);
      const dx = (x % period) - centre;
      const rise = high - offset * 5 - Math.floor((high * dx * dx) / (radius * radius));
      if (rise > best) best = rise;
    }
  }
  return best;
}

type Lobe = { readonly x: number; readonly y: number; readonly r: number };

const CANOPIES: Record<Theme['canopy'], { readonly big: readonly Lobe[]; readonly small: readonly Lobe[] }> = {
  round: {
    big: [
      { x: 14, y: 26, r: 13 },
      { x: 30, y: 15, r: 15 },
      { x: 47, y: 25, r: 13 },
      { x: 30, y: 30, r: 15 },
      { x: 20, y: 14, r: 9 },
    ],
    small: [
      { x: 12, y: 16, r: 11 },
      { x: 26, y: 12, r: 11 },
      { x: 30, y: 19, r: 9 },
    ],
  },
  tall: {
    big: [
      { x: 24, y: 11, r: 10 },
      { x: 18, y: 24, r: 13 },
      { x: 30, y: 26, r: 13 },
      { x: 24, y: 38, r: 15 },
    ],
    small: [
      { x: 16, y: 9, r: 8 },
      { x: 14, y: 20, r: 10 },
      { x: 20, y: 24, r: 10 },
    ],
  },
  wide: {
    big: [
      { x: 12, y: 22, r: 11 },
      { x: 26, y: 14, r: 12 },
      { x: 42, y: 15, r: 13 },
      { x: 54, y: 23, r: 10 },
      { x: 34, y: 25, r: 12 },
    ],
    small: [
      { x: 10, y: 14, r: 9 },
      { x: 24, y: 11, r: 10 },
      { x: 36, y: 15, r: 8 },
    ],
  },
  weeping: {
    big: [
      { x: 28, y: 15, r: 14 },
      { x: 14, y: 25, r: 12 },
      { x: 42, y: 25, r: 12 },
      { x: 8, y: 36, r: 7 },
      { x: 48, y: 36, r: 7 },
    ],
    small: [
      { x: 18, y: 11, r: 10 },
      { x: 9, y: 19, r: 8 },
      { x: 27, y: 19, r: 8 },
    ],
  },
  bush: {
    big: [
      { x: 14, y: 28, r: 12 },
      { x: 30, y: 22, r: 14 },
      { x: 46, y: 28, r: 12 },
      { x: 30, y: 34, r: 13 },
    ],
    small: [
      { x: 12, y: 16, r: 10 },
      { x: 24, y: 15, r: 11 },
    ],
  },
  snowy: {
    big: [
      { x: 28, y: 12, r: 11 },
      { x: 18, y: 25, r: 13 },
      { x: 38, y: 25, r: 13 },
      { x: 28, y: 34, r: 14 },
    ],
    small: [
      { x: 16, y: 10, r: 9 },
      { x: 11, y: 19, r: 9 },
      { x: 22, y: 19, r: 9 },
    ],
  },
};

export function drawTree(theme: Theme, size: 'small' | 'big'): Canvas {
  const lobes = CANOPIES[theme.canopy][size];
  const width = Math.max(...lobes.map((lobe) => lobe.x + lobe.r)) + 3;
  const crownBottom = Math.max(...lobes.map((lobe) => lobe.y + lobe.r)) + 2;
  const height = size === 'big' ? 70 : 46;
  const middle = width >> 1;
  const tree = createCanvas(width, height);
  drawTrunk(tree, middle, crownBottom - 10, height, size === 'big' ? 5 : 3);
  const crown = createCanvas(width, height);
  for (let y = 0; y < crownBottom; y++) {
    for (let x = 0; x < width; x++) setShade(crown, x, y, crownShade(lobes, x, y, theme));
  }
  outline(crown, 3);
  blit(tree, crown, 0, 0);
  hangFruit(tree, lobes, theme.fruit);
  return tree;
}

/** Lit from the upper left: each lobe is a ball, the nearest to the light wins. */
function crownShade(lobes: readonly Lobe[], x: number, y: number, theme: Theme): number {
  let best = -1;
  for (const lobe of lobes) {
    const dx = x - lobe.x;
    const dy = y - lobe.y;
    const reach = lobe.r * lobe.r - dx * dx - dy * dy;
    if (reach < 0) continue;
    const light = 8 - Math.floor(((dx * 3 + dy * 5) * 5) / (lobe.r * 6)) + (reach < lobe.r * 2 ? -2 : 0);
    if (light > best) best = light;
  }
  if (best < 0) return CLEAR;
  if (theme.canopy === 'snowy' && best > 9) return best > 11 || (x + y) % 2 === 0 ? 0 : 1;
  const leafy = (noise(x >> 1, y >> 1, 3) & 7) === 0 ? 1 : 0;
  return Math.max(1, dither(theme.canopyQuarters + 5 - Math.floor(best / 2) + leafy, x, y));
}

function drawTrunk(tree: Canvas, x: number, top: number, bottom: number, half: number): void {
  for (let y = top; y < bottom; y++) {
    const flare = y > bottom - 5 ? (y - (bottom - 5)) >> 1 : 0;
    for (let dx = -half - flare; dx <= half + flare; dx++) {
      const edge = Math.abs(dx) === half + flare;
      const bark = noise((dx + 8) >> 1, y >> 2, 9) > 170 ? 3 : 2;
      setShade(tree, x + dx, y, edge ? 3 : dx < -half + 3 ? 1 : bark);
    }
  }
}

function hangFruit(tree: Canvas, lobes: readonly Lobe[], kind: FruitKind): void {
  const small = drawSmallFruit(kind);
  lobes.forEach((lobe, i) => {
    const spots =
      lobe.r > 10
        ? [
            [-5, 3],
            [5, -2],
          ]
        : [[0, 1]];
    for (const [dx, dy] of spots) blit(tree, small, lobe.x + dx! - 3, lobe.y + dy! + (i & 1) * 3 - 3);
  });
}

function drawSmallFruit(kind: FruitKind): Canvas {
  if (kind === 'cherry' || kind === 'olive')
    return fromText(['..3...', '.33.3.', '3003.3', '3023303', '.33303', '....3.']);
  if (kind === 'pear' || kind === 'fig') return fromText(['...3..', '..33..', '.3013.', '300123', '301123', '.3333.']);
  if (kind === 'lemon') return fromText(['......', '.3333.', '300013', '300113', '.3333.', '..3...']);
  return fromText(['...33.', '.3333.', '300123', '301123', '311223', '.3333.']);
}

/** Three rows of ground: a bright lip, then soil whose specks repeat every 16 pixels. */
function drawGround(strip: Canvas, theme: Theme): void {
  fillRect(strip, 0, GROUND_Y, strip.widthPx, STRIP_HEIGHT_PX - GROUND_Y, (x, y) =>
    groundShade(theme, x, y - GROUND_Y),
  );
  for (let x = 0; x < strip.widthPx; x++) {
    const tuft = theme.ground === 'grass' && [3, 4, 9, 13].includes(x & 15);
    if (tuft) fillRect(strip, x, GROUND_Y - 1 - (x & 1), 1, 2, 2);
  }
}

function groundShade(theme: Theme, x: number, depth: number): number {
  const wave = (x & 7) < 4 ? 0 : 1;
  if (depth === 0) return 3;
  if (depth < 4)
    return theme.ground === 'grass' ? (depth === 3 && (x & 3) === 1 ? 1 : 0) : depth === 3 ? dither(2, x, depth) : 0;
  if (depth === 4 + wave) return 3;
  if (depth < 4 + wave) return 1;
  const speck = noise(x & 15, depth & 15, theme.ground === 'stone' ? 40 : 41);
  if (theme.ground === 'stone') {
    const row = depth >> 3;
    const joint = depth % 8 === 5 || (x + row * 6) % 12 === 0;
    return joint ? 3 : speck > 235 ? 1 : 2;
  }
  const base =
    theme.ground === 'sand' ? dither(5, x, depth) : theme.ground === 'snow' ? dither(depth > 16 ? 6 : depth > 10 ? 4 : 2, x, depth) : 2;
  if (speck > 242) return 1;
  if (speck > 222) return 3;
  return base;
}

/** The sky above the play field: 256 pixels that wrap, drawn slower than the rest. */
export function drawSkyStrip(theme: Theme): Canvas {
  const sky = createCanvas(256, 32, 0);
  fillRect(sky, 0, 0, 256, 32, (x, y) => dither(theme.skyQuarters, x, y));
  switch (theme.clouds) {
    case 'night':
      for (let i = 0; i < 22; i++) {
        const x = noise(i, 1, 70);
        const y = noise(i, 2, 70) & 31;
        setShade(sky, x, y, 0);
        if (i % 5 === 0)
          for (const [dx, dy] of [
            [1, 0],
            [-1, 0],
            [0, 1],
            [0, -1],
          ])
            setShade(sky, x + dx!, y + dy!, 1);
      }
      fillEllipse(sky, 60, 15, 11, 11, 1);
      fillEllipse(sky, 60, 15, 10, 10, 0);
      fillEllipse(sky, 65, 12, 8, 8, (x, y) => dither(theme.skyQuarters, x, y));
      break;
    case 'sun':
      drawSun(sky, 70, 16);
      drawCloud(sky, 180, 16, 30, 4, 1);
      break;
    case 'storm':
    case 'rain':
      for (let i = 0; i < 6; i++)
        drawCloud(sky, 8 + i * 43, 6 + (noise(i, 4, 2) & 7), 34, 8, theme.clouds === 'storm' ? 2 : 1);
      break;
    default:
      drawCloud(sky, 30, 12, 26, 4, 1);
      drawCloud(sky, 102, 20, 20, 4, 1);
      drawCloud(sky, 150, 9, 30, 4, 1);
      drawCloud(sky, 214, 18, 18, 4, 1);
  }
  return sky;
}

function drawSun(sky: Canvas, x: number, y: number): void {
  for (let i = 0; i < 8; i++) {
    const [dx, dy] = [
      [0, -1],
      [1, -1],
      [1, 0],
      [1, 1],
      [0, 1],
      [-1, 1],
      [-1, 0],
      [-1, -1],
    ][i]!;
    const near = dx !== 0 && dy !== 0 ? 8 : 11;
    const farEnd = dx !== 0 && dy !== 0 ? 11 : 15;
    drawLine(sky, x + dx! * near, y + dy! * near, x + dx! * farEnd, y + dy! * farEnd, 2);
  }
  fillEllipse(sky, x, y, 9, 9, 3);
  fillEllipse(sky, x, y, 8, 8, 0);
  fillEllipse(sky, x + 1, y + 1, 6, 6, (px, py) => dither(2, px, py));
}

/** A flat-bottomed heap of puffs: body shade, a dithered belly and a darker rim along the top. */
function drawCloud(sky: Canvas, x: number, y: number, width: number, puff: number, shade: number): void {
  const cloud = createCanvas(width + 12, 26);
  const base = 18;
  fillEllipse(cloud, 6 + width * 0.22, base, width * 0.24, puff + 1, shade);
  fillEllipse(cloud, 6 + width * 0.5, base - 2, width * 0.28, puff + 4, shade);
  fillEllipse(cloud, 6 + width * 0.78, base, width * 0.22, puff, shade);
  fillRect(cloud, 4, base, width + 4, 3, shade);
  fillRect(cloud, 0, base + 3, width + 12, 26, CLEAR);
  for (let py = 0; py < 26; py++) {
    for (let px = 0; px < cloud.widthPx; px++) {
      if (py > base + 2) cloud.shades[py * cloud.widthPx + px] = CLEAR;
      else if (shadeAt(cloud, px, py) !== CLEAR) {
        const rim = shadeAt(cloud, px, py - 1) === CLEAR;
        if (rim) setShade(cloud, px, py, shade + 1);
        else if (py > base - 3) setShade(cloud, px, py, dither(shade * 4 + 1 + (py - base + 3) / 2, px, py));
      }
    }
  }
  blit(sky, cloud, x - (cloud.widthPx >> 1), y - 12, true);
}
