import { createRandom } from './random.ts';
import type { Box } from '../layout.ts';
import { blend } from '../raster/frame.ts';
import type { Frame } from '../raster/frame.ts';

/** Square sparks of a fixed pool. They mean that something was earned; nothing else makes one (spec: show.md 96). */
export type Particles = {
  /** @param x design px @param y design px @param speed design px a ms */
  sparks(count: number, x: number, y: number, speed: number, rgb: number): void;
  /** Grains that travel from one place to another, design px, and end there (show.md 96b). */
  drift(count: number, from: Place, to: Place, rgb: number): void;
  /** Moves and draws them inside the clip boxes, snapped to 4 px. */
  paint(frame: Frame, nowMs: number): void;
};

export type Place = { readonly x: number; readonly y: number };

const CAPACITY = 400;
const SEED = 0x0f1ab1e5;
const GRAVITY = 0.000_16;
const LIFE_MS = 600;
const DRIFT_LIFE_MS = 900;
const DRIFT_SPREAD = 30;
const DRIFT_SIZE = 8;
const LONGEST_STEP_MS = 100;
const SNAP = 4;

/** @param clip the boxes sparks may enter, design px (show.md 96) @param keepOut never covered, design px */
export function createParticles(clip: readonly Box[], keepOut: readonly Box[]): Particles {
  const random = createRandom(SEED);
  const x = new Float32Array(CAPACITY);
  const y = new Float32Array(CAPACITY);
  const vx = new Float32Array(CAPACITY);
  const vy = new Float32Array(CAPACITY);
  const left = new Float32Array(CAPACITY);
  const life = new Float32Array(CAPACITY);
  const ink = new Uint32Array(CAPACITY);
  /** Where a drifting grain began and ends; NaN for one that flies free. */
  const startX = new Float32Array(CAPACITY);
  const startY = new Float32Array(CAPACITY);
  const endX = new Float32Array(CAPACITY).fill(NaN);
  const endY = new Float32Array(CAPACITY);
  let next = 0;
  let atMs = NaN;
  return {
    sparks(count, fromX, fromY, speed, rgb) {
      for (let k = 0; k < count; k++) {
        const turn = -Math.PI * (0.08 + 0.84 * random());
        const pace = speed * (0.55 + 0.9 * random());
        x[next] = fromX + (random() - 0.5) * 84;
        y[next] = fromY - random() * 28;
        vx[next] = Math.cos(turn) * pace;
        vy[next] = Math.sin(turn) * pace;
        life[next] = LIFE_MS * (0.7 + 0.5 * random());
        left[next] = life[next]!;
        ink[next] = rgb;
        endX[next] = NaN;
        next = (next + 1) % CAPACITY;
      }
    },
    drift(count, from, to, rgb) {
      for (let k = 0; k < count; k++) {
        startX[next] = from.x + (random() - 0.5) * 2 * DRIFT_SPREAD;
        startY[next] = from.y + (random() - 0.5) * 2 * DRIFT_SPREAD;
        endX[next] = to.x + (random() - 0.5) * DRIFT_SPREAD;
        endY[next] = to.y + (random() - 0.5) * DRIFT_SPREAD;
        life[next] = DRIFT_LIFE_MS * (0.6 + 0.8 * random());
        left[next] = life[next]!;
        ink[next] = rgb;
        next = (next + 1) % CAPACITY;
      }
    },
    paint(frame, nowMs) {
      const stepMs = Math.min(LONGEST_STEP_MS, Math.max(0, nowMs - atMs)) || 0;
      atMs = nowMs;
      for (let i = 0; i < CAPACITY; i++) {
        if (left[i]! <= 0) continue;
        left[i] = left[i]! - stepMs;
        if (left[i]! <= 0) continue;
        const part = left[i]! / life[i]!;
        const drifts = !Number.isNaN(endX[i]!);
        if (drifts) {
          const way = easeInOut(1 - part);
          x[i] = startX[i]! + (endX[i]! - startX[i]!) * way;
          y[i] = startY[i]! + (endY[i]! - startY[i]!) * way;
        } else {
          vy[i] = vy[i]! + GRAVITY * stepMs;
          x[i] = x[i]! + vx[i]! * stepMs;
          y[i] = y[i]! + vy[i]! * stepMs;
        }
        const size = drifts ? DRIFT_SIZE : part > 0.6 ? 12 : part > 0.3 ? 8 : 4;
        const sx = Math.round(x[i]! / SNAP) * SNAP;
        const sy = Math.round(y[i]! / SNAP) * SNAP;
        if (!inside(clip, sx, sy, size) || touches(keepOut, sx, sy, size)) continue;
        drawSquare(frame, sx, sy, size, ink[i]!, Math.round(256 * Math.min(1, 0.3 + part)));
      }
    },
  };
}

function easeInOut(t: number): number {
  return t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2;
}

function drawSquare(frame: Frame, x: number, y: number, size: number, rgb: number, amount: number): void {
  const right = Math.round((x + size) * frame.scale);
  const bottom = Math.round((y + size) * frame.scale);
  for (let row = Math.round(y * frame.scale); row < bottom; row++) {
    for (let column = Math.round(x * frame.scale); column < right; column++) {
      blend(frame.pixels, row * frame.width + column, rgb, amount);
    }
  }
}

function inside(boxes: readonly Box[], x: number, y: number, size: number): boolean {
  return boxes.some((at) => x >= at.x && y >= at.y && x + size <= at.x + at.width && y + size <= at.y + at.height);
}

function touches(boxes: readonly Box[], x: number, y: number, size: number): boolean {
  return boxes.some((at) => x + size > at.x && y + size > at.y && x < at.x + at.width && y < at.y + at.height);
}
