import { expect, test } from 'vitest';
import type { Observation } from '../../../../engine/contract/environment.ts';
import type { MatchProgress, Task, TaskEvent, TaskOutcome } from '../../../../engine/contract/task.ts';
import { isFlyError } from '../../../../engine/errors.ts';
import { createMatch } from '../../../../systems/environment/arena/begin-match.ts';
import { FLY, PHASE, WORD, flyAt } from '../../../../systems/environment/arena/state-map.ts';
import { stepArena } from '../../../../systems/environment/arena/step-arena.ts';
import { REWARD_RULES } from '../../../../systems/task/arena/rewards.ts';
import { taskModule } from '../../../../systems/task/arena/task.ts';
import { createRandomPlayer } from '../../environment/arena/arena-players.ts';
import { batchOf } from '../../environment/arena/arena-controls.ts';

test('every reward has a rule, is positive, and goes to the agent whose counter rose', () => {
  const { task, step, state } = openMatch();
  const first = play(task, step, state, 5_000);
  const paid = [0, 1].map((agent) =>
    first.flatMap((outcome) => outcome.agents[agent]!.rewards.map(({ ruleId }) => ruleId)),
  );
  for (const agent of [0, 1]) {
    const fly = flyAt(agent);
    const count = (rule: string): number => paid[agent]!.filter((ruleId) => ruleId === rule).length;
    expect(count('reached')).toBe(state[fly + FLY.reached]);
    expect(count('home')).toBe(state[fly + FLY.delivered]);
    expect(count('knocked')).toBe(state[fly + FLY.knocked]);
    expect(count('round')).toBe(state[fly + FLY.roundsWon]);
  }
  for (const { value, stimulationMs } of Object.values(REWARD_RULES)) {
    expect(value).toBeGreaterThan(0);
    expect(stimulationMs).toBeGreaterThan(0);
  }
  expect(paid[0]!.length + paid[1]!.length).toBeGreaterThan(3);
});

test('rewards, stimulations and events of an agent belong together', () => {
  const { task, step, state } = openMatch();
  for (const { agents, events } of play(task, step, state, 3_000)) {
    agents.forEach(({ rewards, stimulationsMs }, agentIndex) => {
      const own = events.filter((event) => event.kind === 'reward' && event.agentIndex === agentIndex);
      expect(own.map(({ value }) => value)).toEqual(rewards.map(({ value }) => value));
      expect(stimulationsMs).toHaveLength(rewards.length);
    });
    for (const { label } of events) expect(label.length).toBeLessThanOrEqual(60);
  }
});

test('a match ends with one terminal outcome, one result and one match reward', () => {
  const { task, step, state } = openMatch();
  const outcomes = play(task, step, state, 20_000);
  expect(outcomes.filter(({ terminal }) => typeof terminal === 'string')).toHaveLength(1);
  expect(outcomes.at(-1).terminal).toMatch(/^match 1 (to [AB]|drawn), \d : \d$/);
  const progress = progressOf(outcomes.at(-1));
  const won = progress.matchesWon.reduce((sum, count) => sum + count, 0);
  expect(won + progress.matchesDrawn).toBe(1);
  const matchRewards = outcomes.flatMap(({ agents }) =>
    agents.flatMap(({ rewards }, agent) => rewards.filter(({ ruleId }) => ruleId === 'match').map(() => agent)),
  );
  expect(matchRewards).toEqual(progress.matchWinner === null ? [] : [progress.matchWinner]);
  expect(progress.attempts).toBe(1);
});

test('R5 the end of a match is paid once: not in its last steps again, nor by a ledger restored there (arena.md 6)', () => {
  const { task, step, state } = openMatch();
  const worlds = [observe(state)];
  const outcomes = play(task, step, state, 20_000, worlds);
  const ledger = task.capture() as { rewardTotal: number; matchesWon: number[] };
  expect(rulesOf(outcomes.slice(-2_000))).toContain('round');
  expect(rulesOf(outcomes.slice(-2_000))).toContain('match');

  const other = taskModule.create({ agentCount: 2, contentDigest: '' });
  other.restore(JSON.parse(JSON.stringify(ledger)));
  other.clearTransients(worlds.at(-2_001));
  const again = worlds.slice(-2_000).map((after, i) => evaluate(other, worlds.at(i - 2_001), after));
  expect(rulesOf(again)).toEqual([]);
  expect(other.capture()).toEqual(ledger);
});

test('R5 the next match keeps the results, pays nothing for what the last one showed, and its own deeds from the first on', () => {
  const { task, step, state } = openMatch();
  const before = progressOf(play(task, step, state, 20_000).at(-1));
  const restored = taskModule.create({ agentCount: 2, contentDigest: '' });
  restored.restore(structuredClone(task.capture()));
  for (const each of [task, restored]) {
    const next = createMatch(2, 2);
    const after = each.bootstrap(observe(next)).progress as MatchProgress;
    expect(after.matchesWon).toEqual(before.matchesWon);
    expect([after.matchNumber, after.roundNumber, after.rank]).toEqual([2, 1, -1]);
    const quiet = play(each, () => Int32Array.of(0, 0), next, 100);
    expect(rulesOf(quiet)).toEqual([]);
    expect(progressOf(quiet.at(-1)).rewardTotal).toBe(before.rewardTotal);
    const world = observe(next);
    next[flyAt(1) + FLY.reached] = 1; // the first plum of match 2; match 1 had more
    expect(evaluate(each, world, observe(next)).agents.map(({ rewards }) => rewards)).toEqual([
      [],
      [{ ruleId: 'reached', value: 0.5 }],
    ]);
    expect(rulesOf([evaluate(each, observe(next), observe(next))])).toEqual([]);
  }
});

test('R5 a match that is met half way or at its end was earned before and is not paid (arena.md 6)', () => {
  const { task, step, state } = openMatch(2);
  for (const steps of [3_000, 20_000]) {
    expect(rulesOf(play(task, step, state, steps)).length).toBeGreaterThan(0);
    const met = observe(state);
    for (const adopt of ['bootstrap', 'clearTransients'] as const) {
      const other = taskModule.create({ agentCount: 2, contentDigest: '' });
      other[adopt](met);
      expect(rulesOf([evaluate(other, met, met)])).toEqual([]);
      expect((other.capture() as { matchesWon: number[] }).matchesWon).toEqual([0, 0]);
    }
  }
  expect(state[WORD.phase]).toBe(PHASE.over);
});

test('progress names sides, clock, rounds and ids', () => {
  const { task } = openMatch();
  const progress = task.bootstrap(observe(createMatch(2, 1))).progress as MatchProgress;
  expect(progress).toMatchObject({
    schema: 'match.progress.v1',
    matchId: 'match-0001',
    roundId: 'match-0001-r1',
    roundNumber: 1,
    roundCount: 5,
    roundsToWin: 3,
    phase: 'intro',
    secondsLeft: 40,
    sidesSwapNext: true,
    roundWinner: null,
    matchWinner: null,
    rounds: [],
    playing: false,
    rank: -1,
  });
  expect(progress.players.map(({ letter, side, portId }) => [letter, side, portId])).toEqual([
    ['A', 'left', 'player-1'],
    ['B', 'right', 'player-2'],
  ]);
});

test('an agent may play on another port than its place in the list: what is paid follows the port', () => {
  const { task, state } = openMatch();
  const before = observe(state);
  state[flyAt(1) + FLY.delivered] = 1;
  const applied = [...batchOf(0, 0).ports].reverse();
  const outcome = task.evaluate({ before, after: observe(state), applied, brainMs: [0, 0] });
  expect(outcome.agents.map(({ rewards }) => rewards.length)).toEqual([1, 0]);
  expect(progressOf(outcome).players[0]!.portId).toBe('player-2');
  expect(outcome.events[0]).toMatchObject({ label: 'B brought a plum home', agentIndex: 0 });
});

test('two players who do the same at once are both paid', () => {
  const { task, state } = openMatch();
  const before = observe(state);
  for (const player of [0, 1]) state[flyAt(player) + FLY.knocked] = 1;
  const outcome = task.evaluate({ before, after: observe(state), applied: batchOf(0, 0).ports, brainMs: [0, 0] });
  expect(outcome.agents.map(({ rewards }) => rewards)).toEqual([
    [{ ruleId: 'knocked', value: 0.25 }],
    [{ ruleId: 'knocked', value: 0.25 }],
  ]);
});

test('a restored ledger does not pay again for a world that was set back', () => {
  const { task, state } = openMatch();
  const before = observe(state);
  state[flyAt(0) + FLY.reached] = 1;
  const after = observe(state);
  const input = { before, after, applied: batchOf(0, 0).ports, brainMs: [0, 0] };
  expect(task.evaluate(input).agents[0]!.rewards).toHaveLength(1);
  const ledger = JSON.parse(JSON.stringify(task.capture())) as unknown;
  const other = taskModule.create({ agentCount: 2, contentDigest: '' });
  other.restore(ledger);
  other.clearTransients(before);
  expect(other.evaluate(input).agents[0]!.rewards).toHaveLength(0);
  expect(other.capture()).toEqual(ledger);
});

test('a damaged ledger is refused and nothing changes', () => {
  const { task } = openMatch();
  const kept = task.capture();
  for (const value of [null, {}, { ...(kept as object), matchesWon: [1] }, { ...(kept as object), extra: 1 }]) {
    expect(codeOf(() => task.restore(value))).toBe('TASK_STATE');
  }
  expect(task.capture()).toEqual(kept);
});

test('the blocked window hears of cells only while a fly can move, and boot never holds', () => {
  const { task, step, state } = openMatch();
  expect(task.bootstrap(observe(state)).contexts[0]).toEqual({ boot: false, bound: [], location: null });
  const outcomes = play(task, step, state, 400);
  expect(state[WORD.phase]).toBe(PHASE.play);
  const { location } = outcomes.at(-1).contexts[1]!;
  expect(location!.area).toBe(1);
  expect(location!.x).toBeGreaterThanOrEqual(0);
  expect(location!.x).toBeLessThan(18);
});

test('one fly or five are no match; four in the corners have a show of their own', () => {
  for (const agentCount of [1, 5]) {
    expect(codeOf(() => taskModule.create({ agentCount, contentDigest: '' }))).toBe('TASK_AGENTS');
  }
  const task = taskModule.create({ agentCount: 4, contentDigest: '' });
  const { players } = task.bootstrap(observe(createMatch(4, 1))).progress as MatchProgress;
  expect(players.map(({ side }) => side)).toEqual(['top left', 'top right', 'bottom right', 'bottom left']);
  for (const { wordmark } of [2, 4].map((agents) => taskModule.presentationFor!(agents))) {
    expect(wordmark.length).toBeLessThanOrEqual(30); // show.md 2, rule 19
  }
});

test('rounds, sudden death and results are told in words', () => {
  const told: TaskEvent[] = [];
  for (let match = 1; match <= 4; match++) {
    const { task, step, state } = openMatch(match);
    for (const { events } of play(task, step, state, 20_000)) told.push(...events);
  }
  const labels = told.map(({ label }) => label);
  expect(labels.some((label) => /^round \d to [AB], \d+ s$/.test(label))).toBe(true);
  expect(labels).toContain('round 2: A right, B left');
  expect(labels).toContain('level: sudden death, the next plum wins');
  expect(labels.some((label) => /^match \d to [AB], \d : \d$/.test(label))).toBe(true);
});

type Match = { readonly task: Task; readonly state: Int32Array; readonly step: () => Int32Array };

function openMatch(matchNumber = 1): Match {
  const task = taskModule.create({ agentCount: 2, contentDigest: '' });
  const state = createMatch(2, matchNumber);
  const players = [createRandomPlayer(matchNumber), createRandomPlayer(matchNumber + 7)];
  task.bootstrap(observe(state));
  return { task, state, step: () => Int32Array.from(players, (player, i) => player.buttons(state, i)) };
}

/** Plays up to so many steps or to the end of the match. @param worlds gets every boundary */
function play(
  task: Task,
  step: () => Int32Array,
  state: Int32Array,
  steps: number,
  worlds: Observation[] = [],
): TaskOutcome[] {
  const outcomes: TaskOutcome[] = [];
  for (let i = 0; i < steps && state[WORD.phase] !== PHASE.over; i++) {
    const before = observe(state);
    const masks = step();
    stepArena(state, masks);
    const after = observe(state);
    worlds.push(after);
    outcomes.push(task.evaluate({ before, after, applied: batchOf(...masks).ports, brainMs: [i, i] }));
  }
  return outcomes;
}

function observe(state: Int32Array): Observation {
  return { engineFrame: '0', views: [], audio: [], inspection: new Uint8Array(state.slice().buffer) };
}

function evaluate(task: Task, before: Observation, after: Observation): TaskOutcome {
  return task.evaluate({ before, after, applied: batchOf(0, 0).ports, brainMs: [0, 0] });
}

/** Every reward of both agents. */
function rulesOf(outcomes: readonly TaskOutcome[]): string[] {
  return outcomes.flatMap(({ agents }) => agents.flatMap(({ rewards }) => rewards.map(({ ruleId }) => ruleId)));
}

function progressOf(outcome: TaskOutcome): MatchProgress {
  return outcome.progress as MatchProgress;
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isFlyError(error)) return error.code;
    throw error;
  }
  return 'nothing thrown';
}
