import { spotsFor } from '../../../../systems/environment/arena/rules.ts';
import {
  FACING,
  FLY,
  FLY_WORDS,
  FRUIT,
  FRUIT_STATE,
  MAX_FRUIT,
  MAX_NECTAR,
  NECTAR,
  NOBODY,
  WORD,
  flyAt,
  fruitAt,
  nectarAt,
} from '../../../../systems/environment/arena/state-map.ts';

export type Axis = 'left-right' | 'top-bottom';

/** Which seat a mirror maps each seat to. */
export function mirroredSeats(players: number, axis: Axis): number[] {
  const spots = spotsFor(players);
  const flipX = axis === 'left-right' ? -1 : 1;
  const flipY = axis === 'left-right' ? 1 : -1;
  return spots.map(({ homeX, homeY }) =>
    spots.findIndex((other) => other.homeX === flipX * homeX + 0 && other.homeY === flipY * homeY + 0),
  );
}

/** Player that stands where the mirror puts each player. */
export function swappedPlayers(state: Int32Array, axis: Axis): number[] {
  const players = state[WORD.players]!;
  const seats = Array.from({ length: players }, (_, player) => state[flyAt(player) + FLY.spot]!);
  const mirrored = mirroredSeats(players, axis);
  return seats.map((seat) => seats.indexOf(mirrored[seat]!));
}

/** The same world in a mirror, with the players who changed sides by it renamed to those who played there. */
export function mirrorState(state: Int32Array, axis: Axis): Int32Array {
  const players = state[WORD.players]!;
  const swapped = swappedPlayers(state, axis);
  const seats = mirroredSeats(players, axis);
  const mirror = state.slice();
  const [place, speed] = axis === 'left-right' ? [FLY.x, FLY.vx] : [FLY.y, FLY.vy];
  for (let player = 0; player < players; player++) {
    const from = flyAt(player);
    const to = flyAt(swapped[player]!);
    mirror.set(state.subarray(from, from + FLY_WORDS), to);
    mirror[to + place] = -state[from + place]!;
    mirror[to + speed] = -state[from + speed]!;
    mirror[to + FLY.facing] = mirrorFacing(state[from + FLY.facing]!, axis);
    mirror[to + FLY.spot] = seats[state[from + FLY.spot]!]!;
    mirror[to + FLY.buttons] = mirrorMask(state[from + FLY.buttons]!, axis);
  }
  for (let index = 0; index < MAX_FRUIT; index++) {
    const plum = fruitAt(index);
    const [at, moving] = axis === 'left-right' ? [FRUIT.x, FRUIT.vx] : [FRUIT.y, FRUIT.vy];
    mirror[plum + at] = -state[plum + at]!;
    mirror[plum + moving] = -state[plum + moving]!;
    if (state[plum + FRUIT.state] === FRUIT_STATE.carried) {
      mirror[plum + FRUIT.carrier] = swapped[state[plum + FRUIT.carrier]!]!;
    }
    let touched = 0;
    for (let player = 0; player < players; player++) {
      if ((state[plum + FRUIT.touched]! & (1 << player)) !== 0) touched |= 1 << swapped[player]!;
    }
    mirror[plum + FRUIT.touched] = touched;
  }
  for (let index = 0; index < MAX_NECTAR; index++) {
    const at = nectarAt(index) + (axis === 'left-right' ? NECTAR.x : NECTAR.y);
    mirror[at] = -state[at]!;
  }
  for (const word of [WORD.roundWinner, WORD.matchWinner, ...[0, 1, 2, 3, 4].map((i) => WORD.roundWinners + i)]) {
    if (state[word]! >= 0) mirror[word] = swapped[state[word]!]!;
  }
  return mirror;
}

export function mirrorMask(mask: number, axis: Axis): number {
  return axis === 'left-right'
    ? (mask & ~12) | ((mask & 4) << 1) | ((mask & 8) >> 1)
    : (mask & ~3) | ((mask & 1) << 1) | ((mask & 2) >> 1);
}

/** What two equal worlds agree in: everything but the sound and the order of the plums and drops in their tables. */
export function essence(state: Int32Array): unknown {
  const rows = (count: number, at: (index: number) => number, words: number): string[] =>
    Array.from({ length: count }, (_, i) => state.subarray(at(i), at(i) + words).join()).sort();
  const flies = Array.from({ length: state[WORD.players]! }, (_, player) => {
    const fly = Array.from(state.subarray(flyAt(player), flyAt(player) + FLY_WORDS));
    fly[FLY.carrying] = fly[FLY.carrying] === NOBODY ? 0 : 1;
    return fly;
  });
  return {
    header: [...state.subarray(0, WORD.cues + 1), ...state.subarray(WORD.roundWinners, WORD.roundWinners + 10)],
    flies,
    plums: rows(MAX_FRUIT, fruitAt, FRUIT.carrier + 1),
    drops: rows(MAX_NECTAR, nectarAt, NECTAR.fall + 1),
  };
}

function mirrorFacing(facing: number, axis: Axis): number {
  if (axis === 'left-right') {
    return facing === FACING.left ? FACING.right : facing === FACING.right ? FACING.left : facing;
  }
  return facing === FACING.up ? FACING.down : facing === FACING.down ? FACING.up : facing;
}
