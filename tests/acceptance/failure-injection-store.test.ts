import { expect, test } from 'vitest';
import type { GroupCapture } from '../../engine/group-capture.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { createCheckpointQueue } from '../../systems/checkpoint/checkpoint-queue.ts';
import type { CheckpointEvent, CheckpointQueue, SaveReply } from '../../systems/checkpoint/checkpoint-queue.ts';
import { resumeSession } from '../../systems/session/recover-session.ts';
import { closedAfterEach } from '../fixture/closed-after-each.ts';
import { stateOf } from '../fixture/match-state.ts';
import { matchStores, saveNow } from '../fixture/match-store.ts';
import type { MatchStore } from '../fixture/match-store.ts';
import { openTestMatch } from '../fixture/test-match.ts';
import type { TestMatch } from '../fixture/test-match.ts';

// The faults of session.md 25 that lie in saving and in putting back.

const newStore = matchStores();
const open = closedAfterEach(openTestMatch);

test('failure injection: fourth participant fails staging: the whole state is refused, the next one is taken whole', async () => {
  const store = newStore();
  const { good, reports, match } = await resumeOver(store, (capture) => ({
    ...capture,
    agents: capture.agents.map((agent) =>
      agent.agentId === 'fly-d'
        ? { ...agent, brain: { ...agent.brain, membrane: spoilt(agent.brain.membrane) } }
        : agent,
    ),
  }));
  expect(reports[0]).toMatch(/ckpt-3.*BRAIN_STATE/);
  expect(match.world.phase).toMatchObject({ name: 'ready', step: 30n });
  expect(stateOf(match)).toEqual(good);
});

test('failure injection: activation fails half way with four flies: none of the half-installed state is left', async () => {
  const store = newStore();
  const { good, reports, match } = await resumeOver(
    store,
    (capture) => capture,
    (world) => {
      const third = world.handles.readouts[2]!;
      const importState = third.importState.bind(third);
      let calls = 0;
      third.importState = (state) => {
        calls += 1;
        if (calls === 1) throw new Error('half way'); // world, three brains and two readouts are in
        importState(state);
      };
    },
  );
  expect(reports[0]).toMatch(/ckpt-3.*half way/);
  expect(match.world.phase).toMatchObject({ name: 'ready', step: 30n });
  expect(stateOf(match)).toEqual(good);
});

test('failure injection: activation fails half way and nothing else is left: nothing resumes', async () => {
  const store = newStore();
  let resumed: SessionWorld | null = null;
  await expect(
    resumeOver(
      store,
      (capture) => capture,
      (world) => {
        resumed = world;
        world.handles.readouts[2]!.importState = () => {
          throw new Error('half way');
        };
      },
    ),
  ).rejects.toMatchObject({ code: 'RESTORE_FAILED' });
  expect(resumed!.phase.name).toBe('restoring');
  expect(resumed!.transitionsBegun).toBe(0);
});

test('failure injection: writer stalls: two saves wait, the others are refused, no step waits', async () => {
  const whole = await uninterrupted(2, 40);
  const match = await open({ flies: 2 });
  const queue = queueOver(match, () => undefined);
  for (let step = 0; step < 40; step++) {
    match.world.captureRequested = 'asked';
    await match.run(1);
    expect(queue.outstanding).toBeLessThanOrEqual(2);
  }
  expect(stateOf(match)).toEqual(whole);
  expect(queue.refused).toBe(38);
  expect(queue.durable).toBeNull();
});

test('failure injection: disk full: every save fails honestly, the match goes on, the next one that fits counts', async () => {
  const whole = await uninterrupted(2, 40);
  const match = await open({ flies: 2 });
  let isFull = true;
  const events: CheckpointEvent[] = [];
  const queue = queueOver(
    match,
    (reply) =>
      reply(
        isFull
          ? { kind: 'failed', code: 'CHECKPOINT_DISK_FULL', message: 'ENOSPC' }
          : { kind: 'committed', byteLength: 1, trouble: null },
      ),
    (event) => events.push(event),
  );
  for (let step = 0; step < 20; step++) {
    match.world.captureRequested = 'asked';
    await match.run(1);
  }
  expect(queue.durable).toBeNull();
  expect(events.filter(({ kind }) => kind === 'failed')).toHaveLength(20);
  isFull = false;
  match.world.captureRequested = 'asked';
  await match.run(20);
  expect(queue.durable).toMatchObject({ boundary: '21' });
  expect(stateOf(match)).toEqual(whole);
});

/** Saves of this match go to a disk that answers as told, or never. */
function queueOver(
  { world }: TestMatch,
  answer: (reply: (reply: SaveReply) => void) => void,
  onEvent: (event: CheckpointEvent) => void = () => undefined,
): CheckpointQueue {
  const queue = createCheckpointQueue({
    writer: {
      save(job, giveBack, reply) {
        giveBack(job.capture);
        answer(reply);
      },
      lookUp: () => Promise.resolve(false),
      close: () => Promise.resolve(),
    },
    clock: world.clock,
    lastGeneration: 0,
    archivedRank: world.bestRank,
    onEvent,
    onTrouble: () => undefined,
  });
  world.captures = queue;
  return queue;
}

/**
 * Four flies saved at 30 and, changed, at 60; a second match resumes from that store.
 * @returns `good`: what they were at 30
 */
async function resumeOver(
  store: MatchStore,
  change: (capture: GroupCapture) => GroupCapture,
  prepare: (world: SessionWorld) => void = () => undefined,
): Promise<{ good: unknown; reports: string[]; match: TestMatch }> {
  const first = await open({ flies: 4 });
  store.take(first);
  await first.run(30);
  await saveNow(first);
  const good = stateOf(first);
  await first.run(30);
  await saveNow(first);
  const newest = store.candidates(first.world)[0]!;
  store.rewrite(first, newest.name.split(' ').at(-1), change);
  const reports: string[] = [];
  const match = await open({
    flies: 4,
    begin(world) {
      prepare(world);
      return resumeSession(world, store.candidates(world), (line) => reports.push(line));
    },
  });
  return { good, reports, match };
}

function spoilt(membrane: Float32Array): Float32Array {
  const copy = membrane.slice();
  copy[9] = NaN;
  return copy;
}

async function uninterrupted(flies: number, transitions: number): Promise<unknown> {
  const match = await open({ flies });
  await match.run(transitions);
  return stateOf(match);
}
