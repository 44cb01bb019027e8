import type { Sketch } from '../sketch.ts';
import { capHeight, colour, text } from '../theme.ts';
import { letterAt } from '../format/fly-letter.ts';

const LINE = 4;
/** Below this a badge has a smaller letter and no foot to spare. */
const SMALL = 36;

/** A is a filled square, B a hollow one, C hollow with a filled foot, D filled with an open foot. */
export function drawBadge(sketch: Sketch, place: number, x: number, y: number, size: number): void {
  const shape = place % 4;
  const filled = shape === 0 || shape === 3;
  sketch.rect(x, y, size, size, colour.ink);
  if (!filled) sketch.rect(x + LINE, y + LINE, size - 2 * LINE, size - 2 * LINE, colour.background);
  const foot = size < SMALL ? 0 : LINE;
  if (shape === 2) sketch.rect(x, y + size - LINE - foot, size, LINE + foot, colour.ink);
  if (shape === 3 && foot > 0) sketch.rect(x + LINE, y + size - 2 * LINE, size - 2 * LINE, LINE, colour.background);
  const style = size < SMALL ? text.body : text.hero;
  const top = y + Math.round((size - style.sizePx * capHeight[style.face]) / 2) - (shape > 1 ? 2 : 0);
  const ink = filled ? colour.background : colour.ink;
  sketch.text(`badge-${place}`, style, x + size / 2 + (size < SMALL ? 0 : 2), top, letterAt(place), ink, 'centre');
}
