import { loadPixi, newCanvas } from '../renderer/canvas/adapter.ts';
import type { Canvas, SKRSContext2D } from '../renderer/canvas/adapter.ts';
import { FRAME_LINE, FRAME_OUTER } from '../layout.ts';
import type { Box } from '../layout.ts';
import { capAscent, colour, face } from '../theme.ts';
import type { TextStyle } from '../theme.ts';

export type ChartAlign = 'left' | 'right' | 'centre';

/** A picture drawn once, in px. Square corners, whole px, the show's faces; no gradient, no shadow (show.md 141). */
export type ChartSurface = {
  rect(x: number, y: number, width: number, height: number, fill: number): void;
  /** An unfilled rectangle whose `line` px lie inside. */
  outline(x: number, y: number, width: number, height: number, line: number, stroke: number): void;
  polygon(points: readonly (readonly [number, number])[], fill: number): void;
  path(points: readonly (readonly [number, number])[], line: number, stroke: number): void;
  /** `y` is the top of the capitals. Returns the width. */
  words(style: TextStyle, x: number, y: number, words: string, fill: number, align?: ChartAlign): number;
  /** The double frame of every panel (show.md 141). */
  frame(box: Box): void;
  png(): Uint8Array;
};

/** @throws DeviceError FONT_MISSING when a bundled face does not load */
export async function createChartSurface(widthPx: number, heightPx: number): Promise<ChartSurface> {
  await loadPixi(); // registers the faces
  const canvas: Canvas = newCanvas(widthPx, heightPx);
  const context = canvas.getContext('2d');
  const rect = (x: number, y: number, width: number, height: number, fill: number): void => {
    context.fillStyle = cssColour(fill);
    const left = Math.round(x);
    const top = Math.round(y);
    context.fillRect(left, top, Math.max(1, Math.round(x + width) - left), Math.max(1, Math.round(y + height) - top));
  };
  rect(0, 0, widthPx, heightPx, colour.background);
  return {
    rect,
    outline(x, y, width, height, line, stroke) {
      rect(x, y, width, line, stroke);
      rect(x, y + height - line, width, line, stroke);
      rect(x, y, line, height, stroke);
      rect(x + width - line, y, line, height, stroke);
    },
    polygon(points, fill) {
      trace(context, points);
      context.fillStyle = cssColour(fill);
      context.fill();
    },
    path(points, line, stroke) {
      trace(context, points);
      context.strokeStyle = cssColour(stroke);
      context.lineWidth = line;
      context.lineJoin = 'miter';
      context.stroke();
    },
    words: (style, x, y, words, fill, align = 'left') => drawWords(context, style, x, y, words, fill, align),
    frame({ x, y, width, height }) {
      rect(x, y, width, height, colour.panel);
      const line = FRAME_OUTER;
      rect(x + line, y + line, width - 2 * line, height - 2 * line, colour.bezel);
      const inner = FRAME_OUTER + FRAME_LINE;
      rect(x + inner, y + inner, width - 2 * inner, height - 2 * inner, colour.background);
    },
    png: () => canvas.toBuffer('image/png'),
  };
}

/** Glyph by glyph at whole px, so no ligature forms and stems stay sharp. */
function drawWords(
  context: SKRSContext2D,
  style: TextStyle,
  x: number,
  y: number,
  words: string,
  fill: number,
  align: ChartAlign,
): number {
  context.font = `${style.sizePx}px "${face[style.face]}"`;
  context.fillStyle = cssColour(fill);
  const advances = Array.from(words, (character) => context.measureText(character).width);
  const width = advances.reduce((sum, advance) => sum + advance, 0);
  let at = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
  const baseline = Math.round(y + style.sizePx * capAscent[style.face]);
  Array.from(words).forEach((character, index) => {
    context.fillText(character, Math.round(at), baseline);
    at += advances[index]!;
  });
  return width;
}

function trace(context: SKRSContext2D, points: readonly (readonly [number, number])[]): void {
  context.beginPath();
  points.forEach(([x, y], index) => {
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
}

function cssColour(value: number): string {
  return `#${value.toString(16).padStart(6, '0')}`;
}
