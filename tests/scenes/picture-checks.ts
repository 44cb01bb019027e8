import { CANVAS_WIDTH } from '../../scenes/layout.ts';
import { packed } from '../../scenes/raster/frame.ts';

/** Measures on finished pictures, shared by the tests of every layout. */
export type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

export function overlap(a: Area, b: Area): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Box average to `width` px wide, luminance 0..1 of the shown (gamma) values. */
export function downscale(
  rgba: Uint8Array,
  width: number,
  height: number,
  to: number,
): { width: number; height: number; luminance: Float64Array } {
  const factor = width / to;
  const rows = Math.floor(height / factor);
  const luminance = new Float64Array(to * rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < to; x++) {
      let sum = 0;
      let count = 0;
      for (let j = Math.floor(y * factor); j < Math.floor((y + 1) * factor); j++) {
        for (let i = Math.floor(x * factor); i < Math.floor((x + 1) * factor); i++) {
          const at = (j * width + i) * 4;
          sum += (0.2126 * rgba[at]! + 0.7152 * rgba[at + 1]! + 0.0722 * rgba[at + 2]!) / 255;
          count++;
        }
      }
      luminance[y * to + x] = sum / count;
    }
  }
  return { width: to, height: rows, luminance };
}

export function contrast(small: ReturnType<typeof downscale>, region: Area): number {
  const scale = small.width / CANVAS_WIDTH;
  const values: number[] = [];
  for (let y = Math.ceil(region.y * scale); y < Math.floor((region.y + region.height) * scale); y++) {
    for (let x = Math.ceil(region.x * scale); x < Math.floor((region.x + region.width) * scale); x++) {
      values.push(small.luminance[y * small.width + x]!);
    }
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Packed colour at device px. */
export function pixel(rgba: Uint8Array, width: number, x: number, y: number): number {
  return new Uint32Array(rgba.buffer, rgba.byteOffset)[y * width + x]!;
}

/** How many pixels of a 160x144 game, drawn `scale` times its size, are not exactly the game's. */
export function wrongGamePixels(
  rgba: Uint8Array,
  width: number,
  game: Uint8Array,
  { left, top, scale }: { readonly left: number; readonly top: number; readonly scale: number },
): number {
  let wrong = 0;
  for (let y = 0; y < 144 * scale; y++) {
    for (let x = 0; x < 160 * scale; x++) {
      const from = (Math.floor(y / scale) * 160 + Math.floor(x / scale)) * 4;
      const want = packed((game[from]! << 16) | (game[from + 1]! << 8) | game[from + 2]!);
      if (pixel(rgba, width, left + x, top + y) !== want) wrong++;
    }
  }
  return wrong;
}
