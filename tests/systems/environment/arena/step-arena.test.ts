import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginRound, createMatch, seatOf } from '../../../../systems/environment/arena/begin-match.ts';
import {
  FUMBLE_STEPS,
  ROUND_STEPS,
  SCORE_TO_WIN,
  STUCK_AFTER,
  UNIT,
  twigsFor,
} from '../../../../systems/environment/arena/rules.ts';
import {
  BUTTON,
  DRAWN,
  FLY,
  FRUIT,
  FRUIT_STATE,
  NOBODY,
  PHASE,
  WORD,
  flyAt,
  fruitAt,
} from '../../../../systems/environment/arena/state-map.ts';
import { secondsLeft, stepArena } from '../../../../systems/environment/arena/step-arena.ts';
import { createRandomPlayer } from './arena-players.ts';
import { playMatch } from './arena-match.ts';
import { essence, mirrorMask, mirrorState, swappedPlayers } from './mirror-state.ts';

const idle = new Int32Array(4);

test('a mirrored duel with its players swapped is the same match, step by step, to its end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer(), fc.integer(), (matchNumber, one, two) => {
      const state = createMatch(2, matchNumber);
      const mirror = mirrorState(state, 'left-right');
      const players = [createRandomPlayer(one), createRandomPlayer(two)];
      const buttons = new Int32Array(2);
      const mirrored = new Int32Array(2);
      while (state[WORD.phase] !== PHASE.over) {
        for (let i = 0; i < 2; i++) {
          buttons[i] = players[i]!.buttons(state, i);
          mirrored[1 - i] = mirrorMask(buttons[i]!, 'left-right');
        }
        stepArena(state, buttons);
        stepArena(mirror, mirrored);
        if (state[WORD.step]! % 61 === 0) expect(essence(mirror)).toEqual(essence(mirrorState(state, 'left-right')));
      }
      expect(essence(mirror)).toEqual(essence(mirrorState(state, 'left-right')));
    }),
    { numRuns: 5 },
  );
});

test.each(['left-right', 'top-bottom'] as const)('a round of four is the same in a mirror, %s', (axis) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer(), (matchNumber, seed) => {
      const state = createMatch(4, matchNumber);
      const mirror = mirrorState(state, axis);
      const swapped = swappedPlayers(state, axis);
      const players = [0, 1, 2, 3].map((i) => createRandomPlayer(seed + i));
      const buttons = new Int32Array(4);
      const mirrored = new Int32Array(4);
      while (state[WORD.phase]! < PHASE.roundOver) {
        for (let i = 0; i < 4; i++) {
          buttons[i] = players[i]!.buttons(state, i);
          mirrored[swapped[i]!] = mirrorMask(buttons[i]!, axis);
        }
        stepArena(state, buttons);
        stepArena(mirror, mirrored);
        if (state[WORD.step]! % 61 === 0) expect(essence(mirror)).toEqual(essence(mirrorState(state, axis)));
      }
      expect(essence(mirror)).toEqual(essence(mirrorState(state, axis)));
    }),
    { numRuns: 5 },
  );
});

test('sides change after every round, and the next match begins on the other side', () => {
  const sides = [1, 2].map((match) => [1, 2, 3, 4, 5].map((round) => seatOf(match, round, 0, 2)));
  expect(sides).toEqual([
    [0, 1, 0, 1, 0],
    [1, 0, 1, 0, 1],
  ]);
});

test('a round lasts 40 s of the Game Boy clock and shows whole seconds, rounded up', () => {
  const state = createMatch(2, 1);
  expect(secondsLeft(state)).toBe(40);
  expect((ROUND_STEPS * 70_224) / 4_194_304).toBeCloseTo(40, 1);
});

test('nobody can move before the plum of the round lies there', () => {
  const state = createMatch(2, 1);
  const start = state[flyAt(0) + FLY.x]!;
  while (state[WORD.phase] === PHASE.intro) stepArena(state, Int32Array.of(BUTTON.right, BUTTON.left));
  expect(state[flyAt(0) + FLY.x]).toBe(start);
  expect(state[fruitAt(0) + FRUIT.state]).toBe(FRUIT_STATE.loose);
});

test('a fly that walks to the plum and back home scores, and reached it first once', () => {
  const state = playing(2);
  const right = Int32Array.of(BUTTON.right, 0);
  const left = Int32Array.of(BUTTON.left, 0);
  run(state, right, () => state[flyAt(0) + FLY.carrying] !== NOBODY);
  run(state, left, () => state[flyAt(0) + FLY.score] === 1);
  expect([state[flyAt(0) + FLY.reached], state[flyAt(0) + FLY.delivered], state[flyAt(0) + FLY.carrying]]).toEqual([
    1,
    1,
    NOBODY,
  ]);
});

test('two flies as near to a plum as each other do not get it', () => {
  const state = playing(2);
  state[flyAt(0) + FLY.x] = -12 * UNIT;
  state[flyAt(1) + FLY.x] = 12 * UNIT;
  stepArena(state, idle);
  expect(state[fruitAt(0) + FRUIT.state]).toBe(FRUIT_STATE.loose);
  state[flyAt(1) + FLY.x] = 11 * UNIT;
  stepArena(state, idle);
  expect(state[fruitAt(0) + FRUIT.carrier]).toBe(1);
});

test('a dash into a fly with a plum stuns it and shakes the plum loose, and the striker gets the credit', () => {
  const state = playing(2);
  state[flyAt(1) + FLY.x] = 0;
  stepArena(state, idle);
  expect(state[flyAt(1) + FLY.carrying]).not.toBe(NOBODY);
  run(state, Int32Array.of(BUTTON.right | BUTTON.a, 0), () => state[flyAt(1) + FLY.stun]! > 0);
  expect(state[flyAt(1) + FLY.carrying]).toBe(NOBODY);
  expect(state[flyAt(1) + FLY.fumble]).toBe(FUMBLE_STEPS);
  expect(state[flyAt(0) + FLY.knocked]).toBe(1);
});

test('two dashes into each other stun both', () => {
  const state = playing(2);
  state[fruitAt(0) + FRUIT.y] = 50 * UNIT;
  run(
    state,
    Int32Array.of(BUTTON.right | BUTTON.a, BUTTON.left | BUTTON.a),
    () => state[flyAt(0) + FLY.stun]! > 0 || state[flyAt(1) + FLY.stun]! > 0,
  );
  expect(state[flyAt(0) + FLY.stun]).toBe(state[flyAt(1) + FLY.stun]);
  expect(state[flyAt(0) + FLY.x]).toBe(-state[flyAt(1) + FLY.x]!);
});

test('a gust takes the plum from a carrier but does not stun it', () => {
  const state = playing(2);
  state[flyAt(1) + FLY.x] = 0;
  state[flyAt(0) + FLY.x] = -28 * UNIT;
  stepArena(state, idle);
  stepArena(state, Int32Array.of(BUTTON.b, 0));
  expect(state[flyAt(1) + FLY.carrying]).toBe(NOBODY);
  expect(state[flyAt(1) + FLY.stun]).toBe(0);
  expect(state[flyAt(1) + FLY.vx]).toBeGreaterThan(0);
});

test('a fly never stands in a twig or in the hedge, whatever is pressed', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      playMatch([createRandomPlayer(seed), createRandomPlayer(seed + 1)], 1, (state) => {
        for (let player = 0; player < 2; player++) {
          const x = state[flyAt(player) + FLY.x]!;
          const y = state[flyAt(player) + FLY.y]!;
          const isInside =
            Math.abs(x) > 60 * UNIT ||
            Math.abs(y) > 52 * UNIT ||
            twigsFor(2).some((twig) => Math.abs(x - twig.x) < twig.halfWidth && Math.abs(y - twig.y) < twig.halfHeight);
          if (isInside) throw new Error(`player ${player} at ${x}, ${y} in step ${state[WORD.step]!}`);
        }
      });
    }),
    { numRuns: 5 },
  );
});

test('start and select do nothing, and opposite directions cancel', () => {
  const state = playing(2);
  const twin = state.slice();
  stepArena(state, Int32Array.of(64 | 128 | BUTTON.left | BUTTON.right, 0));
  stepArena(twin, idle);
  twin[flyAt(0) + FLY.buttons] = state[flyAt(0) + FLY.buttons]!;
  expect(state).toEqual(twin);
});

test('the score that wins a round ends it at once when one fly alone has it', () => {
  const state = playing(2);
  state[flyAt(0) + FLY.score] = SCORE_TO_WIN;
  state[flyAt(1) + FLY.score] = SCORE_TO_WIN;
  stepArena(state, idle);
  expect(state[WORD.phase]).toBe(PHASE.play);
  state[flyAt(1) + FLY.score] = SCORE_TO_WIN - 1;
  stepArena(state, idle);
  expect([state[WORD.phase], state[WORD.roundWinner]]).toEqual([PHASE.roundOver, 0]);
});

test('a level round goes to sudden death with everybody back in place and one plum', () => {
  const state = playing(2);
  state[flyAt(0) + FLY.x] = 0;
  stepArena(state, idle);
  state[WORD.clock] = 1;
  stepArena(state, idle);
  expect(state[WORD.phase]).toBe(PHASE.suddenIntro);
  expect(state[flyAt(0) + FLY.x]).toBe(-state[flyAt(1) + FLY.x]!);
  run(state, idle, () => state[WORD.phase] === PHASE.sudden);
  run(state, idle, () => state[WORD.phase] === PHASE.roundOver);
  expect(state[WORD.roundWinner]).toBe(DRAWN);
});

test('sudden death that runs out goes to the fly that has the plum', () => {
  const state = playing(2);
  state[WORD.clock] = 1;
  stepArena(state, idle);
  run(state, idle, () => state[WORD.phase] === PHASE.sudden);
  run(state, Int32Array.of(0, BUTTON.left), () => state[flyAt(1) + FLY.carrying] !== NOBODY);
  state[WORD.clock] = 1;
  stepArena(state, idle);
  expect(state[WORD.roundWinner]).toBe(1);
});

test('in sudden death only the leaders may take the plum', () => {
  const state = playing(4);
  state[flyAt(0) + FLY.score] = 2;
  state[flyAt(1) + FLY.score] = 2;
  state[WORD.clock] = 1;
  stepArena(state, idle);
  run(state, idle, () => state[WORD.phase] === PHASE.sudden);
  state[flyAt(2) + FLY.x] = 0;
  state[flyAt(2) + FLY.y] = 0;
  stepArena(state, idle);
  expect(state[flyAt(2) + FLY.carrying]).toBe(NOBODY);
});

test('a stuck round gets a wind that brings the plum, and ends before its clock when even that does not help', () => {
  const state = playing(2);
  state[flyAt(0) + FLY.x] = -30 * UNIT; // the nearer one, and not at home
  state[WORD.quiet] = STUCK_AFTER / 2;
  const blown = state.slice();
  run(blown, idle, () => blown[flyAt(0) + FLY.carrying] !== NOBODY);
  expect(blown[WORD.quiet]).toBe(0);
  state[WORD.quiet] = STUCK_AFTER - 1;
  stepArena(state, idle);
  expect(state[WORD.phase]).toBe(PHASE.suddenIntro);
});

test('every match ends, after three to five rounds, whoever plays', () => {
  for (const players of [2, 3, 4]) {
    for (let match = 1; match <= 2; match++) {
      const crew = Array.from({ length: players }, (_, i) => createRandomPlayer(100 * match + i));
      const { rounds, winner } = playMatch(crew, match);
      expect(rounds.length).toBeGreaterThanOrEqual(3);
      expect(rounds.length).toBeLessThanOrEqual(5);
      expect(winner).not.toBe(NOBODY);
    }
  }
  const still = { name: 'still', buttons: () => 0 };
  expect(playMatch([still, still], 1).winner).toBe(DRAWN);
});

test('a random player with holds of 0.8 s brings plums home', () => {
  let plums = 0;
  let rounds = 0;
  for (let match = 1; match <= 8; match++) {
    const played = playMatch([createRandomPlayer(match), createRandomPlayer(match + 50)], match);
    rounds += played.rounds.length;
    for (const { scores } of played.rounds) for (const score of scores) plums += score;
  }
  expect(plums / rounds).toBeGreaterThan(1.5);
});

function playing(players: number): Int32Array {
  const state = createMatch(players, 1);
  beginRound(state, 1);
  run(state, idle, () => state[WORD.phase] === PHASE.play);
  return state;
}

function run(state: Int32Array, buttons: Int32Array, until: () => boolean): void {
  for (let i = 0; i < 2_000; i++) {
    stepArena(state, buttons);
    if (until()) return;
  }
  throw new Error('it did not happen within 2,000 steps');
}
