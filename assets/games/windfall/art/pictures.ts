import type { Canvas } from './canvas.ts';
import { blit, createCanvas, dither, fillRect, outline } from './canvas.ts';
import { stampGlyph } from './font.ts';
import type { Theme } from './scenery.ts';
import { drawSkyStrip, drawStrip, drawTree, GROUND_Y } from './scenery.ts';

const SCENE: Theme = {
  skyQuarters: 0,
  horizonQuarters: 0,
  canopy: 'round',
  canopyQuarters: 3,
  ground: 'grass',
  fruit: 'apple',
  clouds: 'fair',
  hillSalt: 1,
};

/** The title: the name in leafy letters above an orchard. */
export function drawTitle(): Canvas {
  const picture = drawOrchardView(1);
  const word = createCanvas(160, 40);
  [...'WINDFALL'].forEach((letter, i) => stampGlyph(word, letter, 9 + i * 18, 6 + (i & 1) * 2, 3, 1));
  outline(word, 3);
  for (let y = 0; y < 40; y++) {
    for (let x = 0; x < 160; x++) {
      const at = y * 160 + x;
      if (word.shades[at] === 1) word.shades[at] = y < 14 ? 0 : dither(y < 20 ? 4 : 6, x, y);
    }
  }
  outline(word, 3);
  blit(picture, word, 0, 4);
  centre(picture, 'PRESS ANY BUTTON', 132);
  return picture;
}

/** After the eighth orchard. */
export function drawEnding(): Canvas {
  const picture = drawOrchardView(2);
  centre(picture, 'EIGHT ORCHARDS', 12);
  centre(picture, 'CROSSED!', 24);
  centre(picture, 'THE WIND TURNS HARDER', 132);
  return picture;
}

function drawOrchardView(salt: number): Canvas {
  const picture = createCanvas(160, 144, 0);
  const theme = { ...SCENE, hillSalt: salt, canopy: salt === 1 ? SCENE.canopy : ('wide' as const) };
  const strip = drawStrip(theme, []);
  blit(picture, drawSkyStrip(theme), 0, 30);
  for (let x = 0; x < 160; x += 128) blit(picture, strip, x, 54);
  const tree = drawTree(theme, 'big');
  const foot = 54 + GROUND_Y + 1 - tree.heightPx;
  blit(picture, tree, -8, foot);
  blit(picture, tree, 112, foot);
  fillRect(picture, 0, 54 + GROUND_Y + 4, 160, 40, 3);
  return picture;
}

function centre(picture: Canvas, text: string, y: number): void {
  const width = text.length * 7;
  const ink = y > 100 ? 0 : 3;
  [...text].forEach((letter, i) => stampGlyph(picture, letter, ((160 - width) >> 1) + i * 7, y, 1, ink));
}
