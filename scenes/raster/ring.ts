import type { Box } from '../layout.ts';
import { addLight } from './frame.ts';
import type { Frame } from './frame.ts';

/** Adds a soft circle line to the frame, only inside `clip`. Device px; `alpha` 0..1. */
export function drawRing(
  frame: Frame,
  clip: Box,
  x: number,
  y: number,
  radius: number,
  stroke: number,
  rgb: number,
  alpha: number,
): void {
  const { pixels, width: stride } = frame;
  const reach = radius + stroke;
  const top = Math.max(clip.y, Math.floor(y - reach));
  const bottom = Math.min(clip.y + clip.height, Math.ceil(y + reach));
  const left = Math.max(clip.x, Math.floor(x - reach));
  const right = Math.min(clip.x + clip.width, Math.ceil(x + reach));
  for (let row = top; row < bottom; row++) {
    const dy = row + 0.5 - y;
    for (let column = left; column < right; column++) {
      const dx = column + 0.5 - x;
      const off = Math.abs(Math.sqrt(dx * dx + dy * dy) - radius) / stroke;
      if (off < 1) addLight(pixels, row * stride + column, rgb, (256 * alpha * (1 - off)) | 0);
    }
  }
}
