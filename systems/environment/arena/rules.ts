/** Every number of the game. Lengths are 1/256 pixel from the middle of the field, times are steps (docs/arena.md). */

/** Parts of a pixel. */
export const UNIT = 256;
export const MAX_PLAYERS = 4;

/** The field inside the hedge: 144 x 128 px. */
export const HALF_WIDTH: number = 72 * UNIT;
export const HALF_HEIGHT: number = 64 * UNIT;

export const FLY_RADIUS: number = 10 * UNIT;
/** How near the hedge a fly's middle comes: its head just reaches the leaves. */
export const HEDGE_GAP: number = 12 * UNIT;
/** px/step x 256: a fly crosses the field in two seconds and a quarter. */
export const WALK_SPEED = 280;
export const CARRY_SPEED = 208;
export const NECTAR_SPEED = 400;
/** The part of the difference to the wanted speed that a fly makes up in one step. */
export const GRIP = 6;
export const STUNNED_GRIP = 14;

export const DASH_SPEED = 780;
export const DASH_STEPS = 12;
export const DASH_WAIT = 66;
export const KNOCK_SPEED = 760;
/** No blow makes a fly faster, so that none passes through a twig. */
export const TOP_SPEED = 1_100;
export const STUN_STEPS = 36;
/** From the blow on, so it outlasts the stun by about a second. */
export const SHIELD_STEPS = 96;

export const GUST_RADIUS: number = 34 * UNIT;
export const GUST_SPEED = 560;
export const GUST_STEPS = 16;
export const GUST_WAIT = 150;

export const PICK_RADIUS: number = 13 * UNIT;
/** Where a carried plum is held, ahead of the fly's middle. */
export const HOLD_AHEAD: number = 12 * UNIT;
/** A fly that lost a plum cannot take one for this long. */
export const FUMBLE_STEPS = 30;
export const FRUIT_LIMIT_X: number = 65 * UNIT;
export const FRUIT_LIMIT_Y: number = 57 * UNIT;
export const FALL_STEPS = 48;
/** Wait between two falls while the field has room. */
export const FRUIT_WAIT = 90;

export const NECTAR_RADIUS: number = 12 * UNIT;
export const NECTAR_WAIT = 420;
export const NECTAR_STEPS = 210;

export const HOME_RADIUS: number = 36 * UNIT;
export const CHEER_STEPS = 40;

export const SCORE_TO_WIN = 5;
export const ROUND_COUNT = 5;
export const ROUNDS_TO_WIN = 3;
/** 40 s, 15 s, 2 s, 1.5 s, 4 s and 7 s of 4,194,304/70,224 steps each, rounded to whole steps. */
export const ROUND_STEPS = 2_389;
export const SUDDEN_STEPS = 896;
export const INTRO_STEPS = 119;
export const SUDDEN_INTRO_STEPS = 90;
export const ROUND_OVER_STEPS = 239;
export const MATCH_OVER_STEPS = 418;
/** Steps without a plum taken, lost or brought home: a wind carries the plums to the flies, then the round is judged. */
export const WIND_AFTER = 600;
export const STUCK_AFTER = 1_200;
export const WIND_SPEED = 72;

/** Chances start from this and the number of the match (the synthetic composition's master seed, arena.md 2). */
export const MASTER_SEED = 1_234;

export type Spot = {
  readonly name: string;
  /** Where a fly begins. */
  readonly x: number;
  readonly y: number;
  /** Middle of the home circle. */
  readonly homeX: number;
  readonly homeY: number;
};

const DUEL_SPOTS: readonly Spot[] = [
  { name: 'left', x: -46 * UNIT, y: 0, homeX: -HALF_WIDTH, homeY: 0 },
  { name: 'right', x: 46 * UNIT, y: 0, homeX: HALF_WIDTH, homeY: 0 },
];

/** Clockwise from the top left, so that moving on by one is a rotation of the seats. */
const CORNER_SPOTS: readonly Spot[] = [
  { name: 'top left', x: -46 * UNIT, y: -40 * UNIT, homeX: -HALF_WIDTH, homeY: -HALF_HEIGHT },
  { name: 'top right', x: 46 * UNIT, y: -40 * UNIT, homeX: HALF_WIDTH, homeY: -HALF_HEIGHT },
  { name: 'bottom right', x: 46 * UNIT, y: 40 * UNIT, homeX: HALF_WIDTH, homeY: HALF_HEIGHT },
  { name: 'bottom left', x: -46 * UNIT, y: 40 * UNIT, homeX: -HALF_WIDTH, homeY: HALF_HEIGHT },
];

export function spotsFor(players: number): readonly Spot[] {
  return players === 2 ? DUEL_SPOTS : CORNER_SPOTS;
}

/** A log or a twig lying in the field: middle and half sizes. Each table maps onto itself in both mirrors. */
export type Twig = { readonly x: number; readonly y: number; readonly halfWidth: number; readonly halfHeight: number };

const DUEL_TWIGS: readonly Twig[] = fourTwigs(44, 41, 8, 3);
const CORNER_TWIGS: readonly Twig[] = [
  { x: -52 * UNIT, y: 0, halfWidth: 3 * UNIT, halfHeight: 8 * UNIT },
  { x: 52 * UNIT, y: 0, halfWidth: 3 * UNIT, halfHeight: 8 * UNIT },
];

export function twigsFor(players: number): readonly Twig[] {
  return players === 2 ? DUEL_TWIGS : CORNER_TWIGS;
}

function fourTwigs(x: number, y: number, halfWidth: number, halfHeight: number): Twig[] {
  return [-1, 1].flatMap((down) =>
    [-1, 1].map((right) => ({
      x: right * x * UNIT,
      y: down * y * UNIT,
      halfWidth: halfWidth * UNIT,
      halfHeight: halfHeight * UNIT,
    })),
  );
}
