import type { Config, Show } from '../../config/schema.ts';
import { systemClock } from '../../engine/clock.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import type { DurationSummary } from '../../engine/histogram.ts';
import { createBehaviourDigest } from '../../engine/identity/behaviour-digest.ts';
import { runLoop } from '../../engine/loop.ts';
import { createPacer } from '../../engine/pacer.ts';
import { rationalToMs } from '../../engine/rational.ts';
import { createPublisher } from '../../engine/replica/publisher.ts';
import type { Publisher } from '../../engine/replica/publisher.ts';
import type { SystemEntry } from '../../engine/schedule.ts';
import type { SessionWorld } from '../../engine/world.ts';
import type { Home } from '../../bin/home.ts';
import { composeSession } from '../../bin/live/compose-session.ts';

import { readProcessTree } from '../../bin/live/process-tree.ts';
import { createSugarLimiter } from '../../systems/admission/sugar-limiter.ts';
import { createSchedule } from '../../systems/schedule.ts';
import { bootSession } from '../../systems/session/boot-session.ts';
import { createMemoryLog } from '../fixture/test-schedule.ts';
import { openBenchStore } from './bench-store.ts';
import { createTracePlayer } from './input-trace.ts';
import { createCopyingReader, createEncodingReader, createSlowReader } from './session-parts.ts';
import { queueBrains, withoutNeurons, withoutParsing, withoutTicks } from './session-parts.ts';
import { recordSession } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';
import { countHandles } from './soak-handles.ts';
import { measurePixelDelay } from './state-to-pixels.ts';
import type { PixelDelay } from './state-to-pixels.ts';
import { timeSchedule } from './timed-schedule.ts';
import type { PhaseTimes, ScheduleTimes } from './timed-schedule.ts';
import { openTransportReader } from './transport.ts';

/** One line of session.md 26, B0 to B6. */
export type SessionRun = {
  readonly name: string;
  readonly show: Show;
  /**
   * `none`: ports play a fixed trace, no task parses. `retina`: the same with the task and the projection on the retina.
   * Others: whole brains that decide for themselves.
   */
  readonly brains: 'none' | 'retina' | 'sequential' | 'parallel';
  readonly reader: 'none' | 'copies' | 'encodes' | 'process';
  /** From the first transition on, with nothing settled before. */
  readonly cold?: boolean;
  readonly learning?: 'frozen';
  /** `regular`: every five seconds of session time. `burst`: twenty boundaries in a row, again every second. */
  readonly saves?: 'regular' | 'burst';
  readonly viewers?: 'slow' | 'storm';
  /** At the world's own pace; unthrottled otherwise. */
  readonly paced?: boolean;
  /** Also find out how many steps lie between an input, the state it changes and the picture of it. */
  readonly pixels?: boolean;
  /** Runs of one name must end with one behaviour digest: what differs between them may change nothing. */
  readonly alike?: string;
  /** Held to PERF-02, and with brains to real time; the others are shown. */
  readonly judged: boolean;
  /** Times the usual number of transitions. Default 1. */
  readonly length?: number;
};

/** What a run did and cost. Compute only: the wait for a deadline is never part of it. */
export type SessionBenchRow = {
  readonly run: string;
  readonly flies: number;
  readonly learning: boolean;
  readonly judged: boolean;
  readonly alike: string | null;
  readonly transitions: number;
  readonly worldStepMs: number;
  /** Simulated over wall time; near 1 where the run is paced. */
  readonly realTimeFactor: number;
  readonly cpuMsPerStep: number;
  readonly stepMs: DurationSummary;
  /** Steps longer than a world step. */
  readonly missedDeadlines: number;
  readonly phaseMs: PhaseTimes;
  /** From nothing to boundary 0. */
  readonly bootMs: number;
  /** Of all our processes at the end of the run. */
  readonly rssMb: number;
  readonly threads: number;
  /** Samples the world made and the ones its steps owe; null without sound. */
  readonly sound: { readonly frames: number; readonly dueFrames: number } | null;
  /** Drops by purpose. */
  readonly drops: { readonly snapshots: number; readonly saves: number };
  readonly save?: ReturnType<ScheduleTimes['saves']>;
  readonly transportMs?: DurationSummary;
  readonly pixelDelay?: PixelDelay;
  readonly behaviourDigest: string;
  readonly record: SessionRecord;
};

export type MeasureOptions = {
  readonly config: Config;
  readonly home: Home;
  readonly connectome: Connectome;
  readonly transitions: number;
};

export async function measureSession(run: SessionRun, options: MeasureOptions): Promise<SessionBenchRow> {
  const { connectome, config, home } = options;
  const { brains, cold = false, learning = 'on', show } = run;
  const settle = Math.ceil(options.transitions / 10); // compilers and caches
  const transitions = Math.ceil(options.transitions * (run.length ?? 1)) + (cold ? settle : 0);
  const openedMs = performance.now();
  const session = await composeSession({
    show,
    config,
    home,
    clock: systemClock,
    learning,
    report: () => undefined,
    loadWirings: () => Promise.resolve(show.agents.map(() => ({ connectome }))),
  });
  const { world } = session;
  const store = run.saves === undefined ? null : openBenchStore(session);
  const transport = run.reader === 'process' ? openTransportReader() : null;
  try {
    exchangeParts(world, brains);
    await bootSession(world, () => undefined);
    const bootMs = performance.now() - openedMs;
    const publisher = createPublisher();
    publisher.describe(session.descriptor);
    if (run.reader === 'copies') publisher.addReader(createCopyingReader());
    if (run.reader === 'encodes') publisher.addReader(createEncodingReader());
    if (transport !== null) publisher.addReader(transport.channel);
    if (run.viewers === 'slow') publisher.addReader(createSlowReader());
    const worldStepMs = rationalToMs(world.stepDuration);
    const trace = createBehaviourDigest();
    const schedule = disturb(
      run,
      publisher,
      createSchedule({
        publisher,
        limiter: createSugarLimiter(systemClock),
        revision: 1,
        trace,
        eventLog: createMemoryLog(),
        pacer: createPacer({
          clock: systemClock,
          periodMs: run.paced === true ? worldStepMs : 0,
          onLag: () => undefined,
        }),
      }),
    );
    if (store !== null) world.captures = store.queue;
    if (!cold) await play(world, schedule, settle);
    world.stepMs.reset();
    const timed = timeSchedule(schedule, worldStepMs);
    const soundBefore = soundFrames(world);
    const cpu = process.cpuUsage();
    const startedMs = performance.now();
    await play(world, timed.schedule, transitions);
    const wallMs = performance.now() - startedMs;
    const { user, system } = process.cpuUsage(cpu);
    const stepMs = world.stepMs.summary();
    return {
      run: run.name,
      flies: hasBrains(brains) ? show.agents.length : 0,
      learning: hasBrains(brains) && learning === 'on',
      judged: run.judged,
      alike: run.alike ?? null,
      transitions,
      worldStepMs,
      realTimeFactor: (transitions * worldStepMs) / wallMs,
      cpuMsPerStep: (user + system) / 1_000 / transitions,
      stepMs,
      missedDeadlines: timed.times.missed,
      phaseMs: timed.times.phases(),
      bootMs,
      rssMb: readProcessTree(process.pid).rssMb,
      threads: countHandles(process.pid).threads,
      sound: soundOf(world, soundFrames(world) - soundBefore, transitions),
      drops: { snapshots: publisher.losses().snapshots, saves: store?.queue.refused ?? 0 },
      ...(store === null ? {} : { save: timed.times.saves() }),
      ...(transport === null ? {} : { transportMs: await transport.finish() }),
      ...(run.pixels !== true ? {} : { pixelDelay: await measurePixelDelay(world.handles.environment, 0) }),
      behaviourDigest: trace.digest(),
      record: recordSession(session),
    };
  } finally {
    await transport?.end();
    await session.close();
    await store?.close();
  }
}

function hasBrains(brains: SessionRun['brains']): boolean {
  return brains === 'sequential' || brains === 'parallel';
}

function exchangeParts({ handles }: SessionWorld, brains: SessionRun['brains']): void {
  if (brains === 'parallel') return;
  if (brains === 'sequential') return queueBrains(handles.brains);
  const strip = brains === 'none' ? withoutNeurons : withoutTicks;
  handles.brains.forEach((brain, i) => {
    handles.brains[i] = strip(brain);
    handles.executors[i] = createTracePlayer(i);
  });
  if (brains === 'none') Object.assign(handles, { task: withoutParsing(handles.task, handles.brains.length) });
}

/** Boundaries of a second of a Game Boy, and how many of them a burst of saves takes. */
const BURST_EVERY = 60;
const BURST_SAVES = 20;
const STORM_READERS = 10;

/** The same schedule under what PERF-06 names: a burst of saves, viewers that come and go at every boundary. */
function disturb<Data extends string>(
  { saves, viewers }: SessionRun,
  publisher: Publisher,
  schedule: readonly SystemEntry<SessionWorld, Data>[],
): readonly SystemEntry<SessionWorld, Data>[] {
  let leave: (() => void)[] = [];
  return schedule.map((entry) => {
    if (entry.name === 'captureGroup' && saves === 'burst') {
      return {
        ...entry,
        run(world) {
          if (world.transitionsBegun % BURST_EVERY < BURST_SAVES) world.captureRequested ??= 'burst';
          return entry.run(world);
        },
      };
    }
    if (entry.name !== 'publish' || viewers !== 'storm') return entry;
    return {
      ...entry,
      run(world) {
        for (const go of leave) go();
        leave = Array.from({ length: STORM_READERS }, () => publisher.addReader(createEncodingReader()));
        return entry.run(world);
      },
    };
  });
}

async function play<Data extends string>(
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

function soundFrames({ audio }: SessionWorld): number {
  return audio.positions()[0]?.nextSample ?? 0;
}

function soundOf(
  { handles, stepDuration }: SessionWorld,
  frames: number,
  transitions: number,
): SessionBenchRow['sound'] {
  const [stream] = handles.environment.descriptor.audio;
  if (stream === undefined) return null;
  return { frames, dueFrames: Math.round((transitions * rationalToMs(stepDuration) * stream.sampleRateHz) / 1_000) };
}
