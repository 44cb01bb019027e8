import { CLEAR, createPicture, flipAcross, flipDown, readSprite, transpose } from './canvas.ts';
import type { Picture } from './canvas.ts';
import { FACING } from './state-map.ts';

/** Pictures of one fly by facing (`FACING`), then by pose 0..3: two beats of the wings times two steps of the legs. */
export type FlySprites = readonly (readonly Picture[])[];

/**
 * The upper half of a fly that looks right, drawn down to the middle line and mirrored below it.
 * o outline, w wing, v vein, b body, s stripe, t thorax, h head, e eye, g glint, l leg.
 */
const BODY: readonly string[] = [
  '................................',
  '................................',
  '................................',
  '................................',
  '................................',
  '................................',
  '................................',
  '................................',
  '................................',
  '.......................oo.......',
  '......ooooo...ooooooo.oeeo......',
  '....oobsbbsbootttttttooegeo..oo.',
  '...obsbsbbsbbotttttttthheeho.o..',
  '..obbsbsbbsbbotttttttthhhhhoo...',
];

const WINGS_OUT: readonly string[] = [
  '................................',
  '...oooooo.......................',
  '..owwwwwwooo....................',
  '..owvwwwwwwwoo..................',
  '..owwvvwwwwwwwoo................',
  '...owwwvvwwwwwwwo...............',
  '....owwwwvvvwwwwwo..............',
  '.....oowwwwwvvwwwwo.............',
  '.......ooowwwwwvvwwo............',
  '..........oooowwwvwo............',
  '..............oooooo............',
  '................................',
  '................................',
  '................................',
];

const WINGS_BACK: readonly string[] = [
  '................................',
  '................................',
  '................................',
  '................................',
  '.oooooo.........................',
  'owwwwwwooooo....................',
  'owvvwwwwwwwwooo.................',
  '.owwvvvwwwwwwwwoo...............',
  '..oowwwvvvwwwwwwwo..............',
  '....ooowwwvvvwwwwwo.............',
  '.......oooowwwvvvwo.............',
  '...........oooooooo.............',
  '................................',
  '................................',
];

const LEGS: readonly (readonly string[])[] = [
  [
    '................................',
    '................................',
    '................................',
    '...........................l....',
    '...................l......l.....',
    '..................l......l......',
    '..................l.....l.......',
    '...................l....l.......',
    '...................l...l........',
    '....................l..l........',
    '....................l.l.........',
  ],
  [
    '................................',
    '................................',
    '................................',
    '................................',
    '......................l.........',
    '.....................l.......l..',
    '.....................l.....ll...',
    '.....................l....l.....',
    '....................l....l......',
    '....................l...l.......',
    '....................l..l........',
  ],
];

type Shades = Readonly<Record<string, number>>;

/** A dark, B light; with four, C has a light body under dark wings and D a dark body under light ones. */
const STYLES: readonly Shades[] = [
  { o: 3, w: 1, v: 2, b: 2, s: 3, t: 2, h: 3, e: 2, g: 1, l: 3 },
  { o: 3, w: 0, v: 1, b: 0, s: 2, t: 0, h: 3, e: 2, g: 1, l: 3 },
  { o: 3, w: 2, v: 3, b: 1, s: 3, t: 1, h: 1, e: 3, g: 0, l: 3 },
  { o: 3, w: 0, v: 2, b: 3, s: 1, t: 3, h: 3, e: 1, g: 0, l: 3 },
];

/** @param player 0..3 */
export function createFlySprites(player: number): FlySprites {
  const shades = STYLES[player]!;
  const right = [0, 1, 2, 3].map((pose) => drawFly(shades, pose));
  const left = right.map(flipAcross);
  const down = right.map(transpose);
  const up = down.map(flipDown);
  const facings: Picture[][] = [];
  facings[FACING.up] = up;
  facings[FACING.down] = down;
  facings[FACING.left] = left;
  facings[FACING.right] = right;
  return facings;
}

/** Legs walk in two tripods: when those above the line are at one step, those below are at the other. */
function drawFly(shades: Shades, pose: number): Picture {
  const wings = (pose & 1) === 0 ? WINGS_OUT : WINGS_BACK;
  const step = pose >> 1;
  const height = 2 * BODY.length;
  const fly = createPicture(BODY[0]!.length, height, CLEAR);
  for (const [layer, other] of [
    [LEGS[step]!, LEGS[1 - step]!],
    [wings, wings],
    [BODY, BODY],
  ] as const) {
    half(fly, readSprite(layer, shades), (y) => y);
    half(fly, readSprite(other, shades), (y) => height - 1 - y);
  }
  return fly;
}

function half(fly: Picture, layer: Picture, rowOf: (y: number) => number): void {
  for (let y = 0; y < layer.height; y++) {
    for (let x = 0; x < layer.width; x++) {
      const shade = layer.pixels[y * layer.width + x]!;
      if (shade !== CLEAR) fly.pixels[rowOf(y) * fly.width + x] = shade;
    }
  }
}
