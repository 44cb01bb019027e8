import type { Canvas } from './canvas.ts';
import { createCanvas, dither, drawLine, fillRect, fromText, noise, setShade, shadeAt } from './canvas.ts';
import { CHARACTERS, drawGlyph } from './font.ts';
import type { Theme } from './scenery.ts';
import { nearQuarters } from './scenery.ts';

/** Tiles of the bar in the order hud.c names them. */
export function drawBarTiles(): Canvas[] {
  const icons = [
    ['........', '.00...00', '0000.000', '00000000', '.0000000', '..00000.', '...000..', '....0...'],
    ['........', '.22...22', '2222.222', '22222222', '.2222222', '..22222.', '...222..', '....2...'],
    ['........', '....00..', '...0....', '.1101110', '10011111', '10111111', '11111112', '.1111122'],
    ['........', '........', '........', '........', '22222222', '........', '........', '........'],
    ['........', '........', '........', '00000000', '11111111', '........', '........', '........'],
    ['.00.....', '0000....', '.000.00.', '11110100', '11111100', '.1111110', '..1.1.1.', '........'],
    ['..0000..', '.000000.', '00010000', '00000010', '.000000.', '...11...', '...11...', '..1111..'],
  ].map((rows) => overPaper(fromText(rows)));
  return [...[...CHARACTERS].map((character) => drawGlyph(character, 0, 3)), ...icons];
}

function overPaper(icon: Canvas): Canvas {
  const tile = createCanvas(8, 8, 3);
  for (let y = 0; y < 8; y++) for (let x = 0; x < 8; x++) setShade(tile, x, y, shadeAt(icon, x, y));
  return tile;
}

/** Pictures of what is placed over scenery; each is opaque so that it fits anywhere. */
export type OverlayArt = {
  /** 24x8: left bank, back wall, right bank. */
  readonly gap: Canvas;
  /** 8x8 each, four moments of the surface. */
  readonly surface: readonly Canvas[];
  readonly deep: Canvas;
  readonly crate: Canvas;
  readonly platform: Canvas;
  readonly bramble: Canvas;
  /** 16x16: cap, then body. */
  readonly pillar: Canvas;
};

export function drawOverlays(theme: Theme): OverlayArt {
  const near = nearQuarters(theme);
  return {
    gap: drawGap(near),
    surface: [0, 1, 2, 3].map((moment) => drawSurface(moment)),
    deep: drawDeep(),
    crate: drawCrate(),
    platform: drawPlatform(theme),
    bramble: drawBramble(near),
    pillar: drawPillar(),
  };
}

function drawGap(near: number): Canvas {
  const gap = createCanvas(24, 8);
  fillRect(gap, 0, 0, 24, 8, (x, y) => dither(Math.max(1, near - 2), x, y));
  fillRect(gap, 0, 0, 1, 8, 3);
  fillRect(gap, 23, 0, 1, 8, 3);
  return gap;
}

function drawSurface(moment: number): Canvas {
  const surface = createCanvas(8, 8, 3);
  for (let x = 0; x < 8; x++) {
    const phase = (x + moment * 2) & 7;
    const crest = phase < 4 ? 1 : 0;
    fillRect(surface, x, 0, 1, 1 + crest, 1);
    fillRect(surface, x, 1 + crest, 1, 1, 0);
    fillRect(surface, x, 2 + crest, 1, 1, 2);
    if (phase === 2 || phase === 3) setShade(surface, x, 6, 2);
  }
  return surface;
}

function drawDeep(): Canvas {
  const deep = createCanvas(8, 8, 3);
  fillRect(deep, 1, 1, 3, 1, 2);
  fillRect(deep, 5, 5, 2, 1, 2);
  return deep;
}

function drawCrate(): Canvas {
  const crate = createCanvas(16, 16, 1);
  fillRect(crate, 0, 0, 16, 16, (x, y) => (y % 5 === 4 ? 2 : noise(x >> 1, y, 8) > 205 ? 2 : 1));
  for (let i = 3; i < 13; i++) {
    setShade(crate, i, 15 - i, 3);
    setShade(crate, i + 1, 15 - i, 0);
  }
  fillRect(crate, 1, 1, 14, 2, 0);
  fillRect(crate, 1, 13, 14, 2, 2);
  fillRect(crate, 1, 1, 2, 14, (_x, y) => (y > 12 ? 2 : 0));
  fillRect(crate, 13, 2, 2, 13, 2);
  for (const [x, y] of [
    [2, 2],
    [13, 2],
    [2, 13],
    [13, 13],
  ])
    setShade(crate, x!, y!, 3);
  frame(crate);
  return crate;
}

function frame(canvas: Canvas): void {
  fillRect(canvas, 0, 0, canvas.widthPx, 1, 3);
  fillRect(canvas, 0, canvas.heightPx - 1, canvas.widthPx, 1, 3);
  fillRect(canvas, 0, 0, 1, canvas.heightPx, 3);
  fillRect(canvas, canvas.widthPx - 1, 0, 1, canvas.heightPx, 3);
}

function drawPlatform(theme: Theme): Canvas {
  const plank = createCanvas(24, 8);
  fillRect(plank, 0, 0, 24, 8, (x, y) => {
    if (y === 0 || y === 7) return 3;
    if (y < 3) return 0;
    return theme.ground === 'snow' || theme.ground === 'stone' ? dither(y < 5 ? 4 : 7, x, y) : y === 6 ? 2 : 1;
  });
  for (const x of [4, 11, 19]) fillRect(plank, x, 3, 1, 2, 2);
  fillRect(plank, 0, 0, 1, 8, 3);
  fillRect(plank, 23, 0, 1, 8, 3);
  return plank;
}

function drawBramble(near: number): Canvas {
  const bush = createCanvas(16, 8);
  fillRect(bush, 0, 0, 16, 8, (x, y) => dither(near, x, y));
  for (let i = 0; i < 4; i++) {
    const x = i * 4 + 1;
    drawLine(bush, x, 7, x + 1, 1 + (i & 1), 3);
    drawLine(bush, x + 2, 7, x + 1, 1 + (i & 1), 3);
    setShade(bush, x + 1, 4, 0);
    setShade(bush, x + 1, 5, 0);
  }
  fillRect(bush, 0, 6, 16, 2, (x) => (x % 3 === 0 ? 2 : 3));
  return bush;
}

function drawPillar(): Canvas {
  const pillar = createCanvas(16, 16);
  fillRect(pillar, 0, 0, 16, 16, (x, y) => {
    const row = y >> 2;
    if (y % 4 === 3) return 3;
    if ((x + (row & 1) * 4) % 8 === 0) return 3;
    return x < 4 ? 0 : x < 9 ? 1 : 2;
  });
  fillRect(pillar, 0, 0, 16, 1, 3);
  fillRect(pillar, 1, 1, 14, 3, 0);
  fillRect(pillar, 0, 4, 16, 1, 3);
  fillRect(pillar, 0, 0, 1, 16, 3);
  fillRect(pillar, 15, 0, 1, 16, 3);
  return pillar;
}
