import { fillRect, plot } from './canvas.ts';
import type { Picture } from './canvas.ts';

/** Our own capitals and digits, 5 x 7: one number a row, the highest of five bits is the left pixel. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  A: [14, 27, 27, 31, 27, 27, 27],
  B: [30, 27, 27, 30, 27, 27, 30],
  C: [15, 24, 24, 24, 24, 24, 15],
  D: [30, 27, 27, 27, 27, 27, 30],
  E: [31, 24, 24, 30, 24, 24, 31],
  F: [31, 24, 24, 30, 24, 24, 24],
  G: [15, 24, 24, 27, 27, 27, 15],
  H: [27, 27, 27, 31, 27, 27, 27],
  I: [15, 6, 6, 6, 6, 6, 15],
  L: [24, 24, 24, 24, 24, 24, 31],
  M: [17, 27, 31, 31, 21, 17, 17],
  N: [17, 25, 29, 31, 23, 19, 17],
  O: [14, 27, 27, 27, 27, 27, 14],
  P: [30, 27, 27, 30, 24, 24, 24],
  R: [30, 27, 27, 30, 28, 26, 27],
  S: [15, 24, 24, 14, 3, 3, 30],
  T: [31, 14, 14, 14, 14, 14, 14],
  U: [27, 27, 27, 27, 27, 27, 14],
  W: [17, 17, 21, 31, 31, 27, 17],
  X: [27, 27, 14, 4, 14, 27, 27],
  Y: [27, 27, 27, 14, 6, 6, 6],
  '0': [14, 27, 27, 27, 27, 27, 14],
  '1': [6, 14, 6, 6, 6, 6, 15],
  '2': [30, 3, 3, 14, 24, 24, 31],
  '3': [30, 3, 3, 14, 3, 3, 30],
  '4': [3, 7, 11, 27, 31, 3, 3],
  '5': [31, 24, 30, 3, 3, 3, 30],
  '6': [14, 24, 24, 30, 27, 27, 14],
  '7': [31, 3, 3, 6, 6, 12, 12],
  '8': [14, 27, 27, 14, 27, 27, 14],
  '9': [14, 27, 27, 15, 3, 3, 14],
  ':': [0, 6, 6, 0, 6, 6, 0],
};

/** Marks of the players, in port order. */
export const LETTERS = 'ABCD';

export const GLYPH_HEIGHT = 7;
const ADVANCE = 6;

export function textWidth(text: string, scale: number): number {
  return (text.length * ADVANCE - 1) * scale;
}

/** Writes capitals, digits and colons; anything else is a space. @param scale whole pixels per dot */
export function writeText(picture: Picture, text: string, x: number, y: number, shade: number, scale: number): void {
  for (let i = 0; i < text.length; i++) {
    const glyph = GLYPHS[text[i]!];
    if (glyph === undefined) continue;
    const left = x + i * ADVANCE * scale;
    for (let row = 0; row < GLYPH_HEIGHT; row++) {
      for (let column = 0; column < 5; column++) {
        if ((glyph[row]! & (16 >> column)) === 0) continue;
        if (scale === 1) plot(picture, left + column, y + row, shade);
        else fillRect(picture, left + column * scale, y + row * scale, scale, scale, shade);
      }
    }
  }
}
