import { expect, test } from 'vitest';
import { createFakeClock } from '../../../engine/clock.ts';
import type { FakeClock } from '../../../engine/clock.ts';
import type { GroupCapture } from '../../../engine/group-capture.ts';
import { DEADLINE_MS, createCheckpointQueue } from '../../../systems/checkpoint/checkpoint-queue.ts';
import type { CheckpointQueue, CheckpointWriter, SaveReply } from '../../../systems/checkpoint/checkpoint-queue.ts';
import type { SaveJob } from '../../../systems/checkpoint/write-checkpoint.ts';
import { exampleCapture } from './example-group.ts';

type Running = {
  readonly job: SaveJob;
  readonly giveBack: (capture: GroupCapture) => void;
  readonly reply: (reply: SaveReply) => void;
};

/** A writer that does what the test says, when it says it. */
function createHandWriter(): CheckpointWriter & {
  readonly running: Running[];
  committed: string[];
  asked: string[];
  closed: boolean[];
} {
  const running: Running[] = [];
  const committed: string[] = [];
  const asked: string[] = [];
  const closed: boolean[] = [];
  return {
    running,
    committed,
    asked,
    closed,
    save: (job, giveBack, reply) => void running.push({ job, giveBack, reply }),
    lookUp: ({ checkpointId }) => {
      asked.push(checkpointId);
      return Promise.resolve(committed.includes(checkpointId));
    },
    close: (clearHot) => {
      closed.push(clearHot);
      return Promise.resolve();
    },
  };
}

type Setup = {
  readonly queue: CheckpointQueue;
  readonly writer: ReturnType<typeof createHandWriter>;
  readonly clock: FakeClock;
  readonly events: string[];
  readonly troubles: string[];
};

function setUp(): Setup {
  const writer = createHandWriter();
  const clock = createFakeClock();
  const events: string[] = [];
  const troubles: string[] = [];
  const queue = createCheckpointQueue({
    writer,
    clock,
    lastGeneration: 0,
    archivedRank: 2,
    onEvent: ({ kind, checkpointId }) => void events.push(`${kind} ${checkpointId}`),
    onTrouble: (code) => void troubles.push(code),
  });
  return { queue, writer, clock, events, troubles };
}

const COMMITTED: SaveReply = { kind: 'committed', byteLength: 100, trouble: null };

/** Reserves, copies and submits, as a session does. */
function submit({ queue }: Setup, kind: 'hot' | 'durable', step: bigint, change: Partial<GroupCapture> = {}): boolean {
  const slot = queue.reserve(kind);
  return slot !== null && slot.submit(exampleCapture(step, change), null);
}

test('a save is captured, queued and committed, in this order (session.md 17.4)', () => {
  const setup = setUp();
  submit(setup, 'durable', 1n);
  expect(setup.events).toEqual(['captured ckpt-1', 'queued ckpt-1']);
  expect(setup.queue.durable).toBeNull();
  setup.clock.advanceMs(40);
  setup.writer.running[0]!.reply(COMMITTED);
  expect(setup.events).toEqual(['captured ckpt-1', 'queued ckpt-1', 'committed ckpt-1']);
  expect(setup.queue.durable).toEqual({
    checkpointId: 'ckpt-1',
    boundary: '1',
    atUnixMs: setup.clock.unixMs(),
  });
});

test('PER-05 a stalled writer holds two saves; a waiting hot one gives way, the newest stays (session.md 17.1)', () => {
  const setup = setUp();
  for (let step = 1n; step <= 20n; step++) expect(submit(setup, 'hot', step)).toBe(true);
  expect([setup.queue.outstanding, setup.writer.running.length]).toEqual([2, 1]);
  expect(setup.events.filter((event) => event.startsWith('superseded'))).toHaveLength(18);
  setup.writer.running[0]!.reply(COMMITTED);
  expect(setup.writer.running[1]!.job.capture.step).toBe(20n);
});

test('PER-05 a waiting durable save is never given up: the next one is refused before anything is copied', () => {
  const setup = setUp();
  submit(setup, 'hot', 1n);
  submit(setup, 'durable', 2n);
  expect(setup.queue.reserve('durable')).toBeNull();
  expect(setup.queue.reserve('hot')).toBeNull();
  expect([setup.queue.refused, setup.queue.outstanding]).toEqual([2, 2]);
  expect(setup.troubles).toEqual(['CHECKPOINT_BUSY']); // told once
  setup.writer.running[0]!.reply(COMMITTED);
  setup.writer.running[1]!.reply(COMMITTED);
  expect(setup.events.filter((event) => /superseded|failed/.test(event))).toEqual([]);
  expect(setup.queue.durable?.boundary).toBe('2');
  expect(submit(setup, 'durable', 3n)).toBe(true);
});

test('PER-05 a waiting durable save takes the place of a waiting hot one', () => {
  const setup = setUp();
  submit(setup, 'hot', 1n);
  submit(setup, 'hot', 2n);
  submit(setup, 'durable', 3n);
  expect(setup.events).toContain('superseded ckpt-2');
  setup.writer.running[0]!.reply(COMMITTED);
  expect(setup.writer.running[1]!.job).toMatchObject({ kind: 'durable', checkpointId: 'ckpt-3' });
});

test('PER-05 at most 64 MiB wait; what is larger is let go and refused (session.md 17.1)', () => {
  const setup = setUp();
  const mebibytes = (count: number): Partial<GroupCapture> => ({ environment: new Uint8Array(count * 1024 * 1024) });
  expect(submit(setup, 'durable', 1n, mebibytes(40))).toBe(true);
  expect(submit(setup, 'durable', 2n, mebibytes(30))).toBe(false);
  expect(setup.queue.outstanding).toBe(1);
  expect(setup.queue.queuedBytes).toBeLessThan(64 * 1024 * 1024);
  expect(submit(setup, 'durable', 3n, mebibytes(20))).toBe(true);
});

test('a place that was reserved and not used is free again', () => {
  const setup = setUp();
  for (let i = 0; i < 10; i++) setup.queue.reserve('durable')!.release();
  expect(setup.queue.outstanding).toBe(0);
});

test('a save that does not end is called stalled once, and may still end well', () => {
  const setup = setUp();
  submit(setup, 'durable', 1n);
  setup.clock.advanceMs(10_000);
  submit(setup, 'hot', 2n);
  submit(setup, 'hot', 3n);
  expect(setup.troubles).toEqual(['CHECKPOINT_STALLED']);
  expect(setup.queue.stalledMs()).toBe(10_000);
  expect(setup.queue.durable).toBeNull();
  setup.writer.running[0]!.reply(COMMITTED);
  expect(setup.queue.durable?.boundary).toBe('1');
});

test.each([
  ['committed', true, 'ckpt-1'],
  ['failed', false, null],
] as const)(
  'PER-06 a lost reply is %s when the store says so, and moves no mark before',
  async (kind, isThere, mark) => {
    const setup = setUp();
    submit(setup, 'durable', 1n);
    if (isThere) setup.writer.committed.push('ckpt-1');
    setup.writer.running[0]!.reply({ kind: 'lost', message: 'the thread ended' });
    expect(setup.queue.durable).toBeNull();
    await setup.queue.settle(1_000);
    expect(setup.events.at(-1)).toBe(`${kind} ckpt-1`);
    expect(setup.queue.durable?.checkpointId ?? null).toBe(mark);
    expect(setup.writer.running).toHaveLength(1); // never saved a second time
    expect(setup.writer.asked).toEqual(['ckpt-1']);
  },
);

test.each([
  ['committed', true, 'ckpt-1'],
  ['failed', false, null],
] as const)(
  'PER-06 a save without an answer is %s after a minute when the store, asked once, says so (session.md 17.4)',
  async (kind, isThere, mark) => {
    const setup = setUp();
    submit(setup, 'durable', 1n);
    if (isThere) setup.writer.committed.push('ckpt-1');
    setup.clock.advanceMs(DEADLINE_MS - 1);
    await settled();
    expect([setup.writer.asked, setup.queue.durable]).toEqual([[], null]);
    setup.clock.advanceMs(1);
    expect(setup.queue.durable).toBeNull(); // only the store moves it
    await settled();
    expect(setup.events.at(-1)).toBe(`${kind} ckpt-1`);
    expect(setup.queue.durable?.checkpointId ?? null).toBe(mark);
    setup.clock.advanceMs(10 * DEADLINE_MS);
    await settled();
    expect([setup.writer.asked, setup.writer.running.length]).toEqual([['ckpt-1'], 1]);
  },
);

test('PER-06 a writer that hangs is handed nothing more, and what it says too late changes nothing', async () => {
  const setup = setUp();
  submit(setup, 'durable', 1n);
  submit(setup, 'durable', 2n);
  setup.clock.advanceMs(DEADLINE_MS);
  await settled();
  expect(setup.events.at(-1)).toBe('failed ckpt-1');
  expect([setup.queue.outstanding, setup.writer.running.length]).toEqual([2, 1]);
  expect(setup.queue.stalledMs()).toBe(DEADLINE_MS);
  setup.writer.running[0]!.reply(COMMITTED);
  expect(setup.queue.durable).toBeNull();
  expect(setup.events.filter((event) => event.endsWith('ckpt-1'))).toEqual([
    'captured ckpt-1',
    'queued ckpt-1',
    'failed ckpt-1',
  ]);
  setup.writer.running[1]!.reply(COMMITTED); // its own minute began when it began to run
  expect(setup.queue.durable?.checkpointId).toBe('ckpt-2');
  expect(setup.queue.outstanding).toBe(0);
});

test('PER-06 a save that is answered in time is never asked about', async () => {
  const setup = setUp();
  submit(setup, 'durable', 1n);
  setup.clock.advanceMs(DEADLINE_MS - 1);
  setup.writer.running[0]!.reply(COMMITTED);
  setup.clock.advanceMs(DEADLINE_MS);
  await settled();
  expect(setup.writer.asked).toEqual([]);
  expect(setup.events.at(-1)).toBe('committed ckpt-1');
});

test('PER-06 a writer that ends after its minute was over is not asked about again', async () => {
  const setup = setUp();
  submit(setup, 'durable', 1n);
  setup.clock.advanceMs(DEADLINE_MS);
  await settled();
  setup.writer.running[0]!.reply({ kind: 'lost', message: 'the thread ended' });
  expect(await setup.queue.settle(1_000)).toBe(true);
  expect(setup.writer.asked).toEqual(['ckpt-1']);
  expect(submit(setup, 'durable', 2n)).toBe(true);
  expect(setup.writer.running).toHaveLength(2);
});

test('a recovery does not wait for arrays that a hanging writer keeps', async () => {
  const setup = setUp();
  submit(setup, 'hot', 1n);
  const asked = setup.queue.latest();
  setup.clock.advanceMs(DEADLINE_MS);
  expect(await asked).toBeNull();
});

test('a failed durable save is told and moves no mark; the next one is taken', () => {
  const setup = setUp();
  submit(setup, 'durable', 1n);
  setup.writer.running[0]!.reply({ kind: 'failed', code: 'CHECKPOINT_DISK_FULL', message: 'ENOSPC' });
  expect(setup.events.at(-1)).toBe('failed ckpt-1');
  expect(setup.queue.durable).toBeNull();
  expect(submit(setup, 'durable', 2n)).toBe(true);
});

test('the newest capture comes back from the writer and is what a recovery gets', async () => {
  const setup = setUp();
  expect(await setup.queue.latest()).toBeNull();
  submit(setup, 'hot', 1n);
  const { job, giveBack } = setup.writer.running[0]!;
  const asked = setup.queue.latest();
  giveBack(job.capture);
  expect((await asked)?.step).toBe(1n);
  submit(setup, 'hot', 2n); // waits: its arrays are still here
  expect((await setup.queue.latest())?.step).toBe(2n);
});

test('a writer that ends with the arrays leaves a recovery without them, not waiting for them', async () => {
  const setup = setUp();
  submit(setup, 'hot', 1n);
  setup.writer.running[0]!.reply({ kind: 'lost', message: 'the thread ended' });
  expect(await setup.queue.latest()).toBeNull();
});

test('generations go on above what the store has seen, and rungs above what was archived', () => {
  const setup = setUp();
  expect(setup.queue.archivedRank).toBe(2);
  setup.queue.reserve('durable')!.submit(exampleCapture(5n), 4);
  expect(setup.queue.archivedRank).toBe(4);
  expect(setup.queue.newestStep).toBe(5n);
  expect(setup.queue.newestDurableStep).toBe(5n);
  submit(setup, 'hot', 9n);
  expect([setup.queue.newestStep, setup.queue.newestDurableStep]).toEqual([9n, 5n]);
});

test('settling waits until nothing is outstanding, or for the limit', async () => {
  const setup = setUp();
  expect(await setup.queue.settle(10)).toBe(true);
  submit(setup, 'durable', 1n);
  const late = setup.queue.settle(500);
  setup.clock.advanceMs(500);
  expect(await late).toBe(false);
  const inTime = setup.queue.settle(500);
  setup.writer.running[0]!.reply(COMMITTED);
  expect(await inTime).toBe(true);
});

test('a capture becomes a spare when a newer one took its place, and is handed out once', () => {
  const setup = setUp();
  submit(setup, 'hot', 1n);
  const returned = exampleCapture(1n);
  setup.writer.running[0]!.giveBack(returned);
  setup.writer.running[0]!.reply(COMMITTED);
  const takeSpare = (): GroupCapture | null => {
    const slot = setup.queue.reserve('hot')!;
    const spare = slot.takeSpare();
    slot.release();
    return spare;
  };
  expect(takeSpare()).toBeNull(); // the newest may be put back
  submit(setup, 'hot', 2n);
  expect(takeSpare()).toBe(returned);
  expect(takeSpare()).toBeNull();
});

test('what is being written, waits or may be put back is no spare', async () => {
  const setup = setUp();
  submit(setup, 'durable', 1n);
  submit(setup, 'hot', 2n);
  const spares: (GroupCapture | null)[] = [];
  const slot = setup.queue.reserve('hot')!;
  spares.push(slot.takeSpare());
  slot.submit(exampleCapture(3n), null); // takes the place of the waiting one
  const next = setup.queue.reserve('hot')!;
  spares.push(next.takeSpare());
  next.release();
  expect(spares.map((capture) => capture?.step ?? null)).toEqual([null, 2n]);
  setup.writer.running[0]!.giveBack(exampleCapture(1n)); // older than the one held: nobody needs it
  setup.writer.running[0]!.reply(COMMITTED);
  const last = setup.queue.reserve('hot')!;
  expect(last.takeSpare()?.step).toBe(1n);
  last.release();
  setup.writer.running[1]!.giveBack(exampleCapture(3n));
  expect((await setup.queue.latest())?.step).toBe(3n);
});

/** Everything that can go on without the clock has gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
