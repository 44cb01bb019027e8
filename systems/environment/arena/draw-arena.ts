import { createScreen, fillRect, plot, stamp } from './canvas.ts';
import type { Picture } from './canvas.ts';
import { drawBanner } from './draw-banner.ts';
import { HEDGE_PX, MIDDLE_X, MIDDLE_Y, drawField } from './field-picture.ts';
import { createFlySprites } from './fly-sprites.ts';
import type { FlySprites } from './fly-sprites.ts';
import { LETTERS, textWidth, writeText } from './letters.ts';
import { CHEER_STEPS, FALL_STEPS, GUST_RADIUS, GUST_STEPS, ROUNDS_TO_WIN, UNIT, spotsFor } from './rules.ts';
import { DROP, PIP_OPEN, PIP_WON, PLUM, SHADOWS, SMALL_PLUM, STAR } from './small-sprites.ts';
import {
  FACING,
  FLY,
  FRUIT,
  FRUIT_STATE,
  MAX_FRUIT,
  MAX_NECTAR,
  NECTAR,
  NOBODY,
  PHASE,
  WORD,
  flyAt,
  fruitAt,
  nectarAt,
} from './state-map.ts';
import { secondsLeft } from './step-arena.ts';
import { divide } from './whole-numbers.ts';

/** Draws a state; remembers nothing, so the same state always gives the same picture. */
export type ArenaPicture = {
  /** @param rgba out, 160 * 144 little-endian words, all written */
  draw(state: Int32Array, rgba: Uint32Array): void;
};

/** The show's four game shades, lightest first, as RGBA words in memory order (design/mockups, game shades). */
const PALETTE: Uint32Array = Uint32Array.of(0xffc4efe8, 0xff6cbfa3, 0xff587a4a, 0xff1f2916);

export function createArenaPicture(players: number): ArenaPicture {
  const field = drawField(players);
  const screen = createScreen();
  const flies = Array.from({ length: players }, (_, player) => createFlySprites(player));
  return {
    draw(state, rgba) {
      screen.pixels.set(field.pixels);
      drawHomes(screen, state);
      drawNectar(screen, state);
      drawPlums(screen, state, FRUIT_STATE.loose);
      for (let player = 0; player < players; player++) drawFly(screen, state, player, flies[player]!);
      for (let player = 0; player < players; player++) drawMarks(screen, state, player);
      drawPlums(screen, state, FRUIT_STATE.falling);
      drawScoreboard(screen, state);
      drawBanner(screen, state);
      const { pixels } = screen;
      for (let i = 0; i < pixels.length; i++) rgba[i] = PALETTE[pixels[i]!]!;
    },
  };
}

function column(x: number): number {
  return MIDDLE_X + divide(x, UNIT);
}

function line(y: number): number {
  return MIDDLE_Y + divide(y, UNIT);
}

/** Plums brought home lie in a fan in front of the hedge, beside the owner's letter. */
function drawHomes(screen: Picture, state: Int32Array): void {
  const spots = spotsFor(state[WORD.players]!);
  for (let player = 0; player < state[WORD.players]!; player++) {
    const fly = flyAt(player);
    const { homeX, homeY } = spots[state[fly + FLY.spot]!]!;
    const inX = homeX < 0 ? 1 : -1;
    const score = state[fly + FLY.score]!;
    const isCorner = homeY !== 0;
    const inY = homeY <= 0 ? 1 : -1;
    for (let i = 0; i < score; i++) {
      // duel: a column at the hedge, from the letter outwards; corners: along the hedge
      const along = isCorner ? 18 + i * 9 : ((i & 1) === 0 ? 1 : -1) * (11 + (i >> 1) * 9);
      const x = column(homeX) + inX * (isCorner ? along : 5);
      const y = line(homeY) + (isCorner ? inY * 5 : along);
      stamp(screen, SMALL_PLUM, x - 4, y - 4);
    }
    const plateX = column(homeX) + inX * (isCorner ? 6 : 0);
    const plateY = line(homeY) + (isCorner ? inY * 6 : 0);
    drawPlate(screen, player, plateX - (inX > 0 ? 5 : 6), plateY - (inY > 0 ? 5 : 6));
  }
}

/** How a player's letter is shown: plate, frame and letter shade. */
const PLATES: readonly (readonly [plate: number, frame: number, letter: number])[] = [
  [3, 3, 0],
  [0, 3, 3],
  [2, 3, 0],
  [1, 3, 3],
];

function drawPlate(screen: Picture, player: number, x: number, y: number): void {
  const [plate, frame, letter] = PLATES[player]!;
  fillRect(screen, x, y, 11, 11, frame);
  fillRect(screen, x + 1, y + 1, 9, 9, plate);
  writeText(screen, LETTERS[player]!, x + 3, y + 2, letter, 1);
}

function drawNectar(screen: Picture, state: Int32Array): void {
  for (let index = 0; index < MAX_NECTAR; index++) {
    const drop = nectarAt(index);
    if (state[drop + NECTAR.present] === 0) continue;
    const x = column(state[drop + NECTAR.x]!);
    const y = line(state[drop + NECTAR.y]!);
    stamp(screen, DROP, x - 4, y - 4 - heightOf(state[drop + NECTAR.fall]!));
  }
}

/** How high a falling thing is, px: it falls faster and faster. */
function heightOf(fall: number): number {
  return divide(fall * (2 * FALL_STEPS - fall) * 100, FALL_STEPS * FALL_STEPS);
}

function drawPlums(screen: Picture, state: Int32Array, which: number): void {
  for (let index = 0; index < MAX_FRUIT; index++) {
    const plum = fruitAt(index);
    if (state[plum + FRUIT.state] !== which) continue;
    const x = column(state[plum + FRUIT.x]!);
    const y = line(state[plum + FRUIT.y]!);
    const fall = state[plum + FRUIT.fall]!;
    if (fall > FALL_STEPS) continue; // still in the tree
    const shadow = SHADOWS[fall > 32 ? 0 : fall > 12 ? 1 : 2]!;
    stamp(screen, shadow, x - (shadow.width >> 1), y + 6 - (shadow.height >> 1));
    stamp(screen, PLUM, x - 8, y - 8 - heightOf(fall));
  }
}

function drawFly(screen: Picture, state: Int32Array, player: number, sprites: FlySprites): void {
  const fly = flyAt(player);
  const x = column(state[fly + FLY.x]!);
  const y = line(state[fly + FLY.y]!);
  const facing = state[fly + FLY.facing]!;
  if (state[fly + FLY.gustLeft]! > 0) drawGust(screen, x, y, state[fly + FLY.gustLeft]!);
  if (state[fly + FLY.dashLeft]! > 0) drawStreaks(screen, x, y, facing);
  const isCheering = state[WORD.roundWinner] === player || state[WORD.matchWinner] === player;
  const isMoving = state[fly + FLY.vx] !== 0 || state[fly + FLY.vy] !== 0 || isCheering;
  const wings = isMoving ? (state[WORD.step]! >> 2) & 1 : 0;
  const legs = (state[fly + FLY.stride]! >> 10) & 1;
  const hop = isCheering && state[WORD.phase]! >= PHASE.roundOver ? hopOf(state[WORD.step]!) : 0;
  const sprite = sprites[facing]![wings | (legs << 1)]!;
  stamp(screen, sprite, x - (sprite.width >> 1), y - (sprite.height >> 1) - hop);
  if (state[fly + FLY.carrying] !== NOBODY) {
    const ahead = facing === FACING.right || facing === FACING.down ? 12 : -12;
    const isAcross = facing === FACING.left || facing === FACING.right;
    stamp(screen, PLUM, x - 8 + (isAcross ? ahead : 0), y - 8 + (isAcross ? 0 : ahead));
  }
}

function hopOf(step: number): number {
  const part = step & 15;
  return part < 8 ? part >> 1 : (15 - part) >> 1;
}

/** A broken ring that grows to the reach of the gust. */
function drawGust(screen: Picture, x: number, y: number, left: number): void {
  const reach = GUST_RADIUS / UNIT;
  const radius = 10 + divide((reach - 10) * (GUST_STEPS - left), GUST_STEPS - 1);
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      const squared = dx * dx + dy * dy;
      if (squared > radius * radius || squared <= (radius - 2) * (radius - 2)) continue;
      if (((Math.abs(dx) + Math.abs(dy)) >> 1) % 3 !== 0) plot(screen, x + dx, y + dy, 2);
    }
  }
}

function drawStreaks(screen: Picture, x: number, y: number, facing: number): void {
  const back = facing === FACING.right || facing === FACING.down ? -1 : 1;
  const isAcross = facing === FACING.left || facing === FACING.right;
  for (const [offset, from, length] of [
    [-9, 14, 12],
    [0, 18, 14],
    [9, 14, 12],
  ] as const) {
    for (let i = from; i < from + length; i++) {
      if (i % 5 === 4) continue;
      if (isAcross) plot(screen, x + back * i, y + offset, 3);
      else plot(screen, x + offset, y + back * i, 3);
    }
  }
}

/** Letter above the fly, stars when it is stunned, what it just brought home. */
function drawMarks(screen: Picture, state: Int32Array, player: number): void {
  const fly = flyAt(player);
  const x = column(state[fly + FLY.x]!);
  const y = line(state[fly + FLY.y]!);
  const isUnder = y < HEDGE_PX + 34;
  const plateY = isUnder ? y + 17 : y - 28;
  drawPlate(screen, player, x - 5, plateY);
  const tip = isUnder ? plateY - 1 : plateY + 11;
  fillRect(screen, x - 1, tip, 2, 1, 3);
  if (state[fly + FLY.stun]! > 0) {
    const turn = state[WORD.step]! >> 2;
    for (let i = 0; i < 3; i++) {
      const [dx, dy] = ORBIT[(turn + 3 * i) % ORBIT.length]!;
      stamp(screen, STAR, x - 2 + dx, y - 2 + dy);
    }
  }
  if (state[fly + FLY.nectar]! > 0 && (state[WORD.step]! & 4) === 0) {
    for (const [dx, dy] of [
      [-14, -10],
      [13, -10],
      [-14, 9],
      [13, 9],
    ] as const) {
      fillRect(screen, x + dx, y + dy, 2, 2, 2);
    }
  }
  const cheer = state[fly + FLY.cheer]!;
  if (cheer > 0) stamp(screen, SMALL_PLUM, x + 7, y - 20 - divide((CHEER_STEPS - cheer) * 12, CHEER_STEPS));
}

const ORBIT: readonly (readonly [number, number])[] = [
  [14, 0],
  [10, 7],
  [3, 11],
  [-5, 10],
  [-12, 5],
  [-13, -4],
  [-8, -9],
  [0, -11],
  [9, -8],
];

/** In the hedge: the clock in the middle, one plum per round won on the owner's side. */
function drawScoreboard(screen: Picture, state: Int32Array): void {
  const seconds = secondsLeft(state);
  const isSudden = state[WORD.phase] === PHASE.sudden || state[WORD.phase] === PHASE.suddenIntro;
  const text = `0:${seconds < 10 ? '0' : ''}${seconds}`;
  const width = textWidth(text, 1) + 6;
  const isInverse = isSudden || (seconds <= 5 && state[WORD.phase] === PHASE.play && (state[WORD.step]! & 16) !== 0);
  fillRect(screen, MIDDLE_X - (width >> 1) - 1, 0, width + 1, 11, 3);
  if (isInverse) fillRect(screen, MIDDLE_X - (width >> 1), 0, width - 1, 10, 0);
  writeText(screen, text, MIDDLE_X - (width >> 1) + 3, 2, isInverse ? 3 : 0, 1);
  const spots = spotsFor(state[WORD.players]!);
  for (let player = 0; player < state[WORD.players]!; player++) {
    const fly = flyAt(player);
    const { homeX, homeY } = spots[state[fly + FLY.spot]!]!;
    const top = homeY > 0 ? 144 - HEDGE_PX : 0;
    const left = homeX < 0 ? 14 : 160 - 14 - 24;
    fillRect(screen, left, top, 24, HEDGE_PX, 3);
    for (let i = 0; i < ROUNDS_TO_WIN; i++) {
      const at = homeX < 0 ? left + 1 + 8 * i : left + 17 - 8 * i;
      stamp(screen, i < state[fly + FLY.roundsWon]! ? PIP_WON : PIP_OPEN, at, top + 1);
    }
  }
}
