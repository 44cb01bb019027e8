import { expect, test } from 'vitest';
import type { Environment } from '../../engine/contract/environment.ts';
import type { Task } from '../../engine/contract/task.ts';
import { DeviceError } from '../../engine/errors.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { stateOf } from '../fixture/match-state.ts';
import { saveNow } from '../fixture/match-store.ts';
import { openTestMatch } from '../fixture/test-match.ts';
import type { TestMatch, TestMatchOptions } from '../fixture/test-match.ts';

// The faults of session.md 25 that a session must survive, each injected once. What a fault must not change is the
// match: afterwards it is the one that was never interrupted.

const open = closedAfterEach(openTestMatch);

test('failure injection: duplicate prepare is refused before a second tick', async () => {
  const match = await open({ flies: 2, changeSchedule: twice('advanceBrains') });
  const ticks = match.world.handles.brains.map((brain) => brain.ticks());
  await expect(match.run(1)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(match.world.handles.brains.map((brain, i) => brain.ticks() - ticks[i]!)).toEqual([16, 16]);
  expect(match.environment.tally.advances).toBe(0);
});

test('failure injection: same batch altered is refused before the world sees it', async () => {
  const match = await open({
    flies: 2,
    changeSchedule: (schedule) =>
      schedule.flatMap((entry) => {
        if (entry.name !== 'advanceEnvironment') return [entry];
        const again = (world: SessionWorld): void | Promise<void> => {
          const { batchId, ports } = world.transition.batch!;
          const altered = ports.map((port) => ({ ...port, buttons: port.buttons.map((isDown) => !isDown) }));
          world.transition.batch = { batchId, ports: altered };
          return entry.run(world);
        };
        return [entry, { ...entry, name: 'advanceAltered', run: again }];
      }),
  });
  await expect(match.run(1)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(match.environment.batches.map(({ batchId }) => batchId)).toEqual(['batch-e1-0']);
});

test('failure injection: advance result lost after the world moved: no second batch, no reward twice', async () => {
  const whole = await uninterrupted(2, 90);
  const match = await open({ flies: 2, recovery: {} });
  await match.run(40);
  await saveNow(match);
  await match.run(20);
  const evaluated = countCalls(match.world.handles.task, 'evaluate');
  once(match.environment, 'advance', async (advance, batch) => {
    await advance(batch);
    throw new DeviceError('ENVIRONMENT_DEAD', 'the answer was lost');
  });
  const before = match.environment.tally.advances;
  await match.run(30);
  expect(stateOf(match)).toEqual(whole);
  const asked = match.environment.batches.map(({ batchId }) => batchId);
  expect(new Set(asked).size).toBe(asked.length); // the lost batch was never sent again, under no name of its epoch
  expect(asked.filter((id) => id.startsWith('batch-e1-')).at(-1)).toBe('batch-e1-60');
  expect(match.environment.tally.advances - before).toBe(1 + 50);
  expect(evaluated()).toBe(50); // what came of the lost step was never judged
});

test('failure injection: backend restarts mid-advance: the group goes back as a whole', async () => {
  const whole = await uninterrupted(4, 70);
  const match = await open({ flies: 4, recovery: {} });
  await match.run(30);
  await saveNow(match);
  await match.run(10);
  once(match.environment, 'advance', async (advance, batch) => {
    match.environment.die('signal SIGSEGV');
    return advance(batch);
  });
  await match.run(30);
  expect(stateOf(match)).toEqual(whole);
  expect(match.lifecycle.find((event) => event.kind === 'failed')).toMatchObject({ blamed: 'counter', step: 40n });
});

test('failure injection: one commit fails after another succeeded: nothing is shown, both flies return to one boundary', async () => {
  const whole = await uninterrupted(2, 90);
  const rewarded: string[] = [];
  let isBroken = false;
  const match = await open({
    flies: 2,
    recovery: {},
    wrapBrain: (brain) => ({
      ...brain,
      reinforce(sum) {
        if (isBroken && brain.agentId === 'fly-b') {
          isBroken = false;
          throw new DeviceError('BRAIN_DEAD', 'fly-b: gone');
        }
        brain.reinforce(sum);
        rewarded.push(`${match.world.phase.epoch} ${match.world.phase.step} ${brain.agentId}`);
      },
    }),
  });
  await match.run(40);
  await saveNow(match);
  await match.run(20);
  const shown = published(match);
  isBroken = true;
  await match.run(30);
  expect(rewarded).toContain('e1 60 fly-a'); // one had committed
  expect(rewarded).not.toContain('e1 60 fly-b');
  expect(shown[0]).toBe('e2 41');
  expect(shown).not.toContain('e1 61');
  expect(match.lifecycle.find((event) => event.kind === 'failed')).toMatchObject({ blamed: 'fly-b', step: 60n });
  expect(stateOf(match)).toEqual(whole);
});

test('failure injection: task throws after it changed its ledger: judged once, the ledger is put back', async () => {
  const whole = await uninterrupted(2, 90);
  const judged: string[] = [];
  let isBroken = false;
  const match = await open({
    flies: 2,
    recovery: {},
    task: (task) => ({
      ...task,
      evaluate(input) {
        judged.push(`${match.world.phase.epoch} ${match.world.phase.step}`);
        const outcome = task.evaluate(input);
        if (!isBroken) return outcome;
        isBroken = false;
        task.restore({ rewardTotal: 1_000_000, best: 29 }); // the worst a half-done judgement can leave
        throw new Error('the task is broken');
      },
    }),
  });
  await match.run(40);
  await saveNow(match);
  await match.run(20);
  isBroken = true;
  await match.run(30);
  expect(judged.filter((at) => at === 'e1 60')).toHaveLength(1);
  expect(judged.filter((at) => at === 'e2 60')).toHaveLength(1);
  expect(stateOf(match)).toEqual(whole);
  expect(match.lifecycle.find((event) => event.kind === 'failed')).toMatchObject({ blamed: null, step: 60n });
});

test('failure injection: backend waits for input while a capture is asked: it is taken at the next boundary', async () => {
  const match = await open({ flies: 2 });
  await match.run(5);
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  let isAdvancing = false;
  once(match.environment, 'advance', async (advance, batch) => {
    isAdvancing = true;
    await gate;
    const observation = await advance(batch);
    isAdvancing = false;
    return observation;
  });
  const captured: string[] = [];
  const capture = match.environment.capture.bind(match.environment);
  match.environment.capture = () => {
    captured.push(`${match.world.phase.name} ${match.world.phase.step} ${isAdvancing}`);
    return capture();
  };
  const running = match.run(2);
  await turn();
  match.world.commands.push({ kind: 'capture', by: 'operator' });
  await turn();
  expect([match.world.phase.name, captured]).toEqual(['applying', []]);
  release();
  await running;
  expect(captured).toEqual(['capturing 7 false']); // heard at Ready(6), taken at the boundary of that transition
});

test('failure injection: old participant answers after restore: the answer reaches nobody', async () => {
  const whole = await uninterrupted(2, 90);
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const old: Promise<unknown>[] = [];
  let isLost = false;
  const match = await open({
    flies: 2,
    recovery: {},
    wrapBrain: (brain, i) => ({
      ...brain,
      advance(ticks) {
        if (!isLost || i === 0) return brain.advance(ticks);
        isLost = false;
        old.push(gate.then(() => brain.advance(ticks)).catch((error: unknown) => error));
        return Promise.reject(new DeviceError('BRAIN_DEAD', 'fly-b: silent'));
      },
    }),
  });
  await match.run(40);
  await saveNow(match);
  await match.run(20);
  isLost = true;
  await match.run(10);
  release();
  expect(await Promise.all(old)).toMatchObject([{ code: 'BRAIN_CLOSED' }]);
  await match.run(20);
  expect(stateOf(match)).toEqual(whole);
});

test('failure injection: viewer holds output forever: no step waits, what it loses is counted', async () => {
  const whole = await uninterrupted(2, 60);
  const match = await open({ flies: 2 });
  const { publisher } = match.devices;
  let sent = 0;
  publisher.addReader({ send: () => (sent += 1), pendingBytes: () => Infinity, close: () => undefined });
  await match.run(60);
  expect(stateOf(match)).toEqual(whole);
  expect([publisher.published, publisher.losses().snapshots, sent]).toEqual([60, 60, 0]);
});

async function uninterrupted(flies: number, transitions: number): Promise<unknown> {
  const match = await open({ flies });
  await match.run(transitions);
  return stateOf(match);
}

function twice(name: string): NonNullable<TestMatchOptions['changeSchedule']> {
  return (schedule) => schedule.flatMap((entry) => (entry.name === name ? [entry, entry] : [entry]));
}

/** Replaces one method for its next call alone. */
function once(
  target: Environment,
  name: 'advance',
  change: (
    original: Environment['advance'],
    ...input: Parameters<Environment['advance']>
  ) => ReturnType<Environment['advance']>,
): void {
  const original = target[name].bind(target);
  target[name] = (...input) => {
    target[name] = original;
    return change(original, ...input);
  };
}

function countCalls(task: Task, name: 'evaluate'): () => number {
  let calls = 0;
  const original = task[name].bind(task);
  task[name] = (input) => {
    calls += 1;
    return original(input);
  };
  return () => calls;
}

/** Epoch and boundary of whatever is published from now on. */
function published({ devices: { publisher } }: TestMatch): string[] {
  const shown: string[] = [];
  const publish = publisher.publish.bind(publisher);
  publisher.publish = (snapshot, attachments) => {
    shown.push(`${snapshot.epoch} ${snapshot.step}`);
    publish(snapshot, attachments);
  };
  return shown;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
