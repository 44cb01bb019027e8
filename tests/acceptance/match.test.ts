import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { SugarAnswer } from '../../engine/command-queue.ts';
import type { PortControl } from '../../engine/contract/environment.ts';
import type { Executor } from '../../engine/contract/executor.ts';
import { DeviceError } from '../../engine/errors.ts';
import { createFakeClock } from '../../engine/clock.ts';
import { createSessionWorld } from '../../engine/world.ts';
import { createCounterTask } from '../fixture/counter-task.ts';
import { createCounterWorld } from '../fixture/counter-world.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { openTestMatch } from '../fixture/test-match.ts';
import type { TestMatch, TestMatchOptions } from '../fixture/test-match.ts';

const open = closedAfterEach(openTestMatch);

test('SCH-04 brains dispatched in agent order, in reverse or all at once leave identical traces', async () => {
  const traces: unknown[] = [];
  for (const order of ['normal', 'reversed', 'parallel'] as const) {
    const finished: number[] = [];
    const match = await open({
      flies: 4,
      threads: order === 'parallel' ? 4 : 1,
      wrapBrain: inTurn(order, 4, finished),
    });
    finished.length = 0;
    await match.run(60);
    if (order === 'normal') expect(finished.slice(0, 4)).toEqual([0, 1, 2, 3]);
    if (order === 'reversed') expect(finished.slice(0, 4)).toEqual([3, 2, 1, 0]);
    traces.push({ steps: match.steps, digest: match.devices.trace.digest() });
  }
  expect(traces[1]).toEqual(traces[0]);
  expect(traces[2]).toEqual(traces[0]);
});

test('SCH-04 sixteen flies on 1, 2, 3, 6 or 16 threads leave identical traces (session.md 8)', async () => {
  const traces: unknown[] = [];
  for (const threads of [1, 2, 3, 6, 16]) {
    const match = await open({ flies: 16, threads });
    await match.run(20);
    traces.push(match.steps);
    expect(match.steps).toHaveLength(20);
    for (const { agents } of match.steps) expect(agents.filter(({ spikeCount }) => spikeCount === 0)).toEqual([]);
    await match.close();
  }
  for (const trace of traces.slice(1)) expect(trace).toEqual(traces[0]);
});

test.each([
  [0, 1],
  [1, 0],
] as const)(
  'SCH-09 what fly %i is given never reaches fly %i: rewards, gains, holds, noise, pulses, telemetry',
  async (giver, other) => {
    const stateOfOther = async (isGiven: boolean): Promise<unknown> => {
      let pays = isGiven;
      const match = await open({
        privateViews: true, // in a shared picture a fly does see what the other one did
        outcome: (_, plain) => ({
          ...plain,
          agents: plain.agents.map((_agent, i) =>
            pays && i === giver
              ? { rewards: [{ ruleId: 'gift', value: 2 }], stimulationsMs: [40] }
              : { rewards: [], stimulationsMs: [] },
          ),
        }),
      });
      const { world, devices } = match;
      await match.run(100);
      pays = false; // the pulse of a reward would refuse the sugar
      await match.run(10);
      const answers: SugarAnswer[] = [];
      const request = { by: 'a', source: 'operator' as const, durationMs: 500, agentId: ['fly-a', 'fly-b'][giver]! };
      if (isGiven) world.commands.push({ kind: 'sugar', request, answer: (answer) => void answers.push(answer) });
      await match.run(20);
      const given = world.handles.brains[giver]!;
      expect(answers.map(({ kind }) => kind)).toEqual(isGiven ? ['accepted'] : []);
      expect(given.stimulusRemainingMs() > 0).toBe(isGiven);
      expect(given.exportState().plasticity.gains.some((gain) => gain !== 1)).toBe(isGiven);
      return {
        brain: world.handles.brains[other]!.exportState(),
        readout: world.handles.readouts[other]!.exportState(),
        trace: match.steps.map(({ agents }) => agents[other]),
        shown: devices.publisher.latest!.agents[other],
      };
    };
    expect(await stateOfOther(true)).toEqual(await stateOfOther(false));
  },
);

test('SCH-10 a late fly delays the world for everybody and says who is waited for', async () => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  let isLate = false;
  const match = await open({
    flies: 3,
    wrapBrain: (brain, i) => ({
      ...brain,
      async advance(ticks) {
        if (isLate && i === 1) await gate;
        return brain.advance(ticks);
      },
    }),
  });
  await match.run(5);
  isLate = true;
  const running = match.run(1);
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(match.environment.tally.advances).toBe(5);
  expect(match.world.phase).toMatchObject({ name: 'preparing', step: 5n });
  expect(match.world.waiting.for).toBe('kernel');
  expect([...match.world.waiting.agents]).toEqual([0, 1, 0]);
  release();
  await running;
  expect(match.environment.tally.advances).toBe(6);
  expect(match.steps.at(-1).agents.map(({ ticks }) => ticks)).toEqual([17, 17, 17]);
});

test('SCH-10 a dead fly stops the match by name and nobody plays in its place', async () => {
  let isDead = false;
  const match = await open({
    wrapBrain: (brain, i) => ({
      ...brain,
      advance: (ticks) =>
        isDead && i === 1
          ? Promise.reject(new DeviceError('BRAIN_DEAD', 'fly-b: the brain thread ended (exit 1)'))
          : brain.advance(ticks),
    }),
  });
  await match.run(5);
  isDead = true;
  await expect(match.run(1)).rejects.toMatchObject({
    code: 'BRAIN_DEAD',
    message: expect.stringContaining('fly-b') as string,
  });
  expect(match.world.blamed).toEqual({ kind: 'agent', id: 'fly-b' });
  expect(match.environment.tally.advances).toBe(5);
  expect(match.environment.batches).toHaveLength(5);
  expect(match.steps).toHaveLength(5);
  expect(match.devices.publisher.latest!.step).toBe('5');
});

test('SCH-10 a fly whose thread is killed between two steps stops the match by name', async () => {
  const workers: Worker[] = [];
  const note = (worker: Worker): void => void workers.push(worker);
  process.on('worker', note);
  const match = await open({ threads: 2 });
  process.off('worker', note);
  await match.run(5);
  expect(workers).toHaveLength(2);
  await workers[1]!.terminate();
  await expect(match.run(1)).rejects.toMatchObject({ code: 'BRAIN_DEAD' });
  expect(match.world.blamed).toEqual({ kind: 'agent', id: 'fly-b' });
  expect(match.environment.tally.advances).toBe(5);
  expect(match.devices.publisher.latest!.step).toBe('5');
});

test('SCH-10 a lost world is blamed by its own name', async () => {
  const match = await open();
  await match.run(2);
  match.environment.die('signal SIGSEGV');
  await expect(match.run(1)).rejects.toMatchObject({ code: 'ENVIRONMENT_DEAD' });
  expect(match.world.blamed).toEqual({ kind: 'environment', id: 'counter' });
});

const WHOLE = { portId: 'p02', buttons: [false, false], axes: [0] };

test.each<[string, PortControl | undefined]>([
  ['no controls at all', undefined],
  ['the controls of another port', { ...WHOLE, portId: 'p01' }],
  ['a port nobody declared', { ...WHOLE, portId: 'p03' }],
  ['a button too many', { ...WHOLE, buttons: [false, false, false] }],
  ['a button too few', { ...WHOLE, buttons: [false] }],
  ['an axis too many', { ...WHOLE, axes: [0, 0] }],
  ['an axis one step above 1', { ...WHOLE, axes: [1 + 2 ** -52] }],
  ['an axis below -1', { ...WHOLE, axes: [-1 - 2 ** -52] }],
  ['an axis that is no number', { ...WHOLE, axes: [NaN] }],
])('SCH-11 a fly that sends %s is refused before the world moves', async (_, control) => {
  const match = await open();
  await match.run(1);
  match.world.handles.executors[1] = { apply: () => control } as Executor;
  const presses = [...match.world.stores.Tally.presses];
  let asked = 0;
  Object.assign(match.environment, {
    advance: () => Promise.reject(new Error(`the world was asked ${++asked} times`)),
  });
  await expect(match.run(1)).rejects.toMatchObject({ code: 'CONTROL_BATCH' });
  expect(asked).toBe(0);
  expect([...match.world.stores.Tally.presses]).toEqual(presses);
});

test('SCH-11 the limits of an axis are inclusive and reach the world unclamped', async () => {
  const match = await open();
  for (const bias of [1, -1]) {
    match.world.handles.executors[1] = { apply: () => ({ ...WHOLE, axes: [bias] }) };
    await match.run(1);
    expect(match.environment.batches.at(-1).ports[1]!.axes).toEqual([bias]);
  }
});

test.each<[number, boolean]>([
  [0, true],
  [1, true],
  [-Number.MIN_VALUE, false],
  [1 + 2 ** -52, false],
])('SCH-11 a unit axis at %d is taken: %s', async (value, isTaken) => {
  const match = await open({ axisRange: 'unit' });
  match.world.handles.executors[1] = { apply: () => ({ ...WHOLE, axes: [value] }) };
  const attempt = match.run(1);
  if (isTaken) await attempt;
  else await expect(attempt).rejects.toMatchObject({ code: 'CONTROL_BATCH' });
  expect(match.environment.tally.advances).toBe(isTaken ? 1 : 0);
});

test('SCH-11 flies that change their ports change nothing but the ports: controls, views, rewards and feed follow', async () => {
  const straight = await open({ privateViews: true });
  const crossed = await open({ privateViews: true, portIndex: (agent) => 1 - agent });
  const [shownStraight, shownCrossed] = [publications(straight), publications(crossed)];
  await straight.run(200);
  await crossed.run(200);
  const controls = (match: TestMatch, portIndex: number): unknown =>
    match.environment.batches.map(({ ports }) => ports[portIndex]!.buttons);
  expect(controls(crossed, 0)).toEqual(controls(straight, 1));
  expect(controls(crossed, 1)).toEqual(controls(straight, 0));
  expect(controls(straight, 0)).not.toEqual(controls(straight, 1));
  const flies = (match: TestMatch): unknown => match.steps.map(({ agents }) => agents);
  expect(flies(crossed)).toEqual(flies(straight));
  expect(shownCrossed).toEqual(shownStraight);
  const drives = (match: TestMatch): unknown => match.world.handles.brains.map((brain) => [...brain.visualDrive]);
  expect(drives(crossed)).toEqual(drives(straight));
});

const port = (portId: string): PortControl => ({ portId, buttons: [false, false], axes: [0] });

test.each<[string, readonly PortControl[]]>([
  ['a missing port', [port('p01')]],
  ['a port twice', [port('p01'), port('p01')]],
  ['ports out of order', [port('p02'), port('p01')]],
  ['a port too many', [port('p01'), port('p02'), port('p03')]],
  ['an axis out of range', [port('p01'), { ...port('p02'), axes: [1 + 2 ** -52] }]],
])('SCH-11 a world refuses a batch with %s and does not move', async (_, ports) => {
  const environment = createCounterWorld({ ports: 2 });
  await environment.boot();
  await expect(environment.advance({ batchId: 'batch-x', ports })).rejects.toMatchObject({ code: 'CONTROL_BATCH' });
  expect(environment.tally.advances).toBe(0);
});

test('SCH-11 a port without a fly carries its neutral and is never left out', async () => {
  const match = await open({ flies: 2, ports: 3 });
  await match.run(30);
  for (const { ports } of match.environment.batches) {
    expect(ports).toHaveLength(3);
    expect(ports[2]).toEqual({ portId: 'p03', buttons: [false, false], axes: [0] });
  }
});

test.each<[string, readonly { agentId: string; portId: string }[]]>([
  ['one name, for equal names are equal seeds', twoFlies('fly-a', 'p01', 'fly-a', 'p02')],
  ['one port', twoFlies('fly-a', 'p01', 'fly-b', 'p01')],
  ['a port the world does not have', twoFlies('fly-a', 'p01', 'fly-b', 'p03')],
])('SCH-15 two flies with %s are refused', (_, agents) => {
  const environment = createCounterWorld({ ports: 2 });
  const task = createCounterTask(2);
  const spec = { sessionId: 's', environment, environmentId: 'counter', task, slotIds: [], clock: createFakeClock() };
  expect(() => createSessionWorld({ ...spec, agents })).toThrow(expect.objectContaining({ code: 'COMPOSITION' }));
});

test('SCH-15 two flies of one composition have different seeds and do not think alike', async () => {
  const match = await open();
  await match.run(10);
  const [a, b] = match.world.handles.brains;
  expect(a!.seed).toBe(-184_946_063); // session.md 28, master seed 42
  expect(b!.seed).toBe(535_504_990);
  for (const { agents } of match.steps) expect(agents[0]!.spikes).not.toBe(agents[1]!.spikes);
});

/** What is shown of the flies, step by step, from here on. */
function publications({ devices: { publisher } }: TestMatch): unknown[] {
  const shown: unknown[] = [];
  const publish: typeof publisher.publish = publisher.publish.bind(publisher);
  Object.assign(publisher, {
    publish(...[snapshot, attachments]: Parameters<typeof publish>) {
      shown.push(structuredClone(snapshot.agents));
      publish(snapshot, attachments);
    },
  });
  return shown;
}

function twoFlies(a: string, portA: string, b: string, portB: string): { agentId: string; portId: string }[] {
  return [
    { agentId: a, portId: portA },
    { agentId: b, portId: portB },
  ];
}

/** Lets the brains of a step run one after another, or does not interfere. Notes who finished. */
function inTurn(
  order: 'normal' | 'reversed' | 'parallel',
  flies: number,
  finished: number[],
): NonNullable<TestMatchOptions['wrapBrain']> {
  const turn = { at: 0 };
  const place = (i: number): number => (order === 'reversed' ? flies - 1 - i : i);
  return (brain, i) => ({
    ...brain,
    async advance(ticks) {
      while (order !== 'parallel' && turn.at % flies !== place(i))
        await new Promise((resolve) => setImmediate(resolve));
      const spikes = await brain.advance(ticks);
      turn.at += 1;
      finished.push(i);
      return spikes;
    },
  });
}
