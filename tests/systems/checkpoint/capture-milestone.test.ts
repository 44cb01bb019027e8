import { expect, test } from 'vitest';
import type { MatchProgress, TaskOutcome } from '../../../engine/contract/task.ts';
import type { GroupCapture } from '../../../engine/group-capture.ts';
import { createSchedule } from '../../../systems/schedule.ts';
import { testDevices } from '../../fixture/test-schedule.ts';
import type { TestSession, TestSessionOptions } from '../../fixture/test-session.ts';
import { archivesOf, captureNow, saveInto, saveThrough, stored, storedSessions } from './stored-session.ts';

const { open, newStore, resume } = storedSessions();

/** The counting task (a rung at 64, 128 and 192) with a slot, and what it answers at some boundaries. */
function atBoundaries(answers: Readonly<Record<number, Partial<TaskOutcome>>>): TestSessionOptions {
  return {
    slotIds: ['best'],
    outcome({ after }, plain) {
      const step = new DataView(after.inspection.buffer, after.inspection.byteOffset).getUint32(0xc000, true);
      return { ...plain, ...answers[step] };
    },
  };
}

const SAVE = { saveSlot: 'best' };
const SAVE_AND_ROLL_BACK = { saveSlot: 'best', rollback: { slotId: 'best', trigger: 'stall' } };

/** Steps of the world in the slot that a capture holds; null for an empty slot. */
function slotStepsOf({ environment }: GroupCapture): number | null {
  const { slots } = JSON.parse(new TextDecoder().decode(environment)) as { slots: { best?: { steps: number } } };
  return slots.best?.steps ?? null;
}

type Submitted = {
  readonly reason: string;
  readonly epoch: string;
  readonly step: bigint;
  readonly rank: number | null;
};

/** Everything this session hands to a store that commits at once, unless it is busy. */
function submissionsOf(session: TestSession, isBusy: () => boolean = () => false): Submitted[] {
  const submitted: Submitted[] = [];
  const queue = saveThrough(
    {
      save({ archiveRank, capture }, _giveBack, reply) {
        const { reason, epoch, step } = capture;
        submitted.push({ reason, epoch, step, rank: archiveRank });
        reply({ kind: 'committed', byteLength: 1, trouble: null });
      },
      lookUp: () => Promise.resolve(false),
      close: () => Promise.resolve(),
    },
    session.world,
  );
  const { reserve } = queue;
  queue.reserve = (kind) => (isBusy() ? null : reserve(kind));
  return submitted;
}

test('PER-12 a rung reached at an unsafe moment is archived three boundaries later, with its slot (session.md 7)', async () => {
  const folders = newStore();
  const session = await open(atBoundaries({ 67: SAVE }));
  saveInto(folders, session);
  await session.run(66);
  expect(session.world.bestRank).toBe(0);
  expect(archivesOf(folders, session)).toEqual([]);
  await session.run(4);
  const archives = archivesOf(folders, session);
  expect(archives.map(({ step, bestRank, slotRank }) => [step, bestRank, slotRank])).toEqual([[67n, 0, 0]]);
  expect(slotStepsOf(archives[0]!)).toBe(67);
  expect(archives[0]!.taskLedger).toEqual({ rewards: 1 });
});

test('PER-12 a rung whose slot was never saved is never archived; the next one is, with its own slot', async () => {
  const folders = newStore();
  const session = await open(atBoundaries({ 130: SAVE, 140: SAVE }));
  saveInto(folders, session);
  await session.run(150);
  const archives = archivesOf(folders, session);
  expect(archives.map(({ step, bestRank }) => [step, bestRank])).toEqual([[130n, 1]]);
  expect(slotStepsOf(archives[0]!)).toBe(130);
});

test('PER-12 a task without slots is archived where it climbs (session.md 17.4)', async () => {
  const folders = newStore();
  const session = await open();
  saveInto(folders, session);
  await session.run(130);
  expect(archivesOf(folders, session).map(({ step, bestRank }) => [step, bestRank])).toEqual([
    [128n, 1],
    [64n, 0],
  ]);
});

test('PER-12 a busy store is asked again: the archive of the boundary after still holds best and slot', async () => {
  const session = await open(atBoundaries({ 64: SAVE }));
  const submitted = submissionsOf(session, () => [64n, 65n].includes(session.world.runSteps));
  await session.run(70);
  expect(submitted.filter(({ rank }) => rank !== null)).toEqual([
    { reason: 'rung 0', epoch: 'e1', step: 66n, rank: 0 },
  ]);
});

test('PER-12 a store that is busy until the next rung is climbed gets no archive of best = 1 beside slot 0', async () => {
  const session = await open(atBoundaries({ 64: SAVE, 135: SAVE }));
  const submitted = submissionsOf(session, () => session.world.runSteps >= 64n && session.world.runSteps < 128n);
  await session.run(140);
  expect(submitted.filter(({ rank }) => rank !== null)).toEqual([
    { reason: 'rung 1', epoch: 'e1', step: 135n, rank: 1 },
  ]);
});

test('PER-12 a process that ends between the climb and the slot leaves the archive to the next one', async () => {
  const folders = newStore();
  const options = atBoundaries({ 67: SAVE });
  const first = await open(options);
  saveInto(folders, first);
  await first.run(65);
  await captureNow(first, 'shutdown');
  const second = await resume(stored(folders), options);
  saveInto(folders, second);
  await second.run(5);
  expect(archivesOf(folders, second).map(({ step, bestRank, slotRank }) => [step, bestRank, slotRank])).toEqual([
    [67n, 0, 0],
  ]);
});

test('a rung once archived is not archived again by the process that goes on from it', async () => {
  const folders = newStore();
  const options = atBoundaries({ 64: SAVE });
  const first = await open(options);
  saveInto(folders, first);
  await first.run(64);
  const second = await resume(stored(folders), options);
  saveInto(folders, second);
  await captureNow(second, 'start');
  await second.run(5);
  expect(archivesOf(folders, second).map(({ step }) => step)).toEqual([64n]);
});

test('PER-12 a climb and a rollback in one transition: the archive is of the world before, the next save of the one after', async () => {
  const session = await open(atBoundaries({ 64: SAVE_AND_ROLL_BACK }));
  const submitted = submissionsOf(session);
  await session.run(64);
  expect(submitted.slice(1)).toEqual([
    { reason: 'rung 0', epoch: 'e1', step: 64n, rank: 0 },
    { reason: 'rollback', epoch: 'e1.rb1', step: 64n, rank: null },
  ]);
});

test('the boundary ends in this order: slot, milestone, rollback, its save, publication, interval saves (session.md 7)', () => {
  const order = createSchedule(testDevices()).map(({ name }) => name);
  const tail = [
    'saveSlots',
    'captureMilestone',
    'applyRollback',
    'saveAfterRollback',
    'publish',
    'captureGroup',
    'pauseGate',
    'applyEpisodePolicy',
  ];
  expect(order.filter((name) => tail.includes(name))).toEqual(tail);
});

test('a match keeps no archive however many rounds are over (session.md 15)', async () => {
  const session = await open({
    outcome: (_input, plain) => {
      const progress = { ...plain.progress, schema: 'match.progress.v1' } as MatchProgress;
      return { ...plain, progress };
    },
  });
  const submitted = submissionsOf(session);
  await session.run(200); // three rounds: the rank is 2
  expect(submitted.map(({ rank }) => rank)).toEqual([null]);
  expect(session.world.bestRank).toBe(-1);
});
