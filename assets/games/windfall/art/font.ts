import type { Canvas } from './canvas.ts';
import { createCanvas, setShade } from './canvas.ts';

/** Five columns by seven rows per glyph, one hexadecimal pair of digits per row. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: '0e11111f111111',
  B: '1e11111e11111e',
  C: '0e11101010110e',
  D: '1e11111111111e',
  E: '1f10101e10101f',
  F: '1f10101e101010',
  G: '0e11101713110f',
  H: '1111111f111111',
  I: '0e04040404040e',
  J: '0702020202120c',
  K: '11121418141211',
  L: '1010101010101f',
  M: '111b1515111111',
  N: '11191513111111',
  O: '0e11111111110e',
  P: '1e11111e101010',
  Q: '0e11111115120d',
  R: '1e11111e141211',
  S: '0f10100e01011e',
  T: '1f040404040404',
  U: '1111111111110e',
  V: '11111111110a04',
  W: '1111111515150a',
  X: '11110a040a1111',
  Y: '11110a04040404',
  Z: '1f01020408101f',
  '0': '0e11131519110e',
  '1': '040c040404040e',
  '2': '0e11010204081f',
  '3': '1f02040201110e',
  '4': '02060a121f0202',
  '5': '1f101e0101110e',
  '6': '0608101e11110e',
  '7': '1f010204080808',
  '8': '0e11110e11110e',
  '9': '0e11110f01020c',
  '-': '0000001f000000',
  '.': '00000000000c0c',
  '!': '04040404040004',
  x: '000011 0a040a11'.replace(' ', ''),
};

/** Order of the characters in video memory. */
export const CHARACTERS = ' ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.!x';

/** Light letters on the dark bar, one pixel of air on the left. */
export function drawGlyph(character: string, ink: number, paper: number): Canvas {
  const glyph = createCanvas(8, 8, paper);
  const rows = GLYPHS[character];
  if (rows === undefined) return glyph;
  for (let y = 0; y < 7; y++) {
    const bits = parseInt(rows.slice(y * 2, y * 2 + 2), 16);
    for (let x = 0; x < 5; x++) {
      if (((bits >> (4 - x)) & 1) === 1) setShade(glyph, x + 1, y + 1, ink);
    }
  }
  return glyph;
}

/** A letter of the title: five by seven blocks of `scale` pixels, drawn at (x, y). */
export function stampGlyph(target: Canvas, character: string, x: number, y: number, scale: number, ink: number): void {
  const rows = GLYPHS[character];
  if (rows === undefined) return;
  for (let row = 0; row < 7; row++) {
    const bits = parseInt(rows.slice(row * 2, row * 2 + 2), 16);
    for (let column = 0; column < 5; column++) {
      if (((bits >> (4 - column)) & 1) === 0) continue;
      for (let dy = 0; dy < scale; dy++) {
        for (let dx = 0; dx < scale; dx++) setShade(target, x + column * scale + dx, y + row * scale + dy, ink);
      }
    }
  }
}
