/**
 * A small picture in the four Game Boy shades: 0 lightest to 3 darkest, `CLEAR` where nothing is drawn. Integer
 * arithmetic only, so that every machine draws the same bytes.
 */
export type Canvas = { readonly widthPx: number; readonly heightPx: number; readonly shades: Uint8Array };

export const CLEAR = 255;

/** Shade for a pixel, `CLEAR` to leave it. */
export type Paint = (x: number, y: number) => number;

export function createCanvas(widthPx: number, heightPx: number, shade: number = CLEAR): Canvas {
  return { widthPx, heightPx, shades: new Uint8Array(widthPx * heightPx).fill(shade) };
}

export function shadeAt(canvas: Canvas, x: number, y: number): number {
  if (x < 0 || y < 0 || x >= canvas.widthPx || y >= canvas.heightPx) return CLEAR;
  return canvas.shades[y * canvas.widthPx + x]!;
}

export function setShade(canvas: Canvas, x: number, y: number, shade: number): void {
  if (x < 0 || y < 0 || x >= canvas.widthPx || y >= canvas.heightPx || shade === CLEAR) return;
  canvas.shades[y * canvas.widthPx + x] = shade;
}

/** Shade of quarters: 0..12 maps to shades 0..3 with 2x2 dithering between them. */
export function dither(quarters: number, x: number, y: number): number {
  const level = Math.max(0, Math.min(12, quarters));
  const base = level >> 2;
  const rest = level & 3;
  const order = [0, 2, 3, 1][(y & 1) * 2 + (x & 1)]!;
  return order < rest ? base + 1 : base;
}

export function fillRect(
  canvas: Canvas,
  x: number,
  y: number,
  width: number,
  height: number,
  paint: Paint | number,
): void {
  for (let py = y; py < y + height; py++) {
    for (let px = x; px < x + width; px++) {
      setShade(canvas, px, py, typeof paint === 'number' ? paint : paint(px, py));
    }
  }
}

/** Half axes in half pixels allow centres on and between pixels. */
export function fillEllipse(
  canvas: Canvas,
  centreX: number,
  centreY: number,
  radiusX: number,
  radiusY: number,
  paint: Paint | number,
): void {
  for (let y = Math.floor(centreY - radiusY); y <= centreY + radiusY; y++) {
    for (let x = Math.floor(centreX - radiusX); x <= centreX + radiusX; x++) {
      const dx = (x - centreX) / radiusX;
      const dy = (y - centreY) / radiusY;
      if (dx * dx + dy * dy <= 1) setShade(canvas, x, y, typeof paint === 'number' ? paint : paint(x, y));
    }
  }
}

export function drawLine(canvas: Canvas, x0: number, y0: number, x1: number, y1: number, shade: number): void {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
  for (let i = 0; i <= steps; i++) {
    setShade(canvas, Math.round(x0 + ((x1 - x0) * i) / steps), Math.round(y0 + ((y1 - y0) * i) / steps), shade);
  }
}

/** Fills every clear pixel that touches a drawn one, four neighbours. */
export function outline(canvas: Canvas, shade: number): void {
  const before = canvas.shades.slice();
  const solid = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < canvas.widthPx && y < canvas.heightPx && before[y * canvas.widthPx + x] !== CLEAR;
  for (let y = 0; y < canvas.heightPx; y++) {
    for (let x = 0; x < canvas.widthPx; x++) {
      if (solid(x, y)) continue;
      if (solid(x - 1, y) || solid(x + 1, y) || solid(x, y - 1) || solid(x, y + 1)) setShade(canvas, x, y, shade);
    }
  }
}

/** Copies what is drawn; `wrap` continues on the other side, for scenery that repeats. */
export function blit(target: Canvas, source: Canvas, x: number, y: number, wrap: boolean = false): void {
  for (let sy = 0; sy < source.heightPx; sy++) {
    for (let sx = 0; sx < source.widthPx; sx++) {
      const shade = source.shades[sy * source.widthPx + sx]!;
      const px = wrap ? (x + sx + target.widthPx) % target.widthPx : x + sx;
      setShade(target, px, y + sy, shade);
    }
  }
}

/** Pixel art as text: `.` clear, `0`..`3` shades. */
export function fromText(rows: readonly string[]): Canvas {
  const width = Math.max(...rows.map((row) => row.length));
  const canvas = createCanvas(width, rows.length);
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== '.') setShade(canvas, x, y, Number(row[x]));
    }
  });
  return canvas;
}

/** A repeatable noise byte for texture. */
export function noise(x: number, y: number, salt: number): number {
  let value = Math.imul(x + 17, 374761393) ^ Math.imul(y + 29, 668265263) ^ Math.imul(salt + 5, 2246822519);
  value = Math.imul(value ^ (value >>> 13), 1274126177);
  return (value ^ (value >>> 16)) & 255;
}
