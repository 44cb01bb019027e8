import { expect, test } from 'vitest';
import type { Task, TaskOutcome } from '../../../../engine/contract/task.ts';
import { CARTRIDGE_DIGEST } from '../../../../systems/task/windfall/cartridge.ts';
import { ROLLBACKS_LIFETIME, ROLLBACKS_PER_RUNG, STALL_MS } from '../../../../systems/task/windfall/recovery.ts';
import { taskModule } from '../../../../systems/task/windfall/task.ts';
import { observe } from './windfall-memory.ts';
import type { Scene } from './windfall-memory.ts';

type Player = { readonly task: Task; show(scene: Scene, nowMs?: number): TaskOutcome };

function play(): Player {
  const task = taskModule.create({ agentCount: 1, contentDigest: CARTRIDGE_DIGEST });
  let before = observe({ mode: 'title' });
  let clockMs = 0;
  task.bootstrap(before);
  return {
    task,
    show(scene, nowMs) {
      clockMs = nowMs ?? clockMs + 17;
      const after = observe(scene);
      const outcome = task.evaluate({ before, after, applied: [], brainMs: [clockMs] });
      before = after;
      return outcome;
    },
  };
}

test('the title is not play: pulses use their boot values until the fly is in an orchard', () => {
  const { task, show } = play();
  expect(task.bootstrap(observe({ mode: 'title' })).contexts).toEqual([{ boot: true, bound: [], location: null }]);
  expect(show({ mode: 'intro' }).contexts[0]!.boot).toBe(true);
  const playing = show({ column: 9, orchard: 1 });
  expect(playing.contexts[0]).toMatchObject({ boot: false, location: { area: 1, x: 9, y: 10 } });
  expect(playing.progress).toMatchObject({ playing: true, mode: 'in the orchard' });
  expect(show({ mode: 'caught' }).progress).toMatchObject({ playing: false, mode: 'caught' });
});

test('rewards and pulses are paired in catalogue order and add up in the progress', () => {
  const { show } = play();
  show({});
  const outcome = show({ column: 9, eaten: [1] });
  expect(outcome.agents).toEqual([
    {
      rewards: [
        { ruleId: 'ground', value: 0.05 },
        { ruleId: 'fruit', value: 0.1 },
      ],
      stimulationsMs: [80, 100],
    },
  ]);
  expect(outcome.progress.rewardTotal).toBeCloseTo(1.15);
  expect(outcome.progress.facts.map(({ text }) => text)).toEqual(['0/8', '2 places']);
});

test('a picture taken mid-update changes nothing', () => {
  const { show } = play();
  const before = show({ column: 20 }).progress;
  const outcome = show({ column: 200, busy: 1 });
  expect(outcome.agents[0]!.rewards).toEqual([]);
  expect(outcome.progress).toEqual(before);
});

test('a slot is saved when the rank rises, only while the fly is safe', () => {
  const { show } = play();
  expect(show({ hurtTimer: 40 }).saveSlot).toBeNull();
  expect(show({ hurtTimer: 0 }).saveSlot).toBe('best');
  expect(show({ column: 20 }).saveSlot).toBeNull();
  expect(show({ column: 20, eaten: [1], hurtTimer: 3 }).saveSlot).toBeNull();
  expect(show({ column: 21, eaten: [1] }).saveSlot).toBe('best');
});

test('being caught counts a try and is said without a penalty', () => {
  const { show } = play();
  show({});
  const outcome = show({ mode: 'caught', hearts: 0, deaths: 1 });
  expect(outcome.events).toMatchObject([{ kind: 'system', label: 'caught, nothing is lost', value: null }]);
  expect(outcome.agents[0]!.rewards).toEqual([]);
  expect(outcome.progress.attempts).toBe(1);
});

test('a stall asks for the best slot three times a rung, then lets the fly be', () => {
  const { show, task } = play();
  show({}, 0);
  expect(show({}, STALL_MS - 1).rollback).toBeNull();
  let nowMs = STALL_MS;
  for (let i = 0; i < ROLLBACKS_PER_RUNG; i++) {
    expect(show({}, nowMs).rollback).toEqual({ slotId: 'best', trigger: 'stall' });
    task.clearTransients(observe({}));
    expect(show({}, nowMs + 1).rollback).toBeNull();
    nowMs += STALL_MS;
  }
  expect(show({}, nowMs).rollback).toBeNull();
  // a higher rank renews the budget of its own rung
  expect(show({ eaten: [1] }, nowMs + 1).saveSlot).toBe('best');
  expect(show({ eaten: [1] }, nowMs + 2).rollback).toEqual({ slotId: 'best', trigger: 'stall' });
});

test('the lifetime budget ends every rollback', () => {
  const { show, task } = play();
  show({});
  const ledger = task.capture() as { recovery: { lifetime: number } };
  ledger.recovery.lifetime = ROLLBACKS_LIFETIME;
  task.restore(ledger);
  show({}, 0);
  expect(show({}, STALL_MS * 2).rollback).toBeNull();
});

test('new ground restarts the stall clock', () => {
  const { show } = play();
  show({}, 0);
  show({ column: 30 }, STALL_MS - 10);
  expect(show({ column: 30 }, STALL_MS + 10).rollback).toBeNull();
});

test('a captured ledger survives JSON and continues to know what was paid', () => {
  const first = play();
  first.show({});
  first.show({ column: 70, section: 1, eaten: [255] });
  const saved: unknown = JSON.parse(JSON.stringify(first.task.capture()));
  const second = play();
  second.task.restore(saved);
  second.task.clearTransients(observe({ column: 70, section: 1, eaten: [255] }));
  expect(second.task.capture()).toEqual(first.task.capture());
  expect(second.show({ column: 71, section: 1, eaten: [255] }).agents[0]!.rewards).toEqual([]);
});

test.each([
  ['nothing', null],
  ['another version', { version: 2 }],
  ['an unknown key', { ...validLedger(), extra: 1 }],
  ['a negative total', { ...validLedger(), rewardTotal: -1 }],
  ['a ladder of another length', { ...validLedger(), earned: [true] }],
  ['a place outside the eight orchards', { ...validLedger(), bands: { '0:9': 1 } }],
])('a ledger with %s is refused and nothing has changed', (_name, ledger) => {
  const { task, show } = play();
  show({ column: 33 });
  const before = task.capture();
  expect(() => task.restore(ledger)).toThrow(expect.objectContaining({ code: 'TASK_STATE' }) as Error);
  expect(task.capture()).toEqual(before);
});

function validLedger(): object {
  return play().task.capture() as object;
}

test('starting on a world that is already deep pays nothing for the way there', () => {
  const task = taskModule.create({ agentCount: 1, contentDigest: CARTRIDGE_DIGEST });
  const deep = observe({ orchard: 3, cleared: 3, column: 150, section: 2, eaten: [15] });
  const view = task.bootstrap(deep);
  expect(view.progress).toMatchObject({ rewardTotal: 0, rank: 9 });
  const outcome = task.evaluate({ before: deep, after: deep, applied: [], brainMs: [17] });
  expect(outcome.agents[0]!.rewards).toEqual([]);
});

test('another cartridge and a second player are refused', () => {
  expect(() => taskModule.create({ agentCount: 1, contentDigest: 'ab' })).toThrow(
    expect.objectContaining({ code: 'TASK_CONTENT' }) as Error,
  );
  expect(() => taskModule.create({ agentCount: 2, contentDigest: CARTRIDGE_DIGEST })).toThrow(
    expect.objectContaining({ code: 'TASK_AGENTS' }) as Error,
  );
});

test('wordmark and disclosures are plain: upper case ASCII, whole sentences, no exclamation', () => {
  const { wordmark, disclosures } = taskModule.presentation;
  expect(wordmark).toMatch(/^[A-Z ]{1,30}$/);
  for (const sentence of disclosures) expect(sentence).toMatch(/^[A-Z][^!]*\.$/);
});
