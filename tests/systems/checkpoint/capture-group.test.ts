import { expect, test } from 'vitest';
import { enterPhase } from '../../../engine/phase.ts';
import type { PhaseName } from '../../../engine/phase.ts';
import type { CheckpointWriter } from '../../../systems/checkpoint/checkpoint-queue.ts';
import { createSchedule } from '../../../systems/schedule.ts';
import { testDevices } from '../../fixture/test-schedule.ts';
import type { TestSession } from '../../fixture/test-session.ts';
import { captureNow, saveThrough, storedSessions } from './stored-session.ts';

const { open } = storedSessions();

/** A writer that takes everything and never answers. */
const SILENT: CheckpointWriter = {
  save: () => undefined,
  lookUp: () => Promise.resolve(false),
  close: () => Promise.resolve(),
};

/** Every phase without a committed boundary, and the way there from a session that stands at one. */
const WAYS: Readonly<Partial<Record<PhaseName, readonly PhaseName[]>>> = {
  preparing: ['preparing'],
  applying: ['preparing', 'applying'],
  observing: ['preparing', 'applying', 'observing'],
  committing: ['preparing', 'applying', 'observing', 'committing'],
  'rolling-back': ['rolling-back'],
  failed: ['failed'],
  restoring: ['failed', 'restoring'],
  resetting: ['paused', 'resetting'],
};

test.each(Object.entries(WAYS))(
  'PER-07 a capture while the session is %s is refused, again and again, and keeps no place in the queue (session.md 17.1)',
  async (_phase, way) => {
    const session = await open();
    const queue = saveThrough(SILENT, session.world);
    for (const next of way) enterPhase(session.world.phase, next);
    for (let turn = 0; turn < 3; turn++) {
      await expect(captureNow(session, 'asked')).rejects.toMatchObject({ code: 'INVALID_PHASE' });
    }
    expect([queue.outstanding, queue.refused]).toEqual([0, 0]);
  },
);

test('PER-07 a capture of a session that has not begun is refused and keeps no place in the queue', async () => {
  const outstanding: number[] = [];
  await open({
    begin: async (world) => {
      const queue = saveThrough(SILENT, world);
      for (let turn = 0; turn < 3; turn++) {
        await expect(captureNow({ world } as TestSession, 'asked')).rejects.toMatchObject({ code: 'INVALID_PHASE' });
        outstanding.push(queue.outstanding);
      }
    },
  });
  expect(outstanding).toEqual([0, 0, 0]);
});

test('PER-07 at every boundary the slot is saved before anything is captured (session.md 7)', async () => {
  const session = await open({ slotIds: ['best'], outcome: (_input, plain) => ({ ...plain, saveSlot: 'best' }) });
  const { environment, world } = session;
  const calls: string[] = [];
  const { capture, saveSlot } = environment;
  environment.capture = () => {
    calls.push(`capture ${world.phase.step}`);
    return capture();
  };
  environment.saveSlot = (slotId) => {
    calls.push(`slot ${world.phase.step}`);
    return saveSlot(slotId);
  };
  for (let step = 0; step < 4; step++) {
    world.captureRequested = 'asked';
    await session.run(1);
  }
  expect(calls).toEqual([1, 2, 3, 4].flatMap((step) => [`slot ${step}`, `capture ${step}`]));
});

test('PER-07 nothing between the commit and the slot save touches what is captured or asks for it', () => {
  const schedule = createSchedule(testDevices());
  const at = (name: string): number => schedule.findIndex((entry) => entry.name === name);
  const between = schedule.slice(at('commitBoundary') + 1, at('saveSlots'));
  expect(between.map(({ name }) => name)).toEqual(['settleAdmissions', 'recordTrace']);
  for (const { writes } of between) expect(writes).not.toContain('Captures');
});

test('PER-05 a store that never answers takes two saves and stops nothing; what is on the disk only grows older', async () => {
  const session = await open();
  const { clock, environment, world } = session;
  let isSilent = false;
  const queue = saveThrough(
    {
      ...SILENT,
      save(_job, _giveBack, reply) {
        if (!isSilent) reply({ kind: 'committed', byteLength: 1, trouble: null });
      },
    },
    world,
  );
  const calls = { capture: 0, exportState: 0 };
  const { capture } = environment;
  environment.capture = () => {
    calls.capture += 1;
    return capture();
  };
  const [brain] = world.handles.brains;
  const exportState = brain!.exportState.bind(brain);
  brain!.exportState = (spare) => {
    calls.exportState += 1;
    return exportState(spare);
  };
  world.captureRequested = 'asked';
  await session.run(1);
  expect(queue.durable).toMatchObject({ boundary: '1', atUnixMs: clock.unixMs() });
  isSilent = true;
  const savedAt = clock.unixMs();
  let accepted = 1;
  const ages: number[] = [];
  for (let turn = 0; turn < 40; turn++) {
    const before = queue.outstanding;
    world.captureRequested = 'asked';
    clock.advanceMs(200);
    await session.run(1);
    accepted += queue.outstanding - before;
    ages.push(clock.unixMs() - queue.durable!.atUnixMs);
    expect(queue.durable!.boundary).toBe('1');
  }
  expect(world.runSteps).toBe(41n);
  expect([queue.outstanding, accepted, queue.refused]).toEqual([2, 3, 38]);
  expect(calls).toEqual({ capture: accepted, exportState: accepted }); // a refusal copies nothing
  expect(ages).toEqual(Array.from({ length: 40 }, (_, turn) => (turn + 1) * 200));
  expect(queue.durable!.atUnixMs).toBe(savedAt);
});
