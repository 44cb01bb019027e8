import type { Sketch } from '../sketch.ts';
import { FRAME_LINE, FRAME_OUTER } from '../layout.ts';
import { colour } from '../theme.ts';

/**
 * Black glass in a double frame: 4 px panel colour without its corner pixels, 2 px bezel (show.md 141, mockups).
 * @param y its top, when several panels draw one frame between them
 */
export function drawFrame(sketch: Sketch, width: number, height: number, y: number = 0): void {
  sketch.rect(0, y, width, height, colour.background);
  sketch.rect(FRAME_OUTER, y, width - 2 * FRAME_OUTER, height, colour.panel);
  sketch.rect(0, y + FRAME_OUTER, width, height - 2 * FRAME_OUTER, colour.panel);
  sketch.rect(FRAME_OUTER, y + FRAME_OUTER, width - 2 * FRAME_OUTER, height - 2 * FRAME_OUTER, colour.bezel);
  const inner = FRAME_OUTER + FRAME_LINE;
  sketch.rect(inner, y + inner, width - 2 * inner, height - 2 * inner, colour.background);
}

/** A 2 px outline that fills its middle. */
export function drawOutline(
  sketch: Sketch,
  x: number,
  y: number,
  width: number,
  height: number,
  line: number,
  inside: number,
): void {
  sketch.rect(x, y, width, height, line);
  sketch.rect(x + 2, y + 2, width - 4, height - 4, inside);
}
