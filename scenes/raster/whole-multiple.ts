import type { Frame } from './frame.ts';

/** Where a view lands inside a box: `scale` whole, so a game pixel is always a square of whole device px. */
export type Placement = { readonly scale: number; readonly x: number; readonly y: number };

/**
 * Largest whole multiple that fits, centred (spec: show.md 6, 7). At 1080 a 160x144 picture fills 800x720 at 5x; at
 * 720 the same box is 533x480 and the picture is 3x, because a fractional scale is never shown.
 * @param view picture size, px @param area device px
 */
export function placeWhole(
  view: { readonly widthPx: number; readonly heightPx: number },
  area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): Placement {
  const scale = Math.max(1, Math.floor(Math.min(area.width / view.widthPx, area.height / view.heightPx)));
  return {
    scale,
    x: area.x + ((area.width - view.widthPx * scale) >> 1),
    y: area.y + ((area.height - view.heightPx * scale) >> 1),
  };
}

/**
 * Copies an RGBA picture at a whole multiple; alpha becomes opaque. Rows that leave the frame are cut.
 * @param rgba `widthPx * heightPx * 4` bytes, top-left origin
 */
export function drawWhole(frame: Frame, rgba: Uint8Array, widthPx: number, heightPx: number, at: Placement): void {
  const { pixels, width: stride } = frame;
  const { scale } = at;
  const columns = Math.min(widthPx, Math.floor((stride - at.x) / scale));
  const rows = Math.min(heightPx, Math.floor((frame.height - at.y) / scale));
  for (let row = 0; row < rows; row++) {
    const first = (at.y + row * scale) * stride + at.x;
    let out = first;
    let source = row * widthPx * 4;
    for (let column = 0; column < columns; column++, source += 4) {
      const value = 0xff000000 | (rgba[source + 2]! << 16) | (rgba[source + 1]! << 8) | rgba[source]!;
      for (let k = 0; k < scale; k++) pixels[out++] = value;
    }
    for (let k = 1; k < scale; k++) pixels.copyWithin(first + k * stride, first, first + columns * scale);
  }
}
