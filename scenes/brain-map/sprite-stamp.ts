import type { Box } from '../layout.ts';
import { addLight } from '../raster/frame.ts';
import type { Frame } from '../raster/frame.ts';

/** A soft spark with a white core, added to the frame. Drawn only inside `clip`, device px. */
export type SpriteStamp = {
  draw(frame: Frame, clip: Box, x: number, y: number, rgb: number, strength: number): void;
};

/** @param sizePx edge of the sprite; 16 at 1080 (spec: show.md 55) */
export function createSpriteStamp(sizePx: number): SpriteStamp {
  const halo = new Uint16Array(sizePx * sizePx);
  const core = new Uint16Array(sizePx * sizePx);
  const middle = (sizePx - 1) / 2;
  for (let y = 0; y < sizePx; y++) {
    for (let x = 0; x < sizePx; x++) {
      const reach = Math.hypot(x - middle, y - middle) / (sizePx / 2);
      halo[y * sizePx + x] = Math.round(200 * Math.max(0, 1 - reach) ** 2.4);
      core[y * sizePx + x] = Math.round(256 * Math.max(0, 1 - reach * 4.2));
    }
  }
  const half = sizePx >> 1;
  return {
    draw(frame, clip, x, y, rgb, strength) {
      const { pixels, width: stride } = frame;
      const left = clip.x + x - half;
      const top = clip.y + y - half;
      const fromX = Math.max(0, clip.x - left);
      const toX = Math.min(sizePx, clip.x + clip.width - left);
      const toY = Math.min(sizePx, clip.y + clip.height - top);
      for (let dy = Math.max(0, clip.y - top); dy < toY; dy++) {
        const line = (top + dy) * stride + left;
        for (let dx = fromX; dx < toX; dx++) {
          const at = dy * sizePx + dx;
          const soft = (halo[at]! * strength) | 0;
          if (soft > 2) addLight(pixels, line + dx, rgb, soft);
          const hard = (core[at]! * strength) | 0;
          if (hard > 2) addLight(pixels, line + dx, 0xffffff, hard);
        }
      }
    },
  };
}
