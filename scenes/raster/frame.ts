import type { Box } from '../layout.ts';

/** A picture being composed: one u32 a pixel, bytes R, G, B, A in memory, rows top down without padding. */
export type Frame = {
  readonly width: number;
  readonly height: number;
  /** Device px per design px: 1 at 1080, 2/3 at 720. */
  readonly scale: number;
  readonly pixels: Uint32Array;
  readonly bytes: Uint8Array;
};

export function createFrame(width: number, height: number, scale: number): Frame {
  const bytes = new Uint8Array(width * height * 4);
  return { width, height, scale, bytes, pixels: new Uint32Array(bytes.buffer) };
}

/** 0xRRGGBB as the u32 a frame holds, opaque. */
export function packed(rgb: number): number {
  return (0xff000000 | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
}

/** A design box in whole device px: both edges are rounded, so neighbours meet. */
export function deviceBox(box: Box, scale: number): Box {
  const x = Math.round(box.x * scale);
  const y = Math.round(box.y * scale);
  return {
    x,
    y,
    width: Math.round((box.x + box.width) * scale) - x,
    height: Math.round((box.y + box.height) * scale) - y,
  };
}

/** Fills a device-px rectangle, cut at the frame's edge. */
export function fillRect(frame: Frame, x: number, y: number, width: number, height: number, rgb: number): void {
  const value = packed(rgb);
  const left = Math.max(0, x);
  const right = Math.min(frame.width, x + width);
  if (right <= left) return;
  for (let row = Math.max(0, y); row < Math.min(frame.height, y + height); row++) {
    frame.pixels.fill(value, row * frame.width + left, row * frame.width + right);
  }
}

/** Adds light to one pixel: `1 - (1 - a)(1 - b)` a channel, so nothing clips. `amount` 0..256. */
export function addLight(pixels: Uint32Array, at: number, rgb: number, amount: number): void {
  const old = pixels[at]!;
  const r = old & 255;
  const g = (old >> 8) & 255;
  const b = (old >> 16) & 255;
  const addR = (((rgb >> 16) & 255) * amount) >> 8;
  const addG = (((rgb >> 8) & 255) * amount) >> 8;
  const addB = ((rgb & 255) * amount) >> 8;
  pixels[at] =
    0xff000000 |
    ((b + (((255 - b) * addB) >> 8)) << 16) |
    ((g + (((255 - g) * addG) >> 8)) << 8) |
    (r + (((255 - r) * addR) >> 8));
}

/** Replaces part `amount` (0..256) of one pixel. */
export function blend(pixels: Uint32Array, at: number, rgb: number, amount: number): void {
  const old = pixels[at]!;
  const keep = 256 - amount;
  const r = ((old & 255) * keep + ((rgb >> 16) & 255) * amount) >> 8;
  const g = (((old >> 8) & 255) * keep + ((rgb >> 8) & 255) * amount) >> 8;
  const b = (((old >> 16) & 255) * keep + (rgb & 255) * amount) >> 8;
  pixels[at] = 0xff000000 | (b << 16) | (g << 8) | r;
}
