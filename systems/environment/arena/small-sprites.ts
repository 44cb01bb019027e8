import { readSprite } from './canvas.ts';
import type { Picture } from './canvas.ts';

const SHADES = { '0': 0, '1': 1, '2': 2, '3': 3 } as const;

export const PLUM: Picture = readSprite(
  [
    '.......33.......',
    '......33.222....',
    '......3.2222....',
    '....333333......',
    '..332222223333..',
    '.322222222222233',
    '3220022222222223',
    '3200222222222223',
    '3200222222222223',
    '3222222222222223',
    '3222222222222233',
    '3322222222222233',
    '.33222222222333.',
    '..333222223333..',
    '....33333333....',
    '................',
  ],
  SHADES,
);

/** Delivered plums, stacked at home. */
export const SMALL_PLUM: Picture = readSprite(
  ['...3....', '.333333.', '33002233', '30022223', '32222223', '33222233', '.333333.', '........'],
  SHADES,
);

/** One per round won, in the hedge. */
export const PIP_WON: Picture = readSprite(['..11..', '.0000.', '000000', '000000', '000000', '.0000.'], SHADES);
export const PIP_OPEN: Picture = readSprite(['......', '.2222.', '2....2', '2....2', '2....2', '.2222.'], SHADES);

export const DROP: Picture = readSprite(
  ['...33...', '...33...', '..3223..', '.322223.', '.302223.', '.320223.', '..3223..', '...33...'],
  SHADES,
);

export const STAR: Picture = readSprite(['..3..', '..3..', '33033', '..3..', '..3..'], SHADES);

/** Shadow of what falls, by how near it is. */
export const SHADOWS: readonly Picture[] = [
  readSprite(['..1111..', '.1.1.11.', '..1111..'], SHADES),
  readSprite(['..11111111..', '.1111111111.', '..11111111..'], SHADES),
  readSprite(['...2222222222...', '.22222222222222.', '.22222222222222.', '...2222222222...'], SHADES),
];
