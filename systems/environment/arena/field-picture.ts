import { createScreen, fillRect, plot, readSprite, stamp } from './canvas.ts';
import type { Picture } from './canvas.ts';
import { HEIGHT_PX, WIDTH_PX } from './describe-arena.ts';
import { HOME_RADIUS, UNIT, spotsFor, twigsFor } from './rules.ts';

/** Width of the hedge around the field, px. */
export const HEDGE_PX = 8;
export const MIDDLE_X: number = WIDTH_PX / 2;
export const MIDDLE_Y: number = HEIGHT_PX / 2;

const LEAVES: Picture = readSprite(
  ['33333330', '32122213', '31221223', '32212123', '32122213', '31221223', '32212223', '03333333'],
  { '0': 3, '1': 1, '2': 2, '3': 3 },
);

/** What never moves: hedge, grass, the ring where plums fall, the middle line, homes and twigs. */
export function drawField(players: number): Picture {
  const field = createScreen();
  drawGrass(field);
  drawRing(field);
  for (const { homeX, homeY } of spotsFor(players)) drawHome(field, homeX / UNIT, homeY / UNIT);
  if (players === 2) drawMiddleLine(field);
  for (const twig of twigsFor(players)) drawTwig(field, twig.x, twig.y, twig.halfWidth, twig.halfHeight);
  drawHedge(field);
  return field;
}

function drawGrass(field: Picture): void {
  for (let y = 4; y < HEIGHT_PX; y += 8) {
    for (let x = 4; x < WIDTH_PX; x += 8) {
      plot(field, x + (x < MIDDLE_X ? 0 : -1), y + (y < MIDDLE_Y ? 0 : -1), 1);
    }
  }
}

/** Half sizes of the ring, px: its outer line, the hatched band inside it, and where that ends. */
const RING_OUT = { x: 55, y: 50 };
const RING_IN = { x: 45, y: 40 };

function drawRing(field: Picture): void {
  for (let y = HEDGE_PX; y < HEIGHT_PX - HEDGE_PX; y++) {
    for (let x = HEDGE_PX; x < WIDTH_PX - HEDGE_PX; x++) {
      const dx = 2 * x + 1 - WIDTH_PX; // twice the distance from the middle, which lies between pixels
      const dy = 2 * y + 1 - HEIGHT_PX;
      if (isInside(dx, dy, RING_OUT) && !isInside(dx, dy, { x: RING_OUT.x - 2, y: RING_OUT.y - 2 })) {
        plot(field, x, y, 1);
      } else if (isInside(dx, dy, { x: RING_OUT.x - 4, y: RING_OUT.y - 4 }) && !isInside(dx, dy, RING_IN)) {
        // the hatch is mirrored in both middle lines
        const across = x < MIDDLE_X ? x : WIDTH_PX - 1 - x;
        const down = y < MIDDLE_Y ? y : HEIGHT_PX - 1 - y;
        if ((across + down) % 2 === 0) plot(field, x, y, 1);
      }
    }
  }
}

function isInside(twiceX: number, twiceY: number, half: { readonly x: number; readonly y: number }): boolean {
  const across = twiceX * half.y;
  const down = twiceY * half.x;
  return across * across + down * down <= 4 * half.x * half.x * half.y * half.y;
}

/** A round bed of leaves against the hedge. @param homeX middle, px from the middle of the field */
function drawHome(field: Picture, homeX: number, homeY: number): void {
  const radius = HOME_RADIUS / UNIT;
  for (let y = HEDGE_PX; y < HEIGHT_PX - HEDGE_PX; y++) {
    for (let x = HEDGE_PX; x < WIDTH_PX - HEDGE_PX; x++) {
      const dx = 2 * x + 1 - WIDTH_PX - 2 * homeX;
      const dy = 2 * y + 1 - HEIGHT_PX - 2 * homeY;
      const squared = dx * dx + dy * dy;
      if (squared > 4 * radius * radius) continue;
      const rim = 2 * (radius - 2);
      const across = x < MIDDLE_X ? x : WIDTH_PX - 1 - x;
      const down = y < MIDDLE_Y ? y : HEIGHT_PX - 1 - y;
      if (squared > rim * rim) plot(field, x, y, 2);
      else plot(field, x, y, across % 4 === 0 && down % 4 === 0 ? 2 : 1);
    }
  }
}

function drawMiddleLine(field: Picture): void {
  for (let y = HEDGE_PX; y < HEIGHT_PX - HEDGE_PX; y++) {
    const down = y < MIDDLE_Y ? y : HEIGHT_PX - 1 - y;
    if (down % 6 < 3) fillRect(field, MIDDLE_X - 1, y, 2, 1, 1);
  }
}

function drawTwig(field: Picture, x: number, y: number, halfWidth: number, halfHeight: number): void {
  const left = MIDDLE_X + (x - halfWidth) / UNIT;
  const top = MIDDLE_Y + (y - halfHeight) / UNIT;
  const width = (2 * halfWidth) / UNIT;
  const height = (2 * halfHeight) / UNIT;
  fillRect(field, left, top, width, height, 3);
  fillRect(field, left + 1, top + 1, width - 2, height - 2, 2);
  fillRect(field, left + 1, top + 1, width - 2, 1, 1);
  const isLying = width > height;
  for (let i = 3; i < Math.max(width, height) - 3; i += 4) {
    if (isLying) plot(field, left + i, top + 3, 3);
    else plot(field, left + 3, top + i, 3);
  }
}

function drawHedge(field: Picture): void {
  for (let x = 0; x < WIDTH_PX; x += 8) {
    stamp(field, LEAVES, x, 0);
    stamp(field, LEAVES, x, HEIGHT_PX - 8);
  }
  for (let y = 8; y < HEIGHT_PX - 8; y += 8) {
    stamp(field, LEAVES, 0, y);
    stamp(field, LEAVES, WIDTH_PX - 8, y);
  }
}
