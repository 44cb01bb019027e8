import type { Sketch } from '../sketch.ts';
import { capHeight, colour, text } from '../theme.ts';
import { letterOf } from '../format/fly-letter.ts';

const LINE = 4;

/** A is a filled square, B a hollow one, C hollow with a filled foot, D filled with an open foot. */
export function drawBadge(sketch: Sketch, agentIndex: number, x: number, y: number, size: number): void {
  const shape = agentIndex % 4;
  const filled = shape === 0 || shape === 3;
  sketch.rect(x, y, size, size, colour.ink);
  if (!filled) sketch.rect(x + LINE, y + LINE, size - 2 * LINE, size - 2 * LINE, colour.background);
  if (shape === 2) sketch.rect(x, y + size - 2 * LINE, size, 2 * LINE, colour.ink);
  if (shape === 3) sketch.rect(x + LINE, y + size - 2 * LINE, size - 2 * LINE, LINE, colour.background);
  const style = size < 36 ? text.body : text.hero;
  const top = y + Math.round((size - style.sizePx * capHeight[style.face]) / 2) - (shape > 1 ? 2 : 0);
  const ink = filled ? colour.background : colour.ink;
  sketch.text(
    `badge-${agentIndex}`,
    style,
    x + size / 2 + (size < 36 ? 0 : 2),
    top,
    letterOf(agentIndex),
    ink,
    'centre',
  );
}
