import type { RetinaColumns } from '../../engine/contract/connectome.ts';
import { DataError } from '../../engine/errors.ts';

/**
 * Writes the drive one picture adds to each retina column, per neural tick (spec: brain.md 4.6). Nearest pixel, left
 * eye mirrored; one bounding box over the columns of both eyes.
 * @param rgba `widthPx * heightPx * 4` bytes, top-left origin, no row padding; alpha is ignored
 * @param gain drive of a white pixel, in units of threshold
 * @param drive out, one per column; every entry is written
 * @throws DataError RETINA_SHAPE when a length disagrees; `drive` is untouched then
 */
export function projectRetina(
  rgba: Uint8Array,
  widthPx: number,
  heightPx: number,
  columns: RetinaColumns,
  gain: number,
  drive: Float32Array,
): void {
  const whole = Number.isInteger(widthPx) && Number.isInteger(heightPx) && widthPx > 0 && heightPx > 0;
  if (!whole || rgba.length !== widthPx * heightPx * 4) {
    throw new DataError(
      'RETINA_SHAPE',
      `a picture of ${rgba.length} bytes is not ${widthPx}x${heightPx} RGBA; pass width * height * 4 bytes.`,
    );
  }
  if (drive.length !== columns.count) {
    throw new DataError('RETINA_SHAPE', `${drive.length} drive entries for ${columns.count} columns; pass one each.`);
  }
  const { xy, hemisphere, count } = columns;
  let minX = Infinity;
  let maxX = -Infinity;
  let minY = Infinity;
  let maxY = -Infinity;
  for (let column = 0; column < count; column++) {
    const x = xy[2 * column]!;
    const y = xy[2 * column + 1]!;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  const spanX = maxX - minX || 1;
  const spanY = maxY - minY || 1;
  for (let column = 0; column < count; column++) {
    let across = (xy[2 * column]! - minX) / spanX;
    if (hemisphere[column] === 0) across = 1 - across;
    const down = (xy[2 * column + 1]! - minY) / spanY;
    const pixel = (nearest(down, heightPx) * widthPx + nearest(across, widthPx)) * 4;
    const luminance = (rgba[pixel]! * 0.2126 + rgba[pixel + 1]! * 0.7152 + rgba[pixel + 2]! * 0.0722) / 255;
    drive[column] = luminance * gain;
  }
}

function nearest(fraction: number, size: number): number {
  return Math.max(0, Math.min(size - 1, Math.round(fraction * (size - 1))));
}
