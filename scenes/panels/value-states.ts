import type { Sketch } from '../sketch.ts';
import { colour, mix } from '../theme.ts';

const DASH = 8;
const DASH_GAP = 4;
const HATCH_PITCH = 16;
const HATCH_STEP = 4;
const HATCH_INK = mix(colour.panel, colour.bezel, 0.45);

/** A 2 px dashed outline: a value that is unknown or stale (mockups, states). Never used for a measured one. */
export function drawDashed(sketch: Sketch, x: number, y: number, width: number, height: number, line: number): void {
  for (let along = 0; along < width; along += DASH + DASH_GAP) {
    const length = Math.min(DASH, width - along);
    sketch.rect(x + along, y, length, 2, line);
    sketch.rect(x + along, y + height - 2, length, 2, line);
  }
  for (let along = 0; along < height; along += DASH + DASH_GAP) {
    const length = Math.min(DASH, height - along);
    sketch.rect(x, y + along, 2, length, line);
    sketch.rect(x + width - 2, y + along, 2, length, line);
  }
}

/** Diagonal hatch in a thin frame: what this port or brain does not have (mockups, states). Its word stands on it. */
export function drawHatch(sketch: Sketch, x: number, y: number, width: number, height: number): void {
  drawDashed(sketch, x, y, width, height, colour.bezel);
  for (let row = HATCH_STEP; row < height - HATCH_STEP; row += HATCH_STEP) {
    const shift = (HATCH_PITCH * 64 - row) % HATCH_PITCH;
    for (let column = shift; column < width - HATCH_STEP; column += HATCH_PITCH) {
      if (column >= HATCH_STEP) sketch.rect(x + column, y + row, HATCH_STEP, HATCH_STEP, HATCH_INK);
    }
  }
}
