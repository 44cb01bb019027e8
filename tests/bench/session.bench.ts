import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config, Show } from '../../config/schema.ts';
import { systemClock } from '../../engine/clock.ts';
import type { Brain } from '../../engine/contract/brain.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { createHistogram } from '../../engine/histogram.ts';
import type { DurationSummary, Histogram } from '../../engine/histogram.ts';
import { createBehaviourDigest } from '../../engine/identity/behaviour-digest.ts';
import { runLoop } from '../../engine/loop.ts';
import { createPacer } from '../../engine/pacer.ts';
import { rationalToMs } from '../../engine/rational.ts';
import type { Channel } from '../../engine/replica/channel.ts';
import { createPublisher } from '../../engine/replica/publisher.ts';
import { encodeMessage } from '../../engine/replica/wire.ts';
import type { SchedulePhase, SystemEntry } from '../../engine/schedule.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { createSugarLimiter } from '../../systems/admission/sugar-limiter.ts';
import { createSchedule } from '../../systems/schedule.ts';
import { bootSession } from '../../systems/session/boot-session.ts';
import { createCheckpointQueue } from '../../systems/checkpoint/checkpoint-queue.ts';
import type { CheckpointQueue } from '../../systems/checkpoint/checkpoint-queue.ts';
import { openCheckpointThread } from '../../systems/checkpoint/checkpoint-thread.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';
import { composeSession } from '../../bin/live/compose-session.ts';
import type { ComposedSession } from '../../bin/live/compose-session.ts';
import type { Home } from '../../bin/home.ts';
import { createThreadCpuClock } from './thread-cpu.ts';
import { createMemoryLog } from '../fixture/test-schedule.ts';

/** One run of session.md 26. Compute only: the wait for a deadline is never part of it. */
export type SessionBenchRow = {
  readonly run: string;
  readonly flies: number;
  readonly transitions: number;
  /** Simulated over wall time, unthrottled. */
  readonly realTimeFactor: number;
  /** Against the first row of the same run. */
  readonly ratioToFirst: number;
  readonly cpuMsPerStep: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Median share of each schedule phase, ms. */
  readonly phaseP50Ms: Readonly<Partial<Record<SchedulePhase, number>>>;
  /** One regular save on the main thread, copy and hand-over; absent where nothing is saved. */
  readonly save?: { readonly cpuMs: DurationSummary; readonly wallMs: DurationSummary };
};

export type SessionBenchOptions = {
  readonly config: Config;
  readonly home: Home;
  readonly shows: { readonly one: Show; readonly two: Show; readonly four: Show };
  readonly connectome: Connectome;
  readonly transitions: number;
  readonly onRow: (row: SessionBenchRow) => void;
};

/**
 * B0 synthetic two-port world without neurons, B1 the emulator without brains, B2 the same with every boundary encoded
 * for a reader, B3 one brain, B4 two brains one after the other and in parallel, and the latter with its regular saves
 * (PERF-06), B6 four brains. B5, the whole program, is `fly bench show`.
 */
export async function benchSession(options: SessionBenchOptions): Promise<SessionBenchRow[]> {
  const { one, two, four } = options.shows;
  const rows: SessionBenchRow[] = [];
  const runs: readonly [string, Show, RunOptions][] = [
    ['B0 two ports, no neurons', two, { brains: 'none', reader: false }],
    ['B1 emulator, no brain', one, { brains: 'none', reader: false }],
    ['B2 B1 with a reader', one, { brains: 'none', reader: true }],
    ['B3 one brain', one, { brains: 'parallel', reader: true }],
    ['B4 two brains, sequential', two, { brains: 'sequential', reader: true }],
    ['B4 two brains, parallel', two, { brains: 'parallel', reader: true }],
    ['B4 with a save every 5 s', two, { brains: 'parallel', reader: true, saves: true }],
    ['B6 four brains, parallel', four, { brains: 'parallel', reader: true }],
  ];
  for (const [name, show, run] of runs) {
    const row = await measure(name, show, run, options, rows[0]);
    rows.push(row);
    options.onRow(row);
  }
  return rows;
}

type RunOptions = {
  readonly brains: 'none' | 'sequential' | 'parallel';
  readonly reader: boolean;
  readonly saves?: boolean;
};

/** A run with saves is this much longer than the others: 20 of them fall into it. */
const SAVES_RUN = 5;

async function measure(
  name: string,
  show: Show,
  { brains, reader, saves = false }: RunOptions,
  { config, home, connectome, ...options }: SessionBenchOptions,
  first: SessionBenchRow | undefined,
): Promise<SessionBenchRow> {
  const transitions = options.transitions * (saves ? SAVES_RUN : 1);
  const session = await composeSession({
    show,
    config,
    home,
    clock: systemClock,
    report: () => undefined,
    loadWirings: () => Promise.resolve(show.agents.map(() => ({ connectome }))),
  });
  const { world } = session;
  const store = saves ? openStore(session) : null;
  try {
    if (brains === 'none')
      world.handles.brains.forEach((brain, i) => (world.handles.brains[i] = withoutNeurons(brain)));
    if (brains === 'sequential') queueBrains(world.handles.brains);
    await bootSession(world, () => undefined);
    const publisher = createPublisher();
    publisher.describe(session.descriptor);
    if (reader) publisher.addReader(createSink());
    const schedule = createSchedule({
      publisher,
      limiter: createSugarLimiter(systemClock),
      revision: 1,
      trace: createBehaviourDigest(),
      eventLog: createMemoryLog(),
      pacer: createPacer({ clock: systemClock, periodMs: 0, onLag: () => undefined }),
    });
    const phases = new Map<SchedulePhase, Histogram>();
    const save = { cpuMs: createHistogram(), wallMs: createHistogram() };
    if (store !== null) world.captures = store.queue;
    await run(world, schedule, Math.ceil(transitions / 10)); // compilers and caches settle
    world.stepMs.reset();
    const cpu = process.cpuUsage();
    const startedMs = performance.now();
    await run(world, timed(saves ? withSaveTime(schedule, save) : schedule, phases), transitions);
    const wallMs = performance.now() - startedMs;
    const { user, system } = process.cpuUsage(cpu);
    const { p50, p95, p99, max } = world.stepMs.summary();
    const realTimeFactor = (transitions * rationalToMs(world.stepDuration)) / wallMs;
    return {
      run: name,
      flies: brains === 'none' ? 0 : show.agents.length,
      transitions,
      realTimeFactor,
      ratioToFirst: first === undefined ? 1 : realTimeFactor / first.realTimeFactor,
      cpuMsPerStep: (user + system) / 1_000 / transitions,
      p50Ms: p50,
      p95Ms: p95,
      p99Ms: p99,
      maxMs: max,
      phaseP50Ms: Object.fromEntries([...phases].map(([phase, histogram]) => [phase, histogram.summary().p50])),
      ...(saves ? { save: { cpuMs: save.cpuMs.summary(), wallMs: save.wallMs.summary() } } : {}),
    };
  } finally {
    await session.close();
    await store?.close();
  }
}

async function run<Data extends string>(
  world: SessionWorld,
  schedule: readonly SystemEntry<SessionWorld, Data>[],
  transitions: number,
): Promise<void> {
  await runLoop({
    world,
    schedule,
    maxTransitions: BigInt(transitions),
    recover: (_, failure) => Promise.reject(failure as Error),
  });
}

/** The product's queue and thread over a store that is thrown away. */
function openStore({ identity }: ComposedSession): { queue: CheckpointQueue; close: () => Promise<void> } {
  const root = mkdtempSync(join(tmpdir(), 'fly-bench-store-'));
  const folders = storeFolders(root, 'bench');
  const queue = createCheckpointQueue({
    writer: openCheckpointThread({ folders }).writerFor(identity),
    clock: systemClock,
    lastGeneration: 0,
    archivedRank: -1,
    onEvent: () => undefined,
    onTrouble: () => undefined,
  });
  return {
    queue,
    async close() {
      await queue.settle(10_000);
      const alive = setInterval(() => undefined, 1_000); // the thread alone keeps no process alive
      await queue.close(true);
      clearInterval(alive);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The same schedule with the time of every save recorded. */
function withSaveTime<Data extends string>(
  schedule: readonly SystemEntry<SessionWorld, Data>[],
  { cpuMs, wallMs }: { readonly cpuMs: Histogram; readonly wallMs: Histogram },
): readonly SystemEntry<SessionWorld, Data>[] {
  const threadCpuMs = createThreadCpuClock();
  return schedule.map((entry) => {
    if (entry.name !== 'captureGroup') return entry;
    return {
      ...entry,
      async run(world) {
        const startedMs = performance.now();
        const startedCpuMs = threadCpuMs();
        const { newestStep } = world.captures;
        await entry.run(world);
        if (world.captures.newestStep === newestStep) return;
        cpuMs.record(threadCpuMs() - startedCpuMs);
        wallMs.record(performance.now() - startedMs);
      },
    };
  });
}

/** The same schedule with the time of each phase recorded, once per transition. */
function timed<Data extends string>(
  schedule: readonly SystemEntry<SessionWorld, Data>[],
  phases: Map<SchedulePhase, Histogram>,
): readonly SystemEntry<SessionWorld, Data>[] {
  const spent = new Map<SchedulePhase, number>();
  return schedule.map((entry, index) => {
    const isLast = schedule[index + 1]?.phase !== entry.phase;
    const histogram = phases.get(entry.phase) ?? createHistogram();
    phases.set(entry.phase, histogram);
    const note = (startedMs: number): void => {
      const total = (spent.get(entry.phase) ?? 0) + performance.now() - startedMs;
      spent.set(entry.phase, isLast ? 0 : total);
      if (isLast) histogram.record(total);
    };
    return {
      ...entry,
      run(world) {
        const startedMs = performance.now();
        const pending = entry.run(world);
        if (pending === undefined) return note(startedMs);
        return pending.then(() => note(startedMs));
      },
    };
  });
}

/** A brain whose ticks cost nothing: what is left is the world, the schedule and the wire. */
function withoutNeurons(brain: Brain): Brain {
  return { ...brain, advance: () => Promise.resolve(0), installFrame: () => undefined, reinforce: () => undefined };
}

/** Lets the brains run one after the other, as a machine with one core would. */
function queueBrains(brains: Brain[]): void {
  let tail: Promise<unknown> = Promise.resolve();
  brains.forEach((brain, index) => {
    brains[index] = {
      ...brain,
      advance(ticks) {
        const turn = tail.then(() => brain.advance(ticks));
        tail = turn.catch(() => undefined);
        return turn;
      },
    };
  });
}

/** A reader that takes everything at once: encoding is paid, the network is not. */
function createSink(): Channel {
  return { send: (message) => void encodeMessage(message), pendingBytes: () => 0, close: () => undefined };
}
