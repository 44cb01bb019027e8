import { expect, test } from 'vitest';
import type { TaskOutcome } from '../../engine/contract/task.ts';
import type { SugarAnswer } from '../../engine/command-queue.ts';
import type { RationalNs } from '../../engine/rational.ts';
import type { SystemEntry } from '../../engine/schedule.ts';
import { createSessionWorld } from '../../engine/world.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { createFakeClock } from '../../engine/clock.ts';
import { GAME_BOY_STEP } from '../../systems/environment/gameboy/describe-gameboy.ts';
import { judgeWorld, readHealthFacts } from '../../engine/health.ts';
import { advanceEnvironment } from '../../systems/environment/advance-environment.ts';
import { advanceBrains } from '../../systems/kernel/advance-brains.ts';
import { installSensory } from '../../systems/kernel/install-sensory.ts';
import { planTicks } from '../../systems/kernel/plan-ticks.ts';
import { reinforce } from '../../systems/learning/reinforce.ts';
import { commitBoundary } from '../../systems/session/commit-boundary.ts';
import { evaluateTask } from '../../systems/task/evaluate-task.ts';
import { createCounterTask } from '../fixture/counter-task.ts';
import { createCounterWorld } from '../fixture/counter-world.ts';
import type { CounterWorld } from '../fixture/counter-world.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { openTestMatch } from '../fixture/test-match.ts';
import { testSchedule } from '../fixture/test-schedule.ts';
import type { TestMatch } from '../fixture/test-match.ts';

const open = closedAfterEach(openTestMatch);

test('SCH-01 every complete batch moves the world once, and there are as many as transitions', async () => {
  const match = await open();
  await match.run(60);
  const { tally, batches } = match.environment;
  expect(tally.advances).toBe(60);
  expect(match.world.runSteps).toBe(60n);
  expect(batches.map((batch) => batch.batchId)).toEqual(Array.from({ length: 60 }, (_, k) => `batch-e1-${k}`));
  for (const { ports } of batches) expect(ports.map(({ portId }) => portId)).toEqual(['p01', 'p02']);
});

test('SCH-02 every brain has advanced before the world moves, and taken its outcome in before anything is shown', async () => {
  const log: string[] = [];
  const match = await open({
    flies: 3,
    wrapBrain: (brain, i) => ({
      ...brain,
      async advance(ticks) {
        for (let turn = 0; turn < 3 - i; turn++) await eventLoop(); // the first one is the slowest
        const spikes = await brain.advance(ticks);
        log.push('advanced');
        return spikes;
      },
      reinforce(sum) {
        brain.reinforce(sum);
        log.push('committed');
      },
    }),
  });
  log.length = 0; // the warm-up advanced too
  for (const readout of match.world.handles.readouts) {
    observe(readout, 'decide', () => log.push('decided'));
    observe(readout, 'retain', () => log.push('retained'));
  }
  observe(match.environment, 'advance', () => log.push('world'));
  observe(match.devices.publisher, 'publish', () => log.push('published'));
  await match.run(3);
  const one = [
    ...repeat('advanced', 3),
    ...repeat('decided', 3),
    'world',
    ...repeat('committed', 3),
    ...repeat('retained', 3),
    'published',
  ];
  expect(log).toEqual([...one, ...one, ...one]);
});

test('SCH-03 the task judges each step once and each reward is paid once, also where an episode ends', async () => {
  const paid: number[][] = [[], []];
  let judged = 0;
  const match = await open({
    outcome: (_, plain) => {
      judged += 1;
      return { ...plain, agents: asymmetric(judged), terminal: judged === 20 ? 'time' : null };
    },
    wrapBrain: (brain, i) => ({
      ...brain,
      reinforce(sum) {
        paid[i]!.push(sum);
        brain.reinforce(sum);
      },
    }),
  });
  await match.run(40);
  expect(judged).toBe(40);
  expect(paid[0]).toEqual(Array.from({ length: 40 }, (_, k) => k + 1));
  expect(paid[1]).toEqual(repeat(0, 40));
  expect(match.environment.tally).toMatchObject({ advances: 40, boots: 2 });
  expect(match.world.phase).toMatchObject({ epoch: 'e2', step: 20n });
  const { Tally } = match.world.stores;
  expect(match.world.agents.map((agent) => Tally.rewardTotal[agent])).toEqual([820, 0]);
});

test('SCH-05 at 60 Hz a fly gets 16, 17, 17 ticks and 600 steps are 10,000 ticks with nothing owed (session.md 4)', () => {
  const { ticks, owed } = plan({ numerator: 50_000_000n, denominator: 3n }, 600);
  expect(ticks.slice(0, 6)).toEqual([16, 17, 17, 16, 17, 17]);
  expect(owed.slice(0, 3)).toEqual(['2000000/3', '1000000/3', '0/1']); // session.md 28
  expect(sum(ticks)).toBe(10_000);
  expect(owed[599]).toBe('0/1');
});

test('SCH-05 Game Boy frames owe the ticks and remainders the specification lists (session.md 4)', () => {
  const { ticks, owed } = plan(GAME_BOY_STEP, 24);
  expect(ticks.join(' ')).toBe('16 17 17 16 17 17 17 16 17 17 17 16 17 17 17 16 17 17 17 16 17 17 17 16');
  expect(owed.slice(0, 12)).toEqual([
    '380265625/512',
    '124265625/256',
    '116796875/512',
    '124265625/128',
    '365328125/512',
    '116796875/256',
    '101859375/512',
    '60265625/64',
    '350390625/512',
    '109328125/256',
    '86921875/512',
    '116796875/128',
  ]);
});

test('SCH-05 32,768 Game Boy frames are 548,625 ticks: 8,431 times 16 and 24,337 times 17, nothing owed (session.md 4)', () => {
  const { ticks, owed } = plan(GAME_BOY_STEP, 32_768);
  expect(sum(ticks)).toBe(548_625);
  expect(ticks.filter((count) => count === 16)).toHaveLength(8_431);
  expect(ticks.filter((count) => count === 17)).toHaveLength(24_337);
  expect(owed.at(-1)).toBe('0/1');
});

test('SCH-05 a double accumulator gives the same ticks and remainders for 20,000 Game Boy frames, bit for bit (session.md 4)', () => {
  const { ticks, owed } = plan(GAME_BOY_STEP, 20_000);
  let owedMs = 0;
  for (let frame = 0; frame < 20_000; frame++) {
    owedMs += 1_000 / (4_194_304 / 70_224);
    const whole = Math.floor(owedMs);
    owedMs -= whole;
    const [numerator, denominator] = owed[frame]!.split('/').map(Number);
    expect([ticks[frame], numerator! / (denominator! * 1e6)]).toEqual([whole, owedMs]);
  }
});

test('SCH-05 a 16 ms step gives 16 and 16 ticks, a half-tick step none and then one (session.md 28)', () => {
  expect(plan({ numerator: 16_000_000n, denominator: 1n }, 2).ticks).toEqual([16, 16]);
  expect(plan({ numerator: 500_000n, denominator: 1n }, 4).ticks).toEqual([0, 1, 0, 1]);
});

test.each<[string, RationalNs]>([
  ['no time at all', { numerator: 0n, denominator: 1n }],
  ['not in lowest terms', { numerator: 100_000_000n, denominator: 6n }],
  ['finer than 64 bits can count', { numerator: 551_616n, denominator: 18_446_744_073_709n }],
])('SCH-06 a world whose step is %s is refused before anything runs', (_, stepDuration) => {
  expect(() => worldOf(stepDuration)).toThrow(expect.objectContaining({ code: 'CADENCE' }));
});

test('SCH-06 the finest step 64 bits can count is taken', () => {
  const finest = { numerator: 551_615n, denominator: 18_446_744_073_709n }; // with a tick of 10^6 denominators: 2^64 - 1
  expect(plan(finest, 3).ticks).toEqual([0, 0, 0]);
});

test('SCH-06 a restored remainder of a whole tick is refused and moves no clock, not even of the flies before', () => {
  const world = worldOf(GAME_BOY_STEP, 2);
  const { AgentClock, Cadence, TickPlan } = world.stores;
  const [first, agent] = world.agents as [number, number];
  AgentClock.owed[first] = 5n;
  AgentClock.owed[agent] = Cadence.tick[agent]!;
  expect(() => planTicks(world)).toThrow(expect.objectContaining({ code: 'CLOCK' }));
  expect([AgentClock.owed[first], AgentClock.owed[agent]]).toEqual([5n, Cadence.tick[agent]]);
  expect([TickPlan.count[first], TickPlan.count[agent]]).toEqual([0, 0]);
  AgentClock.owed[agent] = Cadence.tick[agent]! - 1n;
  planTicks(world);
  expect(TickPlan.count[agent]).toBe(17);
});

test('SCH-06 a brain never passes 2^53 - 1 ticks', () => {
  const world = worldOf(GAME_BOY_STEP);
  const { AgentClock } = world.stores;
  const agent = world.agents[0]!;
  AgentClock.ticks[agent] = 2n ** 53n - 16n;
  expect(() => planTicks(world)).toThrow(expect.objectContaining({ code: 'CLOCK' }));
  AgentClock.ticks[agent] = 2n ** 53n - 17n;
  planTicks(world);
});

test.each(['while the world moves', 'while the brains think'] as const)(
  'SCH-07 a pause asked %s finishes the transition, holds its boundary and still answers',
  async (moment) => {
    const match = await open();
    await match.run(5);
    const { world, environment, devices } = match;
    const phases: string[] = [];
    const ask = (): void => {
      if (phases.push(world.phase.name) === 1) world.commands.push({ kind: 'pause', by: 'operator' });
    };
    if (moment === 'while the world moves') observe(environment, 'advance', ask);
    else observe(world.handles.brains[0]!, 'advance', ask);
    const running = match.run(3);
    while (world.phase.name !== 'paused') await eventLoop();
    expect(phases).toEqual([moment === 'while the world moves' ? 'applying' : 'preparing']);
    expect(world.phase).toMatchObject({ name: 'paused', step: 6n });
    const standing = countersOf(world);
    const answers: SugarAnswer[] = [];
    const request = { by: 'a', source: 'operator' as const, durationMs: 50, agentId: 'fly-a' };
    world.commands.push({ kind: 'sugar', request, answer: (answer) => void answers.push(answer) });
    for (let looks = 0; looks < 5; looks++) {
      match.clock.advanceMs(300);
      await eventLoop();
      expect(judgeWorld(readHealthFacts(world))).toMatchObject({ state: 'paused', alive: true });
    }
    expect(answers).toEqual([{ kind: 'refused', reason: 'paused', retryAfterMs: 1_000 }]);
    expect(countersOf(world)).toEqual(standing);
    expect(devices.publisher.latest).toMatchObject({ step: '6', status: 'paused' });
    world.commands.push({ kind: 'resume', by: 'operator' });
    match.clock.advanceMs(300);
    await running;
    expect(environment.tally.advances).toBe(8);
  },
);

test('SCH-08 boot and warm-up move no world, pay no reward, owe nothing and end at 2,500 ms of brain time', async () => {
  const rewards: number[] = [];
  const { world, environment } = await open({
    wrapBrain: (brain) => ({ ...brain, reinforce: (reward) => void rewards.push(reward) }),
  });
  expect(environment.tally).toEqual({ advances: 0, boots: 1, renders: 1 });
  expect(rewards).toEqual([]);
  expect(world.phase).toMatchObject({ name: 'ready', step: 0n });
  for (const [i, agent] of world.agents.entries()) {
    expect(world.stores.AgentClock.owed[agent]).toBe(0n);
    expect(world.stores.AgentClock.ticks[agent]).toBe(2_500n);
    expect(world.handles.brains[i]!.ticks()).toBe(2_500);
    expect(world.handles.brains[i]!.learning()).toMatchObject({ enabled: true, updates: 0, changed: 0 });
  }
});

test('SCH-12 no system runs twice in one step or out of its phase, and the refusal changes nothing', async () => {
  const refused: string[] = [];
  const twice = (entry: Entry): Entry[] => {
    const again: Entry = {
      ...entry,
      name: `${entry.name} again`,
      awaits: 'kernel',
      async run(world) {
        const before = countersOf(world);
        await expect((async () => entry.run(world))()).rejects.toMatchObject({ code: 'CONFLICT' });
        expect(countersOf(world)).toEqual(before);
        if (world.runSteps <= 1n) refused.push(entry.name);
      },
    };
    return [entry, again];
  };
  const match = await open({ changeSchedule: (schedule) => schedule.flatMap(twice) });
  const plain = await open();
  await match.run(8);
  await plain.run(8);
  expect(new Set(refused)).toEqual(new Set(testSchedule().map(({ name }) => name)));
  expect(match.steps).toEqual(plain.steps);
  for (const { name, phase, run } of testSchedule().filter(
    (entry) => !['ready', 'boundary', 'idle'].includes(entry.phase),
  )) {
    const before = countersOf(plain.world);
    const attempt = (async () => run(plain.world))();
    await expect(attempt, `${name} (${phase})`).rejects.toMatchObject({ code: 'INVALID_PHASE' });
    expect(countersOf(plain.world)).toEqual(before);
  }
});

test.each<[string, (world: SessionWorld) => void | Promise<void>, string]>([
  ['advanceBrains', advanceBrains, 'CONFLICT'],
  ['advanceEnvironment', advanceEnvironment, 'CONFLICT'],
  ['evaluateTask', evaluateTask, 'CONFLICT'],
  ['commitBoundary', commitBoundary, 'INVALID_PHASE'], // it has moved the boundary: its own edge refuses it
])('SCH-12 %s is stamped per entity: also without the guard it is not passed twice', async (name, station, code) => {
  let refusals = 0;
  const twice = (entry: Entry): Entry[] => {
    if (entry.name !== name) return [entry];
    const again: Entry = {
      ...entry,
      name: `${name} again`,
      awaits: 'kernel',
      async run(world) {
        const before = countersOf(world);
        await expect(new Promise<void>((resolve) => resolve(station(world)))).rejects.toMatchObject({ code });
        expect(countersOf(world)).toEqual(before);
        refusals += 1;
      },
    };
    return [entry, again];
  };
  const match = await open({ changeSchedule: (schedule) => schedule.flatMap(twice) });
  await match.run(2);
  expect(refusals).toBe(2);
});

test('SCH-13 the order of a transition is stimulate, advance, install, stimulate, reinforce (session.md 7)', async () => {
  const log: string[] = [];
  const match = await open({
    flies: 1,
    outcome: (_, plain) => ({
      ...plain,
      agents: [{ rewards: [{ ruleId: 'always', value: 1 }], stimulationsMs: [5] }],
    }),
    wrapBrain: (brain) => ({
      ...brain,
      stimulate: (ms) => (log.push(`stimulate ${ms}`), brain.stimulate(ms)),
      advance: (ticks) => (log.push('advance'), brain.advance(ticks)),
      installFrame: (...args) => (log.push('install'), brain.installFrame(...args)),
      reinforce: (reward) => (log.push(`reinforce ${reward}`), brain.reinforce(reward)),
    }),
  });
  await match.run(1);
  match.clock.advanceMs(1_000);
  log.length = 0;
  const request = { by: 'a', source: 'operator' as const, durationMs: 30, agentId: null };
  match.world.handles.brains[0]!.stimulusRemainingMs = () => 0; // the reward's own pulse would refuse the sugar
  match.world.commands.push({ kind: 'sugar', request, answer: () => undefined });
  await match.run(1);
  expect(log).toEqual(['stimulate 30', 'advance', 'install', 'stimulate 5', 'reinforce 1']);
});

test.each<[string, string, string]>([
  ['the picture is installed one step late', 'installSensory', 'drive'],
  ['the reward is paid one step late', 'reinforce', 'learning'],
])('SCH-13 when %s, the trace says which system and field parted first', async (_, moved, field) => {
  const { firstDifference } = await import('../../engine/trace/first-difference.ts');
  const late = (schedule: readonly Entry[]): readonly Entry[] => {
    const entry = schedule.find(({ name }) => name === moved)!;
    const system = moved === 'reinforce' ? reinforce : installSensory; // without the guard, which would refuse it
    const run = (world: SessionWorld): void => {
      if (world.transition.outcome !== null) system(world);
    };
    return schedule
      .filter(({ name }) => name !== moved)
      .flatMap((other) =>
        other.name === 'advanceEnvironment' ? [{ ...entry, phase: other.phase, run }, other] : [other],
      );
  };
  const outcome = (_input: unknown, plain: TaskOutcome): TaskOutcome => ({ ...plain, agents: asymmetric(1) });
  const right = await open({ outcome });
  const wrong = await open({ outcome, changeSchedule: late });
  await right.run(120);
  await wrong.run(120);
  const parted = right.steps.findIndex((step, i) => JSON.stringify(step) !== JSON.stringify(wrong.steps[i]));
  expect(parted).toBeGreaterThanOrEqual(0);
  const difference = firstDifference(right.steps[parted]!, wrong.steps[parted]!, ['fly-a', 'fly-b']);
  expect(difference).toMatchObject({ system: moved, field, agentId: 'fly-a', step: parted + 1 });
});

test('SCH-13 the schedule itself refuses a picture or a reward before what it is made of', async () => {
  const { checkSchedule } = await import('../../engine/schedule.ts');
  const match = await open();
  const product = match.schedule.filter(({ name }) => name !== 'traceStep');
  for (const [moved, reads] of [
    ['installSensory', 'Observation'],
    ['reinforce', 'Outcome'],
  ] as const) {
    const entry = { ...product.find(({ name }) => name === moved)!, phase: 'apply' as const };
    const early = product
      .filter(({ name }) => name !== moved)
      .flatMap((other) => (other.name === 'advanceEnvironment' ? [entry, other] : [other]));
    expect(() => checkSchedule(early, ['Composition', 'Commands'])).toThrow(`${moved} reads ${reads}`);
  }
});

test('SCH-14 a step without reward still reinforces once with zero; learning off is a state and no error', async () => {
  const sums: number[] = [];
  let value = 0;
  const match = await open({
    flies: 1,
    outcome: (_, plain) => ({ ...plain, agents: [{ rewards: [{ ruleId: 'rule', value }], stimulationsMs: [] }] }),
    wrapBrain: (brain) => ({ ...brain, reinforce: (reward) => (sums.push(reward), brain.reinforce(reward)) }),
  });
  await match.run(10);
  expect(sums).toEqual(repeat(0, 10));
  const [brain] = match.world.handles.brains;
  brain!.setLearning(false);
  value = 1;
  await match.run(10);
  expect(sums.slice(10)).toEqual(repeat(1, 10));
  const { learning } = match.devices.publisher.latest!.agents[0]!;
  expect(learning).toMatchObject({ enabled: false, updates: 10, changed: 0 });
  brain!.setLearning(true);
  await match.run(10);
  expect(match.devices.publisher.latest!.agents[0]!.learning).toMatchObject({
    enabled: true,
    updates: 20, // ten calls with zero, none while learning was off, ten with a reward
    changed: 10,
  });
});

test('SCH-17 commands are taken at Ready alone, in serial order, and sugar is applied at the next Prepare', async () => {
  const log: string[] = [];
  const match = await open({
    flies: 3,
    outcome: (_, plain) => ({ ...plain, agents: plain.agents.map(() => ({ rewards: [], stimulationsMs: [] })) }),
    wrapBrain: (brain) => ({
      ...brain,
      stimulate: (ms) => (log.push(`${brain.agentId} ${ms} ms in ${match.world.phase.name}`), brain.stimulate(ms)),
    }),
  });
  const { world, environment } = match;
  await match.run(1);
  const answers: (SugarAnswer & { phase: string })[] = [];
  const ask = (agentId: string, durationMs: number): void => {
    const request = { by: 'a', source: 'operator' as const, durationMs, agentId };
    world.commands.push({
      kind: 'sugar',
      request,
      answer: (answer) => void answers.push({ ...answer, phase: `${world.phase.name} ${world.phase.step}` }),
    });
  };
  observe(environment, 'advance', () => {
    if (environment.tally.advances !== 2) return;
    ask('fly-c', 100);
    ask('fly-a', 200);
    ask('fly-b', 300);
  });
  await match.run(1);
  expect(answers).toEqual([]);
  expect(log).toEqual([]);
  await match.run(1);
  expect(answers.map((answer) => [answer.kind, 'serial' in answer && answer.serial, answer.phase])).toEqual([
    ['accepted', 1, 'ready 2'],
    ['accepted', 2, 'ready 2'],
    ['accepted', 3, 'ready 2'],
  ]);
  expect(log).toEqual(['fly-a 200 ms in preparing', 'fly-b 300 ms in preparing', 'fly-c 100 ms in preparing']);
  expect(match.devices.publisher.latest!.events.map(({ label }) => label)).toEqual([
    'sugar by a, 100 ms pulse',
    'sugar by a, 200 ms pulse',
    'sugar by a, 300 ms pulse',
  ]);
});

test('SCH-17 two pulses of one fly are given in serial order', async () => {
  const given: number[] = [];
  const match = await open({
    flies: 1,
    outcome: (_, plain) => ({ ...plain, agents: [{ rewards: [], stimulationsMs: [] }] }),
    wrapBrain: (brain) => ({ ...brain, stimulate: (ms) => (given.push(ms), brain.stimulate(ms)) }),
  });
  await match.run(1);
  const pulse = { agentIndex: 0, kind: 'sugar', by: 'a', source: 'operator', state: 'accepted' } as const;
  match.world.interactions.push({ ...pulse, serial: 1, durationMs: 100 }, { ...pulse, serial: 2, durationMs: 50 });
  await match.run(1);
  expect(given).toEqual([100, 50]);
});

test('SCH-17 sugar asked together with a pause in the last step of a match reaches neither that match nor the next', async () => {
  const pulses: string[] = [];
  const answers: SugarAnswer[] = [];
  const match = await open({
    outcome: ({ brainMs }, plain) => ({
      ...plain,
      agents: plain.agents.map(() => ({ rewards: [], stimulationsMs: [] })),
      terminal: match?.environment.tally.advances === 6 && brainMs.length > 0 ? 'time' : null,
    }),
    wrapBrain: (brain) => ({
      ...brain,
      stimulate: (ms) => (pulses.push(`${brain.agentId} ${ms}`), brain.stimulate(ms)),
    }),
  });
  const { world, environment } = match;
  await match.run(5);
  const request = { by: 'a', source: 'operator' as const, durationMs: 50, agentId: 'fly-a' };
  observe(environment, 'advance', () => {
    if (environment.tally.advances !== 6) return;
    world.commands.push({ kind: 'sugar', request, answer: (answer) => void answers.push(answer) });
    world.commands.push({ kind: 'pause', by: 'operator' });
  });
  const running = match.run(4);
  while (world.phase.name !== 'paused') await eventLoop();
  world.commands.push({ kind: 'resume', by: 'operator' });
  match.clock.advanceMs(300);
  await running;
  expect(world.phase.epoch).toBe('e2');
  expect(answers).toEqual([{ kind: 'refused', reason: 'paused', retryAfterMs: 1_000 }]);
  expect(pulses).toEqual([]);
});

type Entry = SystemEntry<SessionWorld> & TestMatch['schedule'][number];

function worldOf(stepDuration: RationalNs, flies = 1): SessionWorld {
  return createSessionWorld({
    sessionId: 'clock',
    agents: ['a', 'b'].slice(0, flies).map((letter, i) => ({ agentId: `fly-${letter}`, portId: `p0${i + 1}` })),
    environment: createCounterWorld({ stepDuration, ports: flies }),
    environmentId: 'counter',
    task: createCounterTask(flies),
    slotIds: [],
    clock: createFakeClock(),
  });
}

/** Ticks and remainder, in ns, of each of `steps` steps. */
function plan(stepDuration: RationalNs, steps: number): { ticks: number[]; owed: string[] } {
  const world = worldOf(stepDuration);
  const agent = world.agents[0]!;
  const { AgentClock, TickPlan } = world.stores;
  const ticks: number[] = [];
  const owed: string[] = [];
  for (let step = 0; step < steps; step++) {
    planTicks(world);
    ticks.push(TickPlan.count[agent]!);
    owed.push(reduced(AgentClock.owed[agent]!, stepDuration.denominator));
  }
  return { ticks, owed };
}

function reduced(numerator: bigint, denominator: bigint): string {
  let [a, b] = [numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return `${numerator / a}/${denominator / a}`;
}

/** Everything that counts in a world. */
function countersOf(world: SessionWorld): unknown {
  const { agents, handles, phase, stores, transition } = world;
  const { AgentClock, StepStamp, Tally, TickPlan } = stores;
  return structuredClone({
    phase: { ...phase },
    run: [world.runSteps, world.episodeSteps, world.episode, world.epochs, world.rollbacks, world.nextInteraction],
    events: [world.outbox.nextEventId, world.outbox.events.length],
    audio: world.audio.positions(),
    decisions: transition.decisions,
    pulses: transition.preStepStimuliMs,
    clocks: agents.map((agent) => [AgentClock.ticks[agent], AgentClock.owed[agent], TickPlan.count[agent]]),
    stamps: Object.values(StepStamp),
    tallies: Object.values(Tally),
    brains: handles.brains.map((brain) => [brain.ticks(), brain.stimulusRemainingMs(), brain.learning()]),
    drives: handles.brains.map((brain) => Array.from(brain.visualDrive.subarray(0, 64))),
    world: { ...(handles.environment as CounterWorld).tally },
    task: handles.task.capture(),
  });
}

function asymmetric(value: number): TaskOutcome['agents'] {
  return [
    { rewards: [{ ruleId: 'only-a', value }], stimulationsMs: [] },
    { rewards: [], stimulationsMs: [] },
  ];
}

/** Calls `note` after each call of a method has been made. */
function observe<T extends object>(target: T, method: keyof T, note: () => void): void {
  const original = target[method] as (...args: unknown[]) => unknown;
  const noted = (...args: unknown[]): unknown => {
    const result = original.apply(target, args);
    if (result instanceof Promise) return result.finally(note);
    note();
    return result;
  };
  Object.assign(target, { [method]: noted });
}

function repeat<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function eventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
