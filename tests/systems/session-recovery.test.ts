import { expect, test } from 'vitest';
import type { EventLog } from '../../engine/event-log.ts';
import type { TestSession } from '../fixture/test-session.ts';
import {
  BERRY,
  captureNow,
  publishedBy,
  saveInto,
  stateOf,
  stepOf,
  stored,
  storedSessions,
} from './checkpoint/stored-session.ts';

const { open, newStore, resume } = storedSessions();

test('PER-08 an installation that fails half way is overwritten as a whole by the next candidate (session.md 16)', async () => {
  const folders = newStore();
  const first = await open();
  saveInto(folders, first);
  await first.run(1);
  const good = stateOf(first);
  await first.run(63);
  // world, brain and readout of 64 are good and put back; its ledger is not and is refused after them
  const session = await resume((world) => {
    const restore = world.handles.task.restore.bind(world.handles.task);
    world.handles.task.restore = (ledger) => {
      if ((ledger as { rewards: number }).rewards > 0) throw new Error('ledger');
      restore(ledger);
    };
    return stored(folders)(world);
  });
  expect(session.world.phase).toMatchObject({ name: 'ready', step: 1n, epoch: 'e2' });
  expect(stateOf(session)).toEqual(good);
});

test('PER-08 in a running session a failed restore leaves it fenced: nothing steps, the run ends by name', async () => {
  const session = await open({ recovery: { stored: () => [] } });
  await session.run(10);
  session.world.handles.task.restore = () => {
    throw new Error('ledger');
  };
  session.environment.die('signal SIGSEGV');
  const steps = session.world.runSteps;
  await expect(session.run(10)).rejects.toMatchObject({ code: 'RESTORE_FAILED' });
  expect(session.world.phase.name).toBe('restoring');
  expect(session.world.runSteps).toBe(steps);
});

test('PER-08 after a failed restore another run advances nothing and publishes nothing; a complete one lifts the fence', async () => {
  const session = await open({ recovery: { stored: () => [] } });
  const { devices, environment, world } = session;
  await session.run(10);
  const { task } = world.handles;
  const restore = task.restore.bind(task);
  task.restore = () => {
    throw new Error('ledger');
  };
  let advances = 0;
  const { advance } = environment;
  environment.advance = (batch) => {
    advances += 1;
    return advance(batch);
  };
  environment.die('signal SIGSEGV');
  await expect(session.run(10)).rejects.toMatchObject({ code: 'RESTORE_FAILED' });
  const shown = publishedBy(session);
  const before = [world.runSteps, devices.publisher.published, advances, world.phase.epoch];
  for (let turn = 0; turn < 3; turn++) {
    const ticks = world.handles.brains[0]!.ticks();
    await expect(session.run(10)).rejects.toMatchObject({ code: 'RESTORE_FAILED' });
    expect(world.handles.brains[0]!.ticks()).toBe(ticks);
    await expect(captureNow(session, 'asked')).rejects.toMatchObject({ code: 'INVALID_PHASE' });
  }
  expect([world.runSteps, devices.publisher.published, advances, world.phase.epoch]).toEqual(before);
  expect(shown).toEqual([]);

  task.restore = restore;
  world.captureRequested = null;
  await session.run(10);
  expect(world.phase).toMatchObject({ name: 'ready', epoch: 'e2' });
  expect(shown[0]).toMatchObject({ epoch: 'e2', step: '2', discontinuity: true });
});

test('a recovery whose capture in memory fails goes on from the store', async () => {
  const folders = newStore();
  const session: TestSession = await open({ recovery: { stored: () => stored(folders)(session.world) } });
  saveInto(folders, session);
  await session.run(70);
  const { latest } = session.world.captures;
  session.world.captures = {
    ...session.world.captures,
    reserve: () => null,
    latest: async () => ({ ...(await latest())!, environment: Uint8Array.of(1, 2, 3) }),
  };
  session.environment.die('signal SIGSEGV');
  await session.run(5);
  const restored = session.lifecycle.find((event) => event.kind === 'restored');
  expect(restored).toMatchObject({ from: 'checkpoint', step: 64n });
  expect(session.reports.join('\n')).toMatch(/capture in memory: ENVIRONMENT_STATE/);
});

test('PER-09 nothing of the old epoch appears after a restore: no event, no sugar, no unmarked sound', async () => {
  const session = await open();
  await session.run(70);
  const { publisher } = session.devices;
  const before = publisher.latest!.sequence;
  const shown = publishedBy(session);
  const eventsBefore = session.world.outbox.nextEventId;
  const request = { by: 'moss', source: 'operator' as const, durationMs: 400, agentId: null };
  session.world.commands.push({ kind: 'sugar', request, answer: () => undefined });
  session.environment.die('signal SIGSEGV');
  await session.run(1); // dies with the sugar already in the brain, then repeats 65..71
  expect(shown.map(({ step, epoch, discontinuity }) => [step, epoch, discontinuity])).toEqual(
    [65, 66, 67, 68, 69, 70, 71].map((step) => [String(step), 'e2', step === 65]),
  );
  expect(shown[0]!.sequence).toBeGreaterThan(before);
  const events = shown.flatMap((snapshot) => snapshot.events);
  expect(events.map(({ kind }) => kind)).toEqual(['recovery']);
  expect(events[0]!.id).toBe(eventsBefore);
  const [agent] = shown.at(-1).agents;
  expect(agent!.stimulusRemainingMs).toBeLessThanOrEqual(80); // what is left of the reward pulse of boundary 64
});

test('PER-09 an event of the step that failed never appears, neither on screen nor in the log', async () => {
  let hasFailed = false;
  const session = await open({
    outcome: ({ after }, plain) => ({
      ...plain,
      events: stepOf(after) === 40 && !hasFailed ? [BERRY] : [],
    }),
    wrapBrain: (brain) => {
      const reinforce = brain.reinforce.bind(brain);
      brain.reinforce = (sum) => {
        if (brain.ticks() === 2_500 + Math.floor((40 * 548_625) / 32_768) && !hasFailed) {
          hasFailed = true;
          throw new Error('reinforce');
        }
        reinforce(sum);
      };
      return brain;
    },
  });
  const shown = publishedBy(session);
  await session.run(60);
  expect(hasFailed).toBe(true);
  expect(session.world.phase.epoch).toBe('e2');
  const { lines } = session.devices.eventLog as EventLog & { lines: object[] };
  const events = shown.flatMap((snapshot) => snapshot.events.map(({ kind, label }) => ({ kind, label })));
  expect(events).toEqual([{ kind: 'recovery', label: 'continued from step 1' }]);
  expect(lines).toEqual([expect.objectContaining(events[0]!)]);
});

test('PER-10 a rollback that fails falls back to the group: the last capture, in a new epoch (session.md 14)', async () => {
  const session = await open({
    outcome: (_input, plain) => {
      const step = Number(session.world.runSteps) + 1;
      if (step === 40) return { ...plain, saveSlot: 'best' };
      return step === 80 && session.world.epochs === 1
        ? { ...plain, rollback: { slotId: 'best', trigger: 'stall' } }
        : plain;
    },
  });
  await session.run(79);
  session.world.handles.environment.restoreSlot = () => Promise.reject(new Error('slot'));
  await session.run(3);
  expect(session.lifecycle.find((event) => event.kind === 'restored')).toMatchObject({ from: 'capture', step: 64n });
  expect(session.world.phase.epoch).toBe('e2');
  expect(session.world.phase.name).toBe('ready');
});
