import type { Box } from '../layout.ts';
import { fillRect } from '../raster/frame.ts';
import type { Frame } from '../raster/frame.ts';

/** Enter phase of a rollback (spec: show.md 90). */
export const WIPE_MS = 400;
/** The darkest of the game's own shades (mockups, "Palette"). */
const COVER = 0x16291f;

/**
 * A world that was set back comes in from the right, column by column of its own pixels; the jump is seen as one.
 * @param picture device px @param pixel width of one game pixel, device px
 */
export function paintWipe(frame: Frame, picture: Box, pixel: number, sinceMs: number): void {
  if (!(sinceMs >= 0 && sinceMs < WIPE_MS)) return;
  const shown = 1 - 2 ** ((-10 * sinceMs) / WIPE_MS);
  const columns = Math.round(((1 - shown) * picture.width) / pixel);
  fillRect(frame, picture.x, picture.y, columns * pixel, picture.height, COVER);
}
