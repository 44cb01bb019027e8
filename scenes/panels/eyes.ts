import type { RetinaColumns } from '../../engine/contract/connectome.ts';
import type { Box } from '../layout.ts';
import { fillRect } from '../raster/frame.ts';
import type { Frame } from '../raster/frame.ts';
import { mix } from '../theme.ts';

/** Both eyes as the network sees them: one dot a column, the same samples, nothing smoothed (spec: show.md 44, 45). */
export type Eyes = {
  paint(frame: Frame, rgba: Uint8Array): void;
};

/** Design px. The spec says 3; 6 is what the approved picture shows and what a phone can see (mockups, SENSES). */
const DOT = 6;
const EYE_GAP = 12;
const DARK = 0x0f1a24;
const LIGHT = 0x8fdcff;
const SHADES = 64;

/**
 * @param at both eyes' box, design px on the canvas
 * @param view size of the picture the retina samples
 */
export function createEyes(
  retina: RetinaColumns,
  at: Box,
  view: { readonly widthPx: number; readonly heightPx: number },
  scale: number,
): Eyes {
  const { count } = retina;
  const samples = sampleOffsets(retina, view.widthPx, view.heightPx);
  const places = dotPlaces(retina, at, scale);
  const dot = Math.max(2, Math.round(DOT * scale));
  const shade = Array.from({ length: SHADES }, (_, step) => mix(DARK, LIGHT, (step / (SHADES - 1)) ** 1.1));
  return {
    paint(frame, rgba) {
      for (let column = 0; column < count; column++) {
        const from = samples[column]!;
        const luminance = (rgba[from]! * 0.2126 + rgba[from + 1]! * 0.7152 + rgba[from + 2]! * 0.0722) / 255;
        const rgb = shade[Math.min(SHADES - 1, Math.round(luminance * (SHADES - 1)))]!;
        fillRect(frame, places[column * 2]!, places[column * 2 + 1]!, dot, dot, rgb);
      }
    },
  };
}

/** Byte offset of each column's pixel: nearest neighbour, left eye mirrored (spec: brain.md 4.6). */
export function sampleOffsets(retina: RetinaColumns, width: number, height: number): Uint32Array {
  const bounds = boundsOf(retina, null);
  const offsets = new Uint32Array(retina.count);
  for (let column = 0; column < retina.count; column++) {
    let nx = (retina.xy[column * 2]! - bounds.minX) / bounds.spanX;
    if (retina.hemisphere[column] === 0) nx = 1 - nx;
    const ny = (retina.xy[column * 2 + 1]! - bounds.minY) / bounds.spanY;
    const x = Math.min(width - 1, Math.max(0, Math.round(nx * (width - 1))));
    const y = Math.min(height - 1, Math.max(0, Math.round(ny * (height - 1))));
    offsets[column] = (y * width + x) * 4;
  }
  return offsets;
}

/** Each eye fills its half on both axes; the left eye is mirrored (show.md 45). Device px, top-left of the dot. */
function dotPlaces(retina: RetinaColumns, at: Box, scale: number): Int32Array {
  const places = new Int32Array(retina.count * 2);
  const eyeWidth = (at.width - EYE_GAP) / 2;
  for (const hemisphere of [0, 1]) {
    const bounds = boundsOf(retina, hemisphere);
    for (let column = 0; column < retina.count; column++) {
      if (retina.hemisphere[column] !== hemisphere) continue;
      let nx = (retina.xy[column * 2]! - bounds.minX) / bounds.spanX;
      if (hemisphere === 0) nx = 1 - nx;
      const ny = (retina.xy[column * 2 + 1]! - bounds.minY) / bounds.spanY;
      const x = at.x + hemisphere * (eyeWidth + EYE_GAP) + nx * (eyeWidth - DOT);
      places[column * 2] = Math.round(x * scale);
      places[column * 2 + 1] = Math.round((at.y + ny * (at.height - DOT)) * scale);
    }
  }
  return places;
}

function boundsOf(
  retina: RetinaColumns,
  hemisphere: number | null,
): { readonly minX: number; readonly minY: number; readonly spanX: number; readonly spanY: number } {
  let minX = Infinity;
  let maxX = -Infinity;
  let minY = Infinity;
  let maxY = -Infinity;
  for (let column = 0; column < retina.count; column++) {
    if (hemisphere !== null && retina.hemisphere[column] !== hemisphere) continue;
    minX = Math.min(minX, retina.xy[column * 2]!);
    maxX = Math.max(maxX, retina.xy[column * 2]!);
    minY = Math.min(minY, retina.xy[column * 2 + 1]!);
    maxY = Math.max(maxY, retina.xy[column * 2 + 1]!);
  }
  return { minX, minY, spanX: maxX - minX || 1, spanY: maxY - minY || 1 };
}
