import { expect, test } from 'vitest';
import { parseSugarRequest } from '../../broadcast/control/sugar-request.ts';
import { createFakeClock } from '../../engine/clock.ts';
import type { Command, SugarAnswer, SugarRequest } from '../../engine/command-queue.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { createSugarLimiter } from '../../systems/admission/sugar-limiter.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { openTestMatch } from '../fixture/test-match.ts';
import type { TestMatch, TestMatchOptions } from '../fixture/test-match.ts';
import { syntheticConnectome } from '../systems/kernel/test-graphs.ts';

const open = closedAfterEach(openTestMatch);

test('PRO-06 decisions and controls are unknown exactly at boundary 0, and later those of the finished transition', async () => {
  const match = await open();
  const shown = (): Snapshot => match.devices.publisher.latest!;
  await match.system('publish').run(match.world);
  expect(shown().step).toBe('0');
  for (const agent of shown().agents) {
    expect(agent).toMatchObject({ decision: null, appliedButtons: null, appliedAxes: null });
  }
  for (let step = 1; step <= 30; step++) {
    await match.run(1);
    expect(shown().step).toBe(String(step));
    const batch = match.environment.batches.at(-1);
    expect(batch.batchId).toBe(`batch-e1-${step - 1}`);
    shown().agents.forEach((agent, i) => {
      expect(agent.appliedButtons).toEqual(batch.ports[i]!.buttons);
      expect(agent.appliedAxes).toEqual(batch.ports[i]!.axes);
      expect(agent.decision!.join('+')).toBe(match.steps.at(-1).agents[i]!.decision);
    });
  }
});

const answersAt = (times: readonly number[], pulses: (at: number) => number = () => 0): unknown[] => {
  const clock = createFakeClock();
  const limiter = createSugarLimiter(clock);
  return times.map((at) => {
    clock.advanceMs(at - clock.nowMs());
    const answer = limiter.admit(pulses(at), null);
    return answer.kind === 'accepted' ? 'accepted' : [answer.reason, answer.retryAfterMs];
  });
};
const SIX = [1_000, 1_100, 1_200, 1_300, 1_400, 1_500];

test('PRO-07 six pulses from 1000 to 1500 ms; a seventh at 2000 is refused with 59,000 ms (session.md 25)', () => {
  expect(answersAt([...SIX, 2_000])).toEqual([...SIX.map(() => 'accepted'), ['cooling-down', 59_000]]);
});

test('PRO-07 one slot returns at 61,000 ms, not a millisecond earlier, and the next one 100 ms later', () => {
  expect(answersAt([...SIX, 60_999, 61_000, 61_000, 61_099, 61_100]).slice(6)).toEqual([
    ['cooling-down', 1],
    'accepted',
    ['cooling-down', 100],
    ['cooling-down', 1],
    'accepted',
  ]);
});

test('PRO-07 a pulse with 250.4 ms left refuses with 251 and spends no slot', () => {
  const pulses = (at: number): number => (at < 1_000 ? 250.4 : 0);
  const early = Array.from({ length: 20 }, (_, i) => i);
  expect(answersAt([...early, ...SIX, 2_000], pulses)).toEqual([
    ...early.map(() => ['pulse-running', 251]),
    ...SIX.map(() => 'accepted'),
    ['cooling-down', 59_000],
  ]);
});

test('PRO-07 a running pulse is looked at before the window (session.md 18)', () => {
  expect(answersAt([...SIX, 2_000], (at) => (at === 2_000 ? 5 : 0)).at(-1)).toEqual(['pulse-running', 5]);
});

test('PRO-07 100 requests a second for 10 s admit six, with the pulses they start and without', () => {
  const times = Array.from({ length: 1_000 }, (_, i) => i * 10);
  expect(answersAt(times).filter((answer) => answer === 'accepted')).toHaveLength(6);
  let endsAt = 0;
  const clock = createFakeClock();
  const limiter = createSugarLimiter(clock);
  let admitted = 0;
  for (const at of times) {
    clock.advanceMs(at - clock.nowMs());
    if (limiter.admit(Math.max(0, endsAt - at), 400).kind === 'refused') continue;
    admitted += 1;
    endsAt = at + 400;
  }
  expect(admitted).toBe(6);
});

test.each<[number | null, number]>([
  [null, 400],
  [0.2, 1],
  [250.4, 251],
  [1_000, 1_000],
  [5_000, 1_000],
  [-3, 1],
  [Infinity, 1_000],
  [NaN, 400],
])('PRO-07 a wish for %s ms is a pulse of %i ms (session.md 18)', (asked, durationMs) => {
  expect(createSugarLimiter(createFakeClock()).admit(0, asked)).toEqual({ kind: 'accepted', durationMs });
});

test('PRO-07 a limit below one acts as one (session.md 18)', () => {
  const limiter = createSugarLimiter(createFakeClock(), 0);
  expect(limiter.admit(0, null).kind).toBe('accepted');
  expect(limiter.admit(0, null)).toMatchObject({ kind: 'refused', retryAfterMs: 60_000 });
});

test('PRO-07 two wishes for one fly between two commits give one pulse and one refusal (session.md 18)', async () => {
  const match = await open({ outcome: withoutRewards });
  await match.run(1);
  const answers = ask(match, [{ agentId: 'fly-a' }, { agentId: 'fly-a' }, { agentId: 'fly-b' }]);
  await match.run(1);
  expect(answers.map(({ kind }) => kind)).toEqual(['accepted', 'refused', 'accepted']);
  expect(answers[1]).toMatchObject({ reason: 'pulse-running', retryAfterMs: 400 });
});

test('PRO-09 no target among several flies and an unknown fly are refused before anything changes', async () => {
  const match = await open({ outcome: withoutRewards });
  const untouched = await open({ outcome: withoutRewards });
  for (const one of [match, untouched]) await one.run(1);
  const answers = ask(match, [{ agentId: null }, { agentId: 'fly-z' }, { agentId: 'FLY-A' }]);
  for (const one of [match, untouched]) await one.run(3);
  expect(answers).toEqual([{ kind: 'ambiguous-target' }, { kind: 'unknown-agent' }, { kind: 'unknown-agent' }]);
  expect(match.steps).toEqual(untouched.steps);
  expect(match.world.nextInteraction).toBe(1);
  expect(match.devices.limiter.cooldownMs()).toBe(0);
  const six = ask(
    match,
    ['fly-a', 'fly-b'].map((agentId) => ({ agentId })),
  );
  await match.run(1);
  expect(six.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']); // the refused ones spent no slot
});

test('PRO-09 a fly without reward neurons answers unsupported, and nothing of it or of the budget is touched (arena.md F12)', async () => {
  const connectome = (index: number): Connectome | null => (index === 1 ? withoutReward(syntheticConnectome()) : null);
  const match = await open({ outcome: withoutRewards, connectome });
  const untouched = await open({ outcome: withoutRewards, connectome });
  for (const one of [match, untouched]) await one.run(1);
  const answers = ask(match, [{ agentId: 'fly-b' }]);
  for (const one of [match, untouched]) await one.run(3);
  expect(answers).toEqual([{ kind: 'unsupported' }]);
  expect(match.steps).toEqual(untouched.steps);
  expect(match.world.nextInteraction).toBe(1);
  const other = ask(match, [{ agentId: 'fly-a' }]);
  await match.run(1);
  expect(other).toMatchObject([{ kind: 'accepted', agentId: 'fly-a' }]);
});

test('PRO-09 with one fly a wish without a target is for that fly', async () => {
  const match = await open({ flies: 1, outcome: withoutRewards });
  await match.run(1);
  const answers = ask(match, [{ agentId: null }]);
  await match.run(1);
  expect(answers).toEqual([{ kind: 'accepted', serial: 1, durationMs: 400, agentId: 'fly-a' }]);
});

test.each([
  ['another kind of stimulation', { by: 'ada', kind: 'reward-pulse' }],
  ['a population', { by: 'ada', role: 'command_0' }],
  ['a neuron', { by: 'ada', neuron: 7 }],
  ['a drive', { by: 'ada', drive: 0.5 }],
  ['a button', { by: 'ada', button: 'a' }],
])('PRO-09 a wish that names %s is refused at the door, for sugar is the only one', (_, body) => {
  expect(parseSugarRequest(body)).toMatchObject({ kind: 'refused' });
});

test('PRO-09 a command of an unknown kind reaches no fly and no world', async () => {
  const match = await open();
  const untouched = await open();
  for (const one of [match, untouched]) await one.run(1);
  match.world.commands.push({ kind: 'press', by: 'ada' } as unknown as Command);
  for (const one of [match, untouched]) await one.run(5);
  expect(match.steps).toEqual(untouched.steps);
});

const withoutRewards: NonNullable<TestMatchOptions['outcome']> = (_, plain) => ({
  ...plain,
  agents: plain.agents.map(() => ({ rewards: [], stimulationsMs: [] })),
});

function withoutReward(connectome: Connectome): Connectome {
  return { ...connectome, roles: new Map([...connectome.roles].filter(([name]) => name !== 'reward_pam')) };
}

function ask({ world }: TestMatch, wishes: readonly Pick<SugarRequest, 'agentId'>[]): SugarAnswer[] {
  const answers: SugarAnswer[] = [];
  for (const { agentId } of wishes) {
    const request: SugarRequest = { by: 'a', source: 'operator', durationMs: null, agentId };
    world.commands.push({ kind: 'sugar', request, answer: (answer) => void answers.push(answer) });
  }
  return answers;
}
