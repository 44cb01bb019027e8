import type { Sketch } from '../sketch.ts';

/** 8x8 pictures for footer facts; a glyph the set lacks is simply not drawn. */
const GLYPHS: Readonly<Record<string, readonly string[]>> = {
  fruit: ['....##..', '...#....', '.######.', '##.#####', '#.######', '########', '.######.', '..####..'],
  heart: ['........', '.##..##.', '########', '########', '.######.', '..####..', '...##...', '........'],
  coin: ['..####..', '.##..##.', '##.##.##', '##.##.##', '##.##.##', '##.##.##', '.##..##.', '..####..'],
  badge: ['...##...', '..####..', '.######.', '########', '########', '.######.', '..####..', '...##...'],
  ground: ['........', '........', '#.#..#.#', '########', '########', '##.##.##', '########', '#.####.#'],
};

export const GLYPH_SIZE = 24;

/** @returns true when the glyph exists */
export function drawGlyph(
  sketch: Sketch,
  name: string,
  x: number,
  y: number,
  colour: number,
  size: number = GLYPH_SIZE,
): boolean {
  const rows = GLYPHS[name];
  if (rows === undefined) return false;
  const pixel = size / 8;
  rows.forEach((row, line) => {
    for (const run of row.matchAll(/#+/g)) {
      sketch.rect(x + run.index * pixel, y + line * pixel, run[0].length * pixel, pixel, colour);
    }
  });
  return true;
}
