import { expect, test } from 'vitest';
import type { Observation } from '../../engine/contract/environment.ts';
import type { TaskOutcome } from '../../engine/contract/task.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { openTestSession } from '../fixture/test-session.ts';
import type { TestSession } from '../fixture/test-session.ts';

const open = closedAfterEach(openTestSession);

const latest = ({ devices }: TestSession): Snapshot => devices.publisher.latest!;

test('the same seed gives the same behaviour digest, another seed another one', async () => {
  const digests: string[] = [];
  for (const seed of [7, 7, 8]) {
    const session = await open({ seed });
    await session.run(120);
    digests.push(session.devices.trace.digest());
  }
  expect(digests[1]).toBe(digests[0]);
  expect(digests[2]).not.toBe(digests[0]);
});

test('a brain in its own thread behaves to the bit like one in the main thread', async () => {
  const digests: string[] = [];
  for (const thread of ['inline', 'worker'] as const) {
    const session = await open({ thread });
    await session.run(60);
    digests.push(session.devices.trace.digest());
  }
  expect(digests[1]).toBe(digests[0]);
});

test('brain ticks follow the closed form of session.md 4: floor(k * 548625 / 32768) after the warm-up', async () => {
  const session = await open();
  await session.run(100);
  const ticks = session.world.stores.AgentClock.ticks[session.world.agents[0]!]!;
  expect(Number(ticks)).toBe(2_500 + Math.floor((100 * 548_625) / 32_768));
  expect(session.world.handles.brains[0]!.ticks()).toBe(Number(ticks));
});

test('the controls the world got are exactly the channels the decoder held', async () => {
  const masks: [string, string][] = [];
  const session = await open({
    outcome: (input, plain) => {
      const held = session.world.transition.decisions[0]!.active;
      const buttons = session.environment.descriptor.ports[0]!.buttons;
      const down = buttons.filter((_, i) => input.applied[0]!.buttons[i] === true);
      masks.push([[...held].sort().join(), [...down].sort().join()]);
      return plain;
    },
  });
  await session.run(200);
  for (const [held, down] of masks) expect(down).toBe(held);
  expect(new Set(masks.map(([held]) => held)).size).toBeGreaterThan(1);
});

test('with nothing held by the decoder no button is down: there is no default press', async () => {
  const session = await open();
  session.world.handles.readouts[0] = {
    ...session.world.handles.readouts[0]!,
    decide: () => ({ active: [], macro: null }),
  };
  await session.run(20);
  expect(latest(session).agents[0]!.appliedButtons).toEqual(Array.from({ length: 8 }, () => false));
});

test('rewards reach plasticity as their sum and the reward pulse as a stimulation (brain.md 7)', async () => {
  const seen: number[] = [];
  const session = await open({
    wrapBrain: (brain) => ({
      ...brain,
      reinforce(sum) {
        seen.push(sum);
        brain.reinforce(sum);
      },
    }),
  });
  await session.run(64);
  expect(seen.filter((sum) => sum !== 0)).toEqual([0.25]);
  expect(latest(session).agents[0]!.stimulusRemainingMs).toBe(80);
  expect(latest(session).agents[0]!.rewardTotal).toBe(0.25);
});

test('a negative reward is a bug of the task and never reaches a brain (session.md 1)', async () => {
  const negative = (plain: TaskOutcome): TaskOutcome => ({
    ...plain,
    agents: [{ rewards: [{ ruleId: 'loss', value: -1 }], stimulationsMs: [] }],
  });
  const session = await open({ outcome: (_, plain) => negative(plain) });
  await expect(session.run(1)).rejects.toMatchObject({ code: 'RECOVERY_GIVEN_UP' });
  expect(session.reports[0]).toContain('rule loss gave -1');
});

test('a dead environment fences the epoch and the group continues from its last capture', async () => {
  const session = await open();
  await session.run(310); // captures at 1 and at the rungs 64, 128 and 192; the next would be at 491
  session.environment.die('signal SIGSEGV');
  await session.run(100);
  const restored = session.lifecycle.find((event) => event.kind === 'restored');
  expect(restored).toMatchObject({ from: 'capture', step: 192n, abandonedSteps: 118n, epoch: 'e2' });
  expect(session.lifecycle.find((event) => event.kind === 'failed')).toMatchObject({ code: 'ENVIRONMENT_DEAD' });
  expect(session.world.phase.epoch).toBe('e2');
  expect(session.world.phase.name).toBe('ready');
});

test('after a restore the group behaves as the run that was not interrupted, ticks included', async () => {
  const interrupted = await open();
  await interrupted.run(310);
  interrupted.environment.die('signal SIGKILL');
  await interrupted.run(90); // up to boundary 400; 118 steps are done twice
  const plain = await open();
  await plain.run(400);
  const stateOf = ({ world }: TestSession): unknown[] => [
    world.runSteps,
    world.handles.brains[0]!.exportState(),
    world.stores.Tally.rewardTotal[world.agents[0]!],
  ];
  expect(interrupted.world.runSteps).toBe(400n);
  expect(stateOf(interrupted)).toEqual(stateOf(plain));
});

test('a dead brain is replaced by one with the same state and the session goes on', async () => {
  let isDead = false;
  const session = await open({
    wrapBrain: (brain) => {
      const doomed = isDead;
      return {
        ...brain,
        advance: (ticks) =>
          !doomed && isDead
            ? Promise.reject(Object.assign(new Error('fly-a: its thread ended'), { code: 'BRAIN_DEAD' }))
            : brain.advance(ticks),
      };
    },
  });
  await session.run(20);
  isDead = true;
  await session.run(20);
  expect(session.reports.join('\n')).toContain('its thread ended');
  expect(session.world.runSteps).toBeGreaterThanOrEqual(20n);
  expect(session.world.phase.name).toBe('ready');
});

test('a session that keeps failing is given up by name instead of hanging', async () => {
  const session = await open();
  await session.run(2);
  session.world.handles.environment.advance = () => Promise.reject(new Error('no frame'));
  await expect(session.run(10)).rejects.toMatchObject({ code: 'RECOVERY_GIVEN_UP' });
});

test('a rollback keeps the brain and its clock, clears holds, and begins epoch e1.rb1 (session.md 14)', async () => {
  let pressesAtSave = 0;
  const session = await open({
    outcome: (input, plain) => {
      const step = Number(session.world.runSteps) + 1;
      if (step === 40) {
        pressesAtSave = pressHash(input.after);
        return { ...plain, saveSlot: 'best' };
      }
      if (step === 80) return { ...plain, rollback: { slotId: 'best', trigger: 'stall' } };
      return plain;
    },
  });
  await session.run(79);
  await session.run(1);
  const { world } = session;
  expect(world.phase.epoch).toBe('e1.rb1');
  expect(Number(world.stores.AgentClock.ticks[world.agents[0]!]!)).toBe(2_500 + Math.floor((80 * 548_625) / 32_768));
  expect(pressHash(world.transition.after!)).toBe(pressesAtSave);
  expect(latest(session).discontinuity).toBe(true);
  expect(latest(session).events.map((event) => event.kind)).toContain('recovery');
  await session.run(1); // the first boundary with sound since (session.md 14)
  expect(latest(session).discontinuity).toBe(true);
  await session.run(1);
  expect(latest(session).discontinuity).toBe(false);
});

test('sugar is a pulse in the next step, never a reward, and shows as an event', async () => {
  const session = await open();
  await session.run(1);
  const answers: unknown[] = [];
  const request = { by: 'moss_piglet', source: 'operator' as const, durationMs: 400, agentId: null };
  session.world.commands.push({ kind: 'sugar', request, answer: (answer) => answers.push(answer) });
  await session.run(1);
  expect(answers).toEqual([{ kind: 'accepted', serial: 1, durationMs: 400, agentId: 'fly-a' }]);
  expect(latest(session).agents[0]!.stimulusRemainingMs).toBeGreaterThan(380);
  expect(latest(session).agents[0]!.rewardTotal).toBe(0);
  expect(latest(session).events[0]!.label).toBe('sugar by moss_piglet, 400 ms pulse');
});

test('a reward pulse is not shown as sugar, a sugar pulse is, until it ends', async () => {
  const session = await open();
  await session.run(64);
  expect(latest(session).agents[0]!.stimulusRemainingMs).toBe(80);
  expect(latest(session).sugar.active).toBe(false);
  const request = { by: 'a', source: 'operator' as const, durationMs: 100, agentId: null };
  await session.run(10);
  session.world.commands.push({ kind: 'sugar', request, answer: () => undefined });
  await session.run(1);
  expect(latest(session).sugar).toMatchObject({ active: true, lastBy: 'a', todayCount: 1 });
  expect(latest(session).sugar.remainingMs).toBe(latest(session).agents[0]!.stimulusRemainingMs);
  await session.run(6);
  expect(latest(session).sugar).toMatchObject({ active: false, remainingMs: 0 });
});

test('a second sugar before the first has faded is refused with the wait (session.md 18)', async () => {
  const session = await open();
  await session.run(1);
  const answers: unknown[] = [];
  const request = { by: 'a', source: 'operator' as const, durationMs: 400, agentId: null };
  for (let i = 0; i < 2; i++) {
    session.world.commands.push({ kind: 'sugar', request, answer: (answer) => answers.push(answer) });
  }
  await session.run(1);
  expect(answers[1]).toEqual({ kind: 'refused', reason: 'pulse-running', retryAfterMs: 400 });
});

test('before the first commit no pulse level is known and sugar waits one frame (session.md 18)', async () => {
  const session = await open();
  const answers: unknown[] = [];
  const request = { by: 'a', source: 'operator' as const, durationMs: null, agentId: null };
  session.world.commands.push({ kind: 'sugar', request, answer: (answer) => answers.push(answer) });
  await session.run(1);
  expect(answers).toEqual([{ kind: 'refused', reason: 'restored', retryAfterMs: 17 }]);
});

test('a pause holds the session at a boundary, still hears commands, and is no lag', async () => {
  const session = await open();
  await session.run(1);
  session.world.commands.push({ kind: 'pause', by: 'operator' });
  const running = session.run(3);
  await until(() => session.world.phase.name === 'paused', session);
  const paused = session.world.runSteps;
  session.clock.advanceMs(1_000);
  expect(session.world.runSteps).toBe(paused);
  expect(latest(session).status).toBe('paused');
  session.world.commands.push({ kind: 'resume', by: 'operator' });
  await until(() => session.world.phase.name !== 'paused', session);
  await running;
  expect(session.world.runSteps).toBe(4n);
  expect(session.world.lagMs).toBe(0);
});

test('a published snapshot carries what the transition did', async () => {
  const session = await open();
  await session.run(3);
  const snapshot = latest(session);
  expect(snapshot).toMatchObject({ step: '3', sequence: 3, status: 'running', epoch: 'e1', sessionId: 'test' });
  expect(snapshot.worldMs).toBeCloseTo(3 * 16.742706298828125, 9);
  expect(snapshot.agents[0]!.ratesHz).toHaveLength(session.world.handles.brains[0]!.rateRoles.length);
});

/** The null environment's memory of every joypad mask so far. */
function pressHash({ inspection }: Observation): number {
  return new DataView(inspection.buffer, inspection.byteOffset).getUint32(0xc004, true);
}

async function until(condition: () => boolean, { clock }: TestSession): Promise<void> {
  for (let i = 0; i < 10_000 && !condition(); i++) {
    clock.advanceMs(50);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(condition()).toBe(true);
}
