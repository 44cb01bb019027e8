import { dropPlum } from './move-fruit.ts';
import { FALL_STEPS, FRUIT_WAIT, NECTAR_WAIT, UNIT } from './rules.ts';
import { FRUIT, FRUIT_STATE, MAX_FRUIT, MAX_NECTAR, NECTAR, WORD, fruitAt, nectarAt } from './state-map.ts';
import { nextRandom } from './whole-numbers.ts';

/**
 * Lets plums and nectar fall. What falls is chance, where it falls favours nobody: a duel gets one on the middle line
 * or one on either side of it at equal distances, corners get one in the middle or four, mirrored both ways.
 */
export function dropFruit(state: Int32Array): void {
  const isDuel = state[WORD.players] === 2;
  if (state[WORD.fruitWait]! > 0) state[WORD.fruitWait] = state[WORD.fruitWait]! - 1;
  else if (isDuel) dropForDuel(state);
  else dropForCorners(state);
  if (state[WORD.nectarWait]! > 0) state[WORD.nectarWait] = state[WORD.nectarWait]! - 1;
  else dropNectar(state, isDuel);
}

/** Plums a field holds, those in the air and those in hand counted. */
const DUEL_PLUMS = 4;
const CORNER_PLUMS = 6;

function dropForDuel(state: Int32Array): void {
  const room = DUEL_PLUMS - countPlums(state);
  if (room <= 0) return;
  const isPair = chance(state) % 3 === 0 && room >= 2;
  const x = isPair ? 16 * UNIT + Math.abs(spread(state, 12)) : 0;
  const first = chance(state) % LANES_Y.length;
  let y = LANES_Y[first]!;
  for (let i = 1; i < LANES_Y.length && isTaken(state, x, y); i++) y = LANES_Y[(first + i) % LANES_Y.length]!;
  if (isTaken(state, x, y)) return; // everywhere something lies already: next step, next chance
  dropPlum(state, freePlum(state), -x, y);
  if (isPair) dropPlum(state, freePlum(state), x, y);
  state[WORD.fruitWait] = FRUIT_WAIT;
}

/** Heights at which plums of a duel fall. */
const LANES_Y: readonly number[] = [-40, -20, 0, 20, 40].map((y) => y * UNIT);
const NEAR = 15 * UNIT;

/** A plum lies or falls near this place or near its mirror image. */
function isTaken(state: Int32Array, x: number, y: number): boolean {
  for (let index = 0; index < MAX_FRUIT; index++) {
    const plum = fruitAt(index);
    if (state[plum + FRUIT.state] === FRUIT_STATE.none || state[plum + FRUIT.state] === FRUIT_STATE.carried) continue;
    const across = Math.abs(Math.abs(state[plum + FRUIT.x]!) - x);
    if (across < NEAR && Math.abs(state[plum + FRUIT.y]! - y) < NEAR) return true;
  }
  return false;
}

function dropForCorners(state: Int32Array): void {
  const room = CORNER_PLUMS - countPlums(state);
  if (room <= 0) return;
  const y = 14 * UNIT + Math.abs(spread(state, 14));
  const x = 12 * UNIT + Math.abs(spread(state, 14));
  if (room >= 4 && chance(state) % 2 === 0) {
    for (let corner = 0; corner < 4; corner++) {
      dropPlum(state, freePlum(state), (corner & 1) === 0 ? -x : x, (corner & 2) === 0 ? -y : y);
    }
  } else if (!isTaken(state, 0, 0)) dropPlum(state, freePlum(state), 0, 0);
  state[WORD.fruitWait] = FRUIT_WAIT;
}

function dropNectar(state: Int32Array, isDuel: boolean): void {
  state[WORD.nectarWait] = NECTAR_WAIT;
  for (let index = 0; index < MAX_NECTAR; index++) if (state[nectarAt(index) + NECTAR.present] !== 0) return;
  const x = 16 * UNIT + Math.abs(spread(state, 12));
  const y = isDuel ? (chance(state) % 2 === 0 ? 1 : -1) * (28 * UNIT + Math.abs(spread(state, 24))) : 50 * UNIT;
  for (let index = 0; index < (isDuel ? 2 : 4); index++) {
    const drop = nectarAt(index);
    state[drop + NECTAR.present] = 1;
    state[drop + NECTAR.x] = (index & 1) === 0 ? -x : x;
    state[drop + NECTAR.y] = (index & 2) === 0 ? y : -y;
    state[drop + NECTAR.fall] = FALL_STEPS;
  }
}

function countPlums(state: Int32Array): number {
  let count = 0;
  for (let index = 0; index < MAX_FRUIT; index++) {
    if (state[fruitAt(index) + FRUIT.state] !== FRUIT_STATE.none) count++;
  }
  return count;
}

function freePlum(state: Int32Array): number {
  for (let index = 0; index < MAX_FRUIT - 1; index++) {
    if (state[fruitAt(index) + FRUIT.state] === FRUIT_STATE.none) return index;
  }
  return MAX_FRUIT - 1;
}

/** 0..2^24 - 1, the upper bits of the next chance. */
function chance(state: Int32Array): number {
  state[WORD.random] = nextRandom(state[WORD.random]!);
  return state[WORD.random]! >>> 8;
}

/** Whole pixels from -most to most, in 1/256 px. */
function spread(state: Int32Array, most: number): number {
  return ((chance(state) % (2 * most + 1)) - most) * UNIT;
}
