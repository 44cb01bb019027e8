import type { Replica } from '../../engine/replica/replica.ts';
import type { StageGeometry } from '../geometry.ts';
import type { Box } from '../layout.ts';
import { addLight, deviceBox } from '../raster/frame.ts';
import type { Frame } from '../raster/frame.ts';
import { drawRing } from '../raster/ring.ts';
import { colour } from '../theme.ts';
import { createActivity, levelOf } from './activity.ts';
import { drawBasePicture } from './base-picture.ts';
import { project } from './project.ts';
import { createSpriteStamp } from './sprite-stamp.ts';
import { tintColour, tintsOf } from './tint.ts';

/** One agent's brain in a box: base picture, decaying density grid, at most 256 sprites, reward ring. */
export type BrainMap = {
  /** Forgets what it showed: another session's spikes and events are not this one's. */
  reset(): void;
  /** Takes the newest spikes and rewards; call once a frame, shown or not, so that the pane stays alive. */
  step(replica: Replica, nowMs: number): void;
  /** Adds its light to the pane. Words drawn there before stay readable. */
  paint(frame: Frame, nowMs: number): void;
};

/** Width of the tab pane: there every constant below holds as it stands, a smaller map scales it. */
const FULL_WIDTH = 1_004;
const CELL_WIDTH = 4;
const CELL_HEIGHT = 2;
const MARGIN_X = 40;
const MARGIN_Y = 12;
const SPRITE_SIZE = 16;
const SMALL_MARGIN = 4;
const SMALL_SPRITE_SIZE = 10;
const SMALL_SPRITE_PART = 0.3;
/** A cell of a small map holds about six times the neurons, so a spike in it counts less. */
const SMALL_DENSITY = 0.18;
/** A card's map is glanced at, so its rest is a little brighter. */
const SMALL_GAIN = 1.5;
/** Spread of the ring and length of the glow (spec: show.md 57). */
const RING_MS = 400;
const GLOW_MS = 500;
const GLOW_GAIN = 2.2;
const RING_REACH = 210;
const LEVEL_STEPS = 1_024;
const LEVEL_SPAN = 96;

/** @param at design px; half the tab pane's width or less makes a small map: fewer, smaller sprites, tighter margins */
export function createBrainMap(geometry: StageGeometry, agentIndex: number, at: Box, scale: number): BrainMap {
  const pane = deviceBox(at, scale);
  const { width, height } = pane;
  const size = at.width / FULL_WIDTH;
  const small = size <= 0.5;
  const columns = Math.round(at.width / CELL_WIDTH);
  const rows = Math.round(at.height / CELL_HEIGHT);
  const tints = tintsOf(geometry);
  const marginX = small ? SMALL_MARGIN : MARGIN_X;
  const marginY = small ? SMALL_MARGIN : MARGIN_Y;
  const projected = project(geometry.viewer.positions, width, height, marginX * scale, marginY * scale);
  // the same brain on fewer pixels: each must hold the light of more neurons, so exposure falls with the area
  const part = scale * size;
  const exposure = { neuron: 0.12 * part * part * (small ? SMALL_GAIN : 1), fibre: 0.016 * part, ghost: false };
  const base = drawBasePicture(geometry.viewer, tints, projected, width, height, exposure);
  const density = small ? SMALL_DENSITY : 1;
  const spritePart = small ? SMALL_SPRITE_PART : 1;
  const activity = createActivity(projected, tints, width, height, { columns, rows, spritePart });
  const stamp = createSpriteStamp(Math.round((small ? SMALL_SPRITE_SIZE : SPRITE_SIZE) * scale));
  const columnEdge = edges(columns, width);
  const rowEdge = edges(rows, height);
  const levels = new Uint16Array(LEVEL_STEPS);
  const centre = centroid(geometry.roles.get('reward_pam'), projected.xy, width, height);
  let sequence = -1;
  let lastEventId = -1;
  let flareAtMs = -Infinity;
  let flareStrength = 0;
  let levelsBoost = NaN;

  function takeRewards(replica: Replica, nowMs: number): void {
    for (const event of replica.events) {
      if (event.id <= lastEventId) continue;
      const first = lastEventId === -1;
      lastEventId = event.id;
      if (first) continue; // history is not news
      if (event.agentIndex !== null && event.agentIndex !== agentIndex) continue; // another fly's (show.md 155)
      const strength = flareOf(event.kind, event.value);
      if (strength === 0) continue;
      flareAtMs = nowMs;
      flareStrength = strength;
    }
  }

  return {
    reset() {
      activity.clear();
      sequence = -1;
      lastEventId = -1;
      flareAtMs = -Infinity;
    },
    step(replica, nowMs) {
      activity.decay(nowMs);
      takeRewards(replica, nowMs);
      const { snapshot } = replica;
      if (snapshot === null || snapshot.sequence === sequence) return;
      if (snapshot.discontinuity) activity.clear();
      sequence = snapshot.sequence;
      const bits = replica.spikes[agentIndex];
      if (bits !== undefined) activity.add(bits);
    },
    paint(frame, nowMs) {
      const { pixels, width: stride } = frame;
      const origin = pane.y * stride + pane.x;
      addBase(pixels, stride, origin, base.light, base.spans, width, height);
      const flareMs = nowMs - flareAtMs;
      const boost = flareMs < GLOW_MS ? 1 + GLOW_GAIN * flareStrength * (1 - flareMs / GLOW_MS) * 0.5 : 1;
      if (boost !== levelsBoost) {
        levelsBoost = boost;
        for (let k = 0; k < LEVEL_STEPS; k++)
          levels[k] = Math.round(256 * levelOf((k / LEVEL_STEPS) * LEVEL_SPAN * density, boost));
      }
      const { value, tint } = activity;
      for (let row = 0, cell = 0; row < rows; row++) {
        const top = rowEdge[row]!;
        const bottom = rowEdge[row + 1]!;
        for (let column = 0; column < columns; column++, cell++) {
          const spikes = value[cell]!;
          if (spikes === 0) continue;
          const amount = levels[Math.min(LEVEL_STEPS - 1, (spikes * (LEVEL_STEPS / LEVEL_SPAN)) | 0)]!;
          if (amount < 4) continue;
          const rgb = tintColour[tint[cell]!]!;
          const left = columnEdge[column]!;
          const right = columnEdge[column + 1]!;
          for (let y = top; y < bottom; y++) {
            const line = origin + y * stride;
            for (let x = left; x < right; x++) addLight(pixels, line + x, rgb, amount);
          }
        }
      }
      for (let k = 0; k < activity.spriteCount(); k++) {
        const cell = activity.spriteCells[k]!;
        const column = cell % columns;
        const row = (cell / columns) | 0;
        const strength = Math.min(1, 0.35 + value[cell]! / 14);
        stamp.draw(frame, pane, columnEdge[column]! + 2, rowEdge[row]! + 1, tintColour[tint[cell]!]!, strength);
      }
      if (flareMs < GLOW_MS) {
        const spread = 1 - 2 ** (-10 * Math.min(1, flareMs / RING_MS));
        const alpha = flareStrength * (1 - flareMs / GLOW_MS);
        const radius = RING_REACH * part * spread;
        drawRing(frame, pane, pane.x + centre.x, pane.y + centre.y, radius, 5 * scale, colour.dopamine, alpha * 0.8);
        drawRing(
          frame,
          pane,
          pane.x + centre.x,
          pane.y + centre.y,
          radius * 0.9,
          2 * scale,
          colour.dopamine,
          alpha * 0.5,
        );
      }
    },
  };
}

/** Strength by kind and reward tier (spec: show.md 94, 96c); 0 for what is no reward. */
function flareOf(kind: string, value: number | null): number {
  if (kind === 'sugar' || kind === 'milestone') return 1;
  if (kind !== 'reward') return 0;
  const size = Math.abs(value ?? 0);
  return 0.3 + 0.7 * (size < 0.1 ? 0.35 : size < 0.3 ? 0.65 : 1);
}

/** Where the light is empty the frame stays; over plain glass it is copied, over anything else it is added. */
function addBase(
  pixels: Uint32Array,
  stride: number,
  origin: number,
  light: Uint32Array,
  spans: Int32Array,
  width: number,
  height: number,
): void {
  for (let y = 0; y < height; y++) {
    const line = origin + y * stride;
    const end = spans[y * 2 + 1]!;
    for (let x = spans[y * 2]!, at = y * width + x; x < end; x++, at++) {
      const add = light[at]!;
      if (add === 0) continue;
      const old = pixels[line + x]!;
      const r = old & 255;
      const g = (old >> 8) & 255;
      const b = (old >> 16) & 255;
      pixels[line + x] =
        0xff000000 |
        ((b + (((255 - b) * ((add >> 16) & 255)) >> 8)) << 16) |
        ((g + (((255 - g) * ((add >> 8) & 255)) >> 8)) << 8) |
        (r + (((255 - r) * (add & 255)) >> 8));
    }
  }
}

function edges(parts: number, length: number): Int32Array {
  return Int32Array.from({ length: parts + 1 }, (_, part) => Math.round((part * length) / parts));
}

function centroid(
  members: Uint32Array | undefined,
  xy: Float32Array,
  width: number,
  height: number,
): { readonly x: number; readonly y: number } {
  if (members === undefined || members.length === 0) return { x: width / 2, y: height / 2 };
  let x = 0;
  let y = 0;
  for (const neuron of members) {
    x += xy[neuron * 2]!;
    y += xy[neuron * 2 + 1]!;
  }
  return { x: x / members.length, y: y / members.length };
}
