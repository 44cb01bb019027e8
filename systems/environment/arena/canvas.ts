import { HEIGHT_PX, WIDTH_PX } from './describe-arena.ts';

/** Shades, lightest first, and a sprite's empty pixel. */
export const CLEAR = 255;

/** A picture of shades 0..3 (or `CLEAR` in a sprite), row by row. */
export type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint8Array };

export function createPicture(width: number, height: number, shade: number): Picture {
  return { width, height, pixels: new Uint8Array(width * height).fill(shade) };
}

export function createScreen(): Picture {
  return createPicture(WIDTH_PX, HEIGHT_PX, 0);
}

export function plot(picture: Picture, x: number, y: number, shade: number): void {
  if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) return;
  picture.pixels[y * picture.width + x] = shade;
}

export function fillRect(picture: Picture, x: number, y: number, width: number, height: number, shade: number): void {
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) plot(picture, column, row, shade);
  }
}

/** Lays a sprite over a picture, its left top pixel at x, y; empty and outside pixels stay as they are. */
export function stamp(picture: Picture, sprite: Picture, x: number, y: number): void {
  const { pixels, width, height } = sprite;
  const fromX = Math.max(0, -x);
  const toX = Math.min(width, picture.width - x);
  const toY = Math.min(height, picture.height - y);
  for (let row = Math.max(0, -y); row < toY; row++) {
    let from = row * width + fromX;
    let to = (y + row) * picture.width + x + fromX;
    for (let column = fromX; column < toX; column++, from++, to++) {
      const shade = pixels[from]!;
      if (shade !== CLEAR) picture.pixels[to] = shade;
    }
  }
}

/** A sprite from rows of text: one character a pixel, looked up in `shades`; anything else is empty. */
export function readSprite(rows: readonly string[], shades: Readonly<Record<string, number>>): Picture {
  const width = rows[0]!.length;
  const picture = createPicture(width, rows.length, CLEAR);
  rows.forEach((row, y) => {
    for (let x = 0; x < width; x++) picture.pixels[y * width + x] = shades[row[x]!] ?? CLEAR;
  });
  return picture;
}

/** Turned a quarter so that what looked right looks down: x and y change places. */
export function transpose(picture: Picture): Picture {
  const { width, height, pixels } = picture;
  const turned = createPicture(height, width, CLEAR);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) turned.pixels[x * height + y] = pixels[y * width + x]!;
  }
  return turned;
}

export function flipAcross(picture: Picture): Picture {
  const { width, height, pixels } = picture;
  const flipped = createPicture(width, height, CLEAR);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) flipped.pixels[y * width + width - 1 - x] = pixels[y * width + x]!;
  }
  return flipped;
}

export function flipDown(picture: Picture): Picture {
  return transpose(flipAcross(transpose(picture)));
}
