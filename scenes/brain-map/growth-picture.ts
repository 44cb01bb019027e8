import type { StageGeometry } from '../geometry.ts';
import type { Box } from '../layout.ts';
import { deviceBox } from '../raster/frame.ts';
import type { Frame } from '../raster/frame.ts';
import { drawBasePicture } from './base-picture.ts';
import { project } from './project.ts';
import { tintsOf } from './tint.ts';

/** A brain as a progress bar: grown part in colour, the rest a grey ghost, a bright front between (mockups, starting). */
export type GrowthPicture = {
  /** @param part 0..1 of the real count */
  paint(frame: Frame, part: number): void;
};

/** Ragged edge of the front, design px: the last points come in one by one. */
const RAGGED = 120;
const FRONT = 10;
/** Width of the picture in the starting scene, design px. */
const FULL_WIDTH = 1_360;

/** @param at box of the brain, design px on the canvas */
export function createGrowthPicture(geometry: StageGeometry, at: Box, scale: number): GrowthPicture {
  const area = deviceBox(at, scale);
  const { width, height } = area;
  const tints = tintsOf(geometry);
  const projected = project(geometry.viewer.positions, width, height, 8, 8);
  // on fewer pixels each holds more neurons, so exposure falls with the area
  const part = (scale * at.width) / FULL_WIDTH;
  const light = { neuron: 0.95 * part * part, fibre: 0.11 * part };
  const grown = drawBasePicture(geometry.viewer, tints, projected, width, height, { ...light, ghost: false });
  const ghost = drawBasePicture(geometry.viewer, tints, projected, width, height, {
    neuron: light.neuron * 0.22,
    fibre: light.fibre * 0.3,
    ghost: true,
  });
  const composed = new Uint32Array(width * height);
  const ragged = RAGGED * scale;
  let shownFront = NaN;

  function compose(front: number): void {
    for (let y = 0; y < height; y++) {
      for (let x = 0, k = y * width; x < width; x++, k++) {
        const lead = front - x - ragged * noise(x, y);
        if (lead < 0) composed[k] = ghost.light[k]!;
        else composed[k] = lead < FRONT * scale && grown.light[k] !== 0 ? brighter(grown.light[k]!) : grown.light[k]!;
      }
    }
  }

  return {
    paint(frame, part) {
      const front = Math.round(part * (width + ragged));
      if (front !== shownFront) {
        compose(front);
        shownFront = front;
      }
      const { pixels, width: stride } = frame;
      for (let y = 0; y < height; y++) {
        let to = (area.y + y) * stride + area.x;
        for (let x = 0, k = y * width; x < width; x++, k++, to++) {
          const add = composed[k]!;
          if (add === 0) continue;
          const old = pixels[to]!;
          // the bench is nearly black: the larger of both a channel is the sum to within one step
          const r = Math.max(old & 255, add & 255);
          const g = Math.max((old >> 8) & 255, (add >> 8) & 255);
          const b = Math.max((old >> 16) & 255, (add >> 16) & 255);
          pixels[to] = 0xff000000 | (b << 16) | (g << 8) | r;
        }
      }
    },
  };
}

/** 0..1, the same for the same pixel every time. */
function noise(x: number, y: number): number {
  let mixed = Math.imul(x, 374_761_393) + Math.imul(y, 668_265_263);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 1_274_126_177);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}

function brighter(value: number): number {
  const lift = (byte: number): number => byte + (((255 - byte) * 3) >> 3);
  return 0xff000000 | (lift((value >> 16) & 255) << 16) | (lift((value >> 8) & 255) << 8) | lift(value & 255);
}
