import { loadShow } from '../../config/load-config.ts';
import type { Show } from '../../config/schema.ts';
import type { TaskPresentation } from '../../engine/contract/task.ts';
import { createBehaviourDigest } from '../../engine/identity/behaviour-digest.ts';
import { runLoop } from '../../engine/loop.ts';
import { createPacer } from '../../engine/pacer.ts';
import { stampEvent } from '../../engine/outbox.ts';
import { rationalToMs } from '../../engine/rational.ts';
import type { Starting } from '../../engine/replica/snapshot.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { createSugarLimiter } from '../../systems/admission/sugar-limiter.ts';
import { createSchedule } from '../../systems/schedule.ts';
import { bootSession } from '../../systems/session/boot-session.ts';
import { createRecovery, resumeSession } from '../../systems/session/recover-session.ts';
import type { Resumed } from '../../systems/session/recover-session.ts';
import { openCheckpoints } from './checkpoints.ts';
import type { LiveCheckpoints } from './checkpoints.ts';
import { composeSession, loadTask, presentationOf } from './compose-session.ts';
import type { ComposedSession } from './compose-session.ts';
import { declareControl } from './control-run.ts';
import { loadConnectomes, TWIN_SEED } from './load-connectomes.ts';
import type { LoadedConnectome } from './load-connectomes.ts';
import type { Studio } from './open-studio.ts';
import { createStartingScene } from './starting-scene.ts';
import type { StartingScene } from './starting-scene.ts';
import { untilAborted } from './until-aborted.ts';

/** One session from its composition to its seal. */
export type SessionResult = {
  readonly world: SessionWorld;
  readonly presentation: TaskPresentation;
  readonly neurons: readonly number[];
  readonly resumed: Resumed | null;
  readonly transitions: number;
  /** Boundaries later than their wall deadline, caught up or not. */
  readonly missedDeadlines: number;
  readonly digest: string;
  readonly wallMs: number;
  readonly meanCores: number;
  /** Name of the state it was sealed with; null when it could not be saved. */
  readonly checkpointId: string | null;
};

export type RunSessionOptions = {
  readonly showId: string;
  /** Grows with every session of this process; observers tell the sessions apart by it. */
  readonly revision: number;
  /** Start anew instead of from a checkpoint. */
  readonly fresh: boolean;
  /** What the session before left, for the intermission; null for the first. */
  readonly sealed: NonNullable<Starting['sealed']> | null;
  /** Transitions this session may still run; null is no limit. */
  readonly transitionsLeft: bigint | null;
  /** Session seconds it may still run; null is no limit. */
  readonly secondsLeft: number | null;
  readonly signal: AbortSignal;
};

/** Composes one show in the studio, boots or resumes it, runs it until it is asked to end, and seals it. */
export async function runSession(studio: Studio, options: RunSessionOptions): Promise<SessionResult> {
  const { clock, config, control, home, meter, publisher, showSwitch, terminal } = studio;
  const { signal } = options;
  const show = await loadShow(options.showId, home.root);
  const checkpoints = openCheckpoints({
    checkpoints: home.checkpoints,
    showId: show.id,
    clock,
    alarms: studio.alarms,
    eventLog: () => studio.eventLog,
    report: (line) => terminal.line(line),
  });
  try {
    const presentation = presentationOf(await loadTask(show.task.name), show.agents.length);
    const { sealed } = options;
    const scene = createStartingScene({
      publisher,
      terminal,
      wordmark: presentation.wordmark,
      seed: TWIN_SEED,
      sealed,
    });
    const session = await untilAborted(
      composeSession({
        show,
        config,
        home,
        clock,
        revision: options.revision,
        learning: studio.options.learning,
        report: (line) => terminal.line(line),
        loadWirings: () => readConnectomes(studio, show, scene, signal),
      }),
      signal,
    );
    try {
      const { world } = session;
      const stop = (): void => {
        world.stopRequested = String(signal.reason);
      };
      signal.addEventListener('abort', stop);
      control.attachSession(session.descriptor, world, checkpoints);
      publisher.describe(session.descriptor);
      const resumed = await resumeOrBoot(session, checkpoints, options.fresh, scene, (line) => terminal.line(line));
      if (studio.options.learning !== 'on') declareControl(world, studio.options.learning);
      scene.step('eyes', 'done', 'ok');
      showSwitch.arrive(show.id);
      showSwitch.onRequest((next, by) => {
        world.stopRequested ??= `swapped to ${next}`;
        logSwap(studio, world, next, by);
      });
      meter.restart();
      const startedMs = clock.nowMs();
      const played = await play(studio, session, checkpoints, transitionLimit(options, world));
      const wallMs = clock.nowMs() - startedMs;
      signal.removeEventListener('abort', stop);
      const neurons = world.handles.brains.map((brain) => brain.neuronCount);
      const checkpointId = checkpoints.durable()?.checkpointId ?? null;
      return { ...played, world, presentation, neurons, resumed, wallMs, meanCores: meter.meanCores, checkpointId };
    } finally {
      await session.close();
    }
  } finally {
    checkpoints.release();
  }
}

/** A show goes on where it was left, unless it is told to start anew (spec: session.md 16). */
async function resumeOrBoot(
  { identity, world }: ComposedSession,
  checkpoints: LiveCheckpoints,
  fresh: boolean,
  scene: StartingScene,
  report: (line: string) => void,
): Promise<Resumed | null> {
  if (fresh) {
    const kept = checkpoints.keepNewest();
    if (kept !== null) report(`fresh start: the run before stays in the archive as ${kept}`);
  } else {
    const candidates = checkpoints.candidates(identity);
    if (candidates.length > 0) return resumeSession(world, candidates, report);
  }
  await bootSession(world, (step, done, total) => {
    if (step === 'warm-up') scene.warming(done, total);
  });
  return null;
}

async function play(
  studio: Studio,
  session: ComposedSession,
  checkpoints: LiveCheckpoints,
  transitionsLeft: bigint | null,
): Promise<{ transitions: number; missedDeadlines: number; digest: string }> {
  const { alarms, config, eventLog, options, publisher, terminal } = studio;
  const { identity, world } = session;
  const pacer = createPacer({
    clock: world.clock,
    periodMs: options.unthrottled ? 0 : rationalToMs(world.stepDuration),
    onLag: (lagMs) => {
      world.lifecycle.emit({ kind: 'lag', lagMs });
      terminal.line(`slow machine: ${(lagMs / 1_000).toFixed(1)} s behind the wall clock; no brain tick was skipped`);
    },
  });
  const trace = createBehaviourDigest();
  const schedule = createSchedule({
    publisher,
    limiter: createSugarLimiter(world.clock, config.sugar.per_minute),
    revision: session.descriptor.revision,
    trace,
    eventLog,
    pacer,
  });
  world.lifecycle.on((event) => {
    if (event.kind === 'phase' || event.kind === 'booted') return;
    eventLog.append({ wallMs: world.clock.unixMs(), session: world.sessionId, lifecycle: describeLifecycle(event) });
    if (event.kind === 'failed') {
      publisher.health('recovering', event.message);
      alarms.hear({ severity: 'alarm', subject: 'session', code: event.code, text: event.message });
    }
    if (event.kind === 'restored') alarms.clear('session');
  });
  await checkpoints.begin(world, identity);
  const transitions = await runLoop({
    world,
    schedule,
    maxTransitions: transitionsLeft,
    recover: createRecovery({
      reopenBrain: session.reopenBrain,
      stored: () => checkpoints.candidates(identity),
      reanchor: () => pacer.reanchor(),
      report: (line) => terminal.line(`session: ${line}`),
    }),
  });
  await checkpoints.end(world);
  return { transitions: Number(transitions), missedDeadlines: pacer.laggedSteps, digest: trace.digest() };
}

function describeLifecycle(event: Parameters<Parameters<SessionWorld['lifecycle']['on']>[0]>[0]): object {
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, typeof value === 'bigint' ? String(value) : value]),
  );
}

async function readConnectomes(
  { home, stage, terminal }: Studio,
  show: Show,
  scene: StartingScene,
  signal: AbortSignal,
): Promise<LoadedConnectome[]> {
  scene.step('cartridge', 'done', 'ok');
  scene.step('brain', 'running', '');
  show.agents.forEach(({ connectome }, agentIndex) => {
    if (connectome === 'twin') stage?.order({ type: 'stage-growing', agentIndex, seed: TWIN_SEED });
  });
  const report = (line: string): void => terminal.line(line);
  const loaded = await untilAborted(loadConnectomes(show, home, scene, report), signal);
  loaded.forEach(({ folder }, agentIndex) =>
    stage?.order({ type: 'stage-geometry', agentIndex, bundleFolder: folder }),
  );
  return loaded;
}

/** Seconds count session time: the same number of transitions on every machine, however slow. */
function transitionLimit(
  { transitionsLeft, secondsLeft }: RunSessionOptions,
  { stepDuration }: SessionWorld,
): bigint | null {
  const bySeconds = secondsLeft === null ? null : BigInt(Math.ceil((secondsLeft * 1_000) / rationalToMs(stepDuration)));
  if (transitionsLeft === null || bySeconds === null) return transitionsLeft ?? bySeconds;
  return transitionsLeft < bySeconds ? transitionsLeft : bySeconds;
}

/** An operator's act is an event of its own; the boundary it happens after may be the session's last. */
function logSwap({ eventLog }: Studio, world: SessionWorld, next: string, by: string): void {
  eventLog.record(
    stampEvent(world, {
      kind: 'operator',
      tier: 'notable',
      label: `show taken: ${next}`,
      value: null,
      agentIndex: null,
      dedupeKey: `show-${next}`,
      dedupeMs: 0,
    }),
    { session: world.sessionId, by },
  );
}
