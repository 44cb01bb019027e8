import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { DecisionContext, TaskOutcome } from '../../engine/contract/task.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import { projectRetina } from '../../systems/kernel/retina.ts';
import { createMemoryLog } from '../fixture/test-schedule.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { openTestSession } from '../fixture/test-session.ts';
import type { TestSession } from '../fixture/test-session.ts';
import { syntheticConnectome } from './kernel/test-graphs.ts';

// One test per system of systems/schedule.ts that tests/systems/session.test.ts does not already break without.

const open = closedAfterEach(openTestSession);

const latest = ({ devices }: TestSession): Snapshot => devices.publisher.latest!;
const withEvent = (plain: TaskOutcome, label: string): TaskOutcome => ({
  ...plain,
  events: [{ kind: 'system', tier: 'quiet', label, value: null, agentIndex: 0, dedupeKey: label, dedupeMs: 0 }],
});

test('advanceBrains: spikes of every transition add up to what the brain returned', async () => {
  let spikes = 0;
  const session = await open({
    wrapBrain: (brain) => ({
      ...brain,
      async advance(ticks) {
        const count = await brain.advance(ticks);
        spikes += count;
        return count;
      },
    }),
  });
  spikes = 0; // those of the warm-up are no part of the run
  await session.run(30);
  const agent = session.world.agents[0]!;
  expect(session.world.stores.Tally.spikesTotal[agent]).toBe(spikes);
  expect(spikes).toBeGreaterThan(0);
});

test('installSensory: the columns carry the picture of the boundary just reached (brain.md 4.6)', async () => {
  const session = await open();
  await session.run(5);
  const { retina } = syntheticConnectome();
  const expected = new Float32Array(retina.count);
  projectRetina(session.world.transition.after!.views[0]!, 160, 144, retina, 0.2, expected);
  expect(Math.max(...expected)).toBeGreaterThan(0);
  expect(Array.from(session.world.handles.brains[0]!.visualDrive)).toEqual(Array.from(expected));
});

test('readoutDecide and retainContext: a decision sees exactly the context the task gave before', async () => {
  const seen: DecisionContext[] = [];
  const session = await open({
    outcome: (_, plain) => ({
      ...plain,
      contexts: [{ boot: session.world.runSteps % 2n === 0n, bound: [], location: null }],
    }),
  });
  const readout = session.world.handles.readouts[0]!;
  session.world.handles.readouts[0] = {
    ...readout,
    decide(rates, nowMs, context) {
      seen.push(context);
      return readout.decide(rates, nowMs, context);
    },
  };
  await session.run(4);
  expect(seen.map(({ boot }) => boot)).toEqual([false, true, false, true]);
});

test.each([
  ['another port', { portId: 'p9', buttons: Array.from({ length: 8 }, () => false), axes: [] }],
  ['too few buttons', { portId: 'p1', buttons: [true], axes: [] }],
])('assembleBatch: an intent with %s is refused and never reaches the world', async (_, intent) => {
  const session = await open();
  let advances = 0;
  const { environment } = session.world.handles;
  const advance = environment.advance.bind(environment);
  environment.advance = (batch) => {
    advances += 1;
    return advance(batch);
  };
  session.world.handles.executors[0] = { apply: () => intent };
  await expect(session.run(1)).rejects.toMatchObject({ code: 'RECOVERY_GIVEN_UP' });
  expect(session.reports[0]).toContain('CONTROL_BATCH');
  expect(advances).toBe(0);
});

test('verifyObservation: a picture of the wrong size fails the transition before the task sees it', async () => {
  let evaluated = 0;
  const session = await open({
    outcome(_, plain) {
      evaluated += 1;
      return plain;
    },
  });
  const { environment } = session.world.handles;
  const advance = environment.advance.bind(environment);
  environment.advance = async (batch) => ({ ...(await advance(batch)), views: [new Uint8Array(10)] });
  await expect(session.run(1)).rejects.toMatchObject({ code: 'RECOVERY_GIVEN_UP' });
  expect(session.reports[0]).toContain('OBSERVATION');
  expect(evaluated).toBe(0);
});

test('evaluateTask, publish and logEvents: an event is shown once, with its id, and logged once', async () => {
  const session = await open({
    outcome: (_, plain) => (session.world.runSteps === 1n ? withEvent(plain, 'a thing happened') : plain),
  });
  const shown: string[] = [];
  for (let i = 0; i < 4; i++) {
    await session.run(1);
    shown.push(...latest(session).events.map((event) => `${event.id} ${event.label}`));
  }
  expect(shown).toEqual(['1 a thing happened']);
  const { lines } = session.devices.eventLog as ReturnType<typeof createMemoryLog>;
  expect(lines).toEqual([expect.objectContaining({ id: 1, label: 'a thing happened', session: 'test', step: '2' })]);
});

test('R2 evaluateTask and logEvents: a reward is logged once, with rule, recipient, event id and boundary (session.md 11)', async () => {
  const twice = [0.5, 0.25].map((value) => ({ ruleId: 'ground', value }));
  const session = await open({
    outcome: (_, plain) =>
      session.world.runSteps === 2n ? { ...plain, agents: [{ rewards: twice, stimulationsMs: [] }] } : plain,
  });
  await session.run(5);
  const { lines } = session.devices.eventLog as ReturnType<typeof createMemoryLog>;
  // `ev-` and 16 digits of SHA-256(epoch LF source step LF rule LF ordinal LF), spec: session.md 2.4
  const id = (ordinal: number): string =>
    `ev-${createHash('sha256').update(`e1\n3\nground\n${ordinal}\n`).digest('hex').slice(0, 16)}`;
  const common = { ruleId: 'ground', agentId: 'fly-a', epoch: 'e1', sourceStep: '3' };
  expect(lines).toEqual([
    expect.objectContaining({ session: 'test', reward: { ...common, eventId: id(0), value: 0.5 } }),
    expect.objectContaining({ session: 'test', reward: { ...common, eventId: id(1), value: 0.25 } }),
  ]);
});

test('settleAdmissions: a pulse is applied once and settles', async () => {
  const pulses: number[] = [];
  const session = await open({
    wrapBrain: (brain) => ({
      ...brain,
      stimulate(ms) {
        pulses.push(ms);
        brain.stimulate(ms);
      },
    }),
  });
  await session.run(1);
  const request = { by: 'a', source: 'operator' as const, durationMs: 300, agentId: null };
  session.world.commands.push({ kind: 'sugar', request, answer: () => undefined });
  await session.run(5);
  expect(pulses).toEqual([300]);
  expect(session.world.interactions).toEqual([]);
});

test('recordTrace: two runs that differ only in a reward of the last step have different digests', async () => {
  const digestWith = async (value: number): Promise<string> => {
    const session = await open({
      outcome: (_, plain) => ({
        ...plain,
        agents: [{ rewards: [{ ruleId: 'only', value }], stimulationsMs: [] }],
      }),
    });
    await session.run(1);
    return session.devices.trace.digest();
  };
  expect(await digestWith(0.25)).not.toBe(await digestWith(0.5));
});

test('applyRollback: eligibility of every brain is cleared and its gains are not (session.md 14)', async () => {
  let cleared = 0;
  const session = await open({
    outcome: (_, plain) => {
      const step = session.world.runSteps + 1n;
      if (step === 70n) return { ...plain, saveSlot: 'best' };
      return step === 80n ? { ...plain, rollback: { slotId: 'best', trigger: 'stall' } } : plain;
    },
    wrapBrain: (brain) => ({
      ...brain,
      clearEligibility() {
        cleared += 1;
        brain.clearEligibility();
      },
    }),
  });
  await session.run(79);
  const before = session.world.handles.brains[0]!.exportState().plasticity;
  expect(Math.max(...before.traces.map(Math.abs))).toBeGreaterThan(0);
  await session.run(1);
  const after = session.world.handles.brains[0]!.exportState().plasticity;
  expect(cleared).toBe(1);
  expect(Math.max(...after.traces.map(Math.abs))).toBe(0);
  expect(after.updates).toBe(before.updates);
});

test('measureHealth: the real-time factor is simulated over wall time of the last second', async () => {
  const session = await open({
    outcome(_, plain) {
      session.clock.advanceMs(2 * 16.742706298828125); // every step takes twice its own length
      return plain;
    },
  });
  await session.run(80);
  expect(session.world.realTimeFactor).toBeCloseTo(0.5, 2);
  await session.run(1);
  expect(latest(session).realTimeFactor).toBeCloseTo(0.5, 2);
});

test('pace: what the pacer lost is what viewers are told', async () => {
  const session = await open();
  const { pacer } = session.devices;
  Object.defineProperty(pacer, 'lagMs', { get: () => 1_234 });
  await session.run(2);
  expect(latest(session).lagMs).toBe(1_234);
});

test('logEvents: the log is asked to write at every boundary, so that a quiet show reaches the disk too', async () => {
  const session = await open();
  let asked = 0;
  session.devices.eventLog.flushIfDue = () => {
    asked += 1;
  };
  await session.run(3);
  expect(asked).toBe(3);
});
