import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openControlServer } from '../../broadcast/control/control-server.ts';
import type { ControlServer } from '../../broadcast/control/control-server.ts';
import { defaultEncodeOptions } from '../../broadcast/encode/encode-options.ts';
import { loadConfig, loadSecrets, loadShow } from '../../config/load-config.ts';
import { PICTURE_SIZES } from '../../config/schema.ts';
import type { Config } from '../../config/schema.ts';
import { systemClock } from '../../engine/clock.ts';
import { ConfigError, describeError } from '../../engine/errors.ts';
import { createEventLog } from '../../engine/event-log.ts';
import type { EventLog } from '../../engine/event-log.ts';
import { createBehaviourDigest } from '../../engine/identity/behaviour-digest.ts';
import { runLoop } from '../../engine/loop.ts';
import { createPacer } from '../../engine/pacer.ts';
import { rationalToMs } from '../../engine/rational.ts';
import { recordEvent } from '../../engine/outbox.ts';
import { createPublisher } from '../../engine/replica/publisher.ts';
import type { Publisher } from '../../engine/replica/publisher.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { createSugarLimiter } from '../../systems/admission/sugar-limiter.ts';
import { createSchedule } from '../../systems/schedule.ts';
import { bootSession } from '../../systems/session/boot-session.ts';
import { createRecovery, resumeSession } from '../../systems/session/recover-session.ts';
import type { Resumed } from '../../systems/session/recover-session.ts';
import type { Home } from '../home.ts';
import { release } from '../release.ts';
import type { StageConfig } from '../stage/protocol.ts';
import { createAlarms } from './alarms.ts';
import type { Alarms } from './alarms.ts';
import { openCheckpoints } from './checkpoints.ts';
import type { LiveCheckpoints } from './checkpoints.ts';
import { composeSession, loadTask } from './compose-session.ts';
import type { ComposedSession } from './compose-session.ts';
import { createControlledSession } from './controlled-session.ts';
import { overridesOf } from './live-options.ts';
import type { LiveOptions } from './live-options.ts';
import { loadConnectomes, TWIN_SEED } from './load-connectomes.ts';
import { createResourceMeter } from './resource-meter.ts';
import { superviseStage } from './stage-supervisor.ts';
import type { StageSupervisor } from './stage-supervisor.ts';
import { createStartingScene } from './starting-scene.ts';
import type { StartingScene } from './starting-scene.ts';
import { summarise, writeSummary } from './summary.ts';
import type { RunSummary } from './summary.ts';
import type { Terminal } from './terminal.ts';
import { collectUplinks, describeUplink } from './uplinks.ts';
import type { Uplink } from './uplinks.ts';

export type RunLiveInput = {
  readonly options: LiveOptions;
  readonly home: Home;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Aborts once: finish the boundary, close every file, end. The reason is the summary's `endedBy`. */
  readonly signal: AbortSignal;
  /** Aborts `signal` for somebody else than the terminal: the page's stop button. */
  readonly requestStop: (by: string) => void;
};

/**
 * Composes a show, boots it and runs it until it is asked to stop or its count is reached. Everything it opened is
 * closed again, whatever happens.
 */
export async function runLive(input: RunLiveInput): Promise<RunSummary> {
  const { options, home, environment, terminal, signal } = input;
  const clock = systemClock;
  const config = await loadConfig({ home: home.root, environment, overrides: overridesOf(options) });
  const show = await loadShow(config.show, home.root);
  const secrets = await loadSecrets({ home: home.root, environment });
  const uplinks = collectUplinks(options, config, secrets);
  await makeHome(home);

  const closers: (() => Promise<void> | void)[] = [];
  try {
    const alarms = createAlarms();
    let eventLog: EventLog | null = null;
    const checkpoints = openCheckpoints({
      checkpoints: home.checkpoints,
      showId: show.id,
      clock,
      alarms,
      eventLog: () => eventLog,
      report: (line) => terminal.line(line),
    });
    closers.push(() => checkpoints.release());
    const meter = createResourceMeter(clock);
    closers.push(() => meter.close());
    const publisher = createPublisher();
    const { presentation } = await loadTask(show.task.name);
    const log = openLog(home, alarms);
    eventLog = log;
    closers.push(() => log.close());
    const live = createControlledSession({
      clock,
      publisher,
      alarms,
      meter,
      eventLog: log,
      showId: show.id,
      seed: config.seed,
      requestStop: input.requestStop,
    });
    const control = await openControlServer({ port: config.control.port, session: live.session, clock });
    closers.push(() => control.close());
    greet(terminal, control, uplinks, config, options, show.id);
    const firstPacketMs = new Map<string, number>();
    const stage = options.picture ? openStage(config, home, uplinks, publisher, alarms, terminal, firstPacketMs) : null;
    if (stage !== null) {
      live.attachStage(stage);
      closers.push(() => stage.stop());
    }
    const scene = createStartingScene({ publisher, terminal, wordmark: presentation.wordmark, seed: TWIN_SEED });
    const session = await untilAborted(
      composeSession({
        show,
        config,
        home,
        clock,
        learning: options.learning,
        report: (line) => terminal.line(line),
        loadConnectomes: () => readConnectomes(show, home, scene, stage, signal),
      }),
      signal,
    );
    closers.push(() => session.close());
    const { world } = session;
    signal.addEventListener('abort', () => {
      world.stopRequested = String(signal.reason);
    });
    live.attachWorld(world, session.descriptor);
    publisher.describe(session.descriptor);

    const resumed = await resumeOrBoot(session, checkpoints, options, scene, terminal);
    if (options.learning !== 'on') declareControl(world, options.learning);
    scene.step('eyes', 'done', 'ok');
    meter.restart();
    const startedMs = clock.nowMs();
    const { transitions, digest } = await play({
      session,
      checkpoints,
      publisher,
      config,
      options,
      eventLog: log,
      alarms,
      terminal,
    });
    const wallMs = clock.nowMs() - startedMs;
    const meanCores = meter.meanCores;
    await stage?.stop();
    const summary = summarise({
      world,
      seed: config.seed,
      rungs: presentation.rungs,
      neurons: world.handles.brains.map((brain) => brain.neuronCount),
      endedBy: world.stopRequested ?? 'count reached',
      wallMs,
      transitions,
      digest,
      resumed,
      publisher,
      stage: stage?.stats ?? null,
      firstPacketMs,
      meter: { ...meter, peakRssMb: meter.peakRssMb, meanCores },
    });
    if (options.summary !== null) await writeSummary(options.summary, summary);
    farewell(terminal, summary);
    return summary;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** A show goes on where it was left, unless it is told to start anew (spec: session.md 16). */
async function resumeOrBoot(
  { identity, world }: ComposedSession,
  checkpoints: LiveCheckpoints,
  { fresh }: LiveOptions,
  scene: StartingScene,
  terminal: Terminal,
): Promise<Resumed | null> {
  if (fresh) {
    const kept = checkpoints.keepNewest();
    if (kept !== null) terminal.line(`fresh start: the run before stays in the archive as ${kept}`);
  } else {
    const candidates = checkpoints.candidates(identity);
    if (candidates.length > 0) return resumeSession(world, candidates, (line) => terminal.line(line));
  }
  await bootSession(world, (step, done, total) => {
    if (step === 'warm-up') scene.warming(done, total);
  });
  return null;
}

type PlayInput = {
  readonly session: ComposedSession;
  readonly checkpoints: LiveCheckpoints;
  readonly publisher: Publisher;
  readonly config: Config;
  readonly options: LiveOptions;
  readonly eventLog: EventLog;
  readonly alarms: Alarms;
  readonly terminal: Terminal;
};

async function play(input: PlayInput): Promise<{ transitions: number; digest: string }> {
  const { session, checkpoints, publisher, config, options, eventLog, alarms, terminal } = input;
  const { identity, world } = session;
  const stepMs = rationalToMs(world.stepDuration);
  const pacer = createPacer({
    clock: world.clock,
    periodMs: options.unthrottled ? 0 : stepMs,
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
    maxTransitions: maxTransitions(options, stepMs),
    recover: createRecovery({
      reopenBrain: session.reopenBrain,
      stored: () => checkpoints.candidates(identity),
      reanchor: () => pacer.reanchor(),
      report: (line) => terminal.line(`session: ${line}`),
    }),
  });
  await checkpoints.end(world);
  return { transitions: Number(transitions), digest: trace.digest() };
}

/** `--for` counts session time: the same number of transitions on every machine, however slow. */
function maxTransitions({ transitions, forSeconds }: LiveOptions, stepMs: number): bigint | null {
  const limits = [
    ...(transitions === null ? [] : [transitions]),
    ...(forSeconds === null ? [] : [BigInt(Math.ceil((forSeconds * 1_000) / stepMs))]),
  ];
  return limits.length === 0 ? null : limits.reduce((a, b) => (a < b ? a : b));
}

function describeLifecycle(event: Parameters<Parameters<SessionWorld['lifecycle']['on']>[0]>[0]): object {
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, typeof value === 'bigint' ? String(value) : value]),
  );
}

async function readConnectomes(
  show: Parameters<typeof loadConnectomes>[0],
  home: Home,
  scene: StartingScene,
  stage: StageSupervisor | null,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof loadConnectomes>>[number]['connectome'][]> {
  scene.step('cartridge', 'done', 'ok');
  scene.step('brain', 'running', '');
  show.agents.forEach(({ connectome }, agentIndex) => {
    if (connectome === 'twin') stage?.order({ type: 'stage-growing', agentIndex, seed: TWIN_SEED });
  });
  const loaded = await untilAborted(loadConnectomes(show, home, scene), signal);
  loaded.forEach(({ folder }, agentIndex) =>
    stage?.order({ type: 'stage-geometry', agentIndex, bundleFolder: folder }),
  );
  return loaded.map(({ connectome }) => connectome);
}

function openStage(
  config: Config,
  home: Home,
  uplinks: readonly Uplink[],
  publisher: Publisher,
  alarms: Alarms,
  terminal: Terminal,
  firstPacketMs: Map<string, number>,
): StageSupervisor {
  return superviseStage({
    config: stageConfig(config, home, uplinks),
    publisher,
    clock: systemClock,
    onEvent: (event) => {
      if (event.type === 'stage-failed') {
        terminal.line(`stage: ${event.text}`);
        return;
      }
      if (event.code === 'OUTPUT_ACTIVE' && !firstPacketMs.has(event.subject)) {
        firstPacketMs.set(event.subject, Math.round(performance.now()));
      }
      alarms.hear(event);
      terminal.line(`${event.severity === 'alarm' ? 'ALARM ' : ''}${event.text}`);
    },
  });
}

function stageConfig(config: Config, home: Home, uplinks: readonly Uplink[]): StageConfig {
  const { widthPx, heightPx } = PICTURE_SIZES[config.picture.size];
  const chosen = defaultEncodeOptions(widthPx, heightPx, config.picture.fps);
  const { enabled, folder, segment_seconds: segmentSeconds } = config.recording;
  return {
    ...chosen,
    encoder: config.encoder.kind,
    x264Preset: config.encoder.x264_preset || chosen.x264Preset,
    videoKbps: config.encoder.video_kbps || chosen.videoKbps,
    audioKbps: config.encoder.audio_kbps,
    uplinks,
    recording: enabled ? { folder: folder || home.recordings, segmentSeconds } : null,
  };
}

function openLog(home: Home, alarms: Alarms): EventLog {
  return createEventLog({
    path: join(home.logs, 'events.jsonl'),
    clock: systemClock,
    onFailure: (error) =>
      alarms.hear({ severity: 'alarm', subject: 'event-log', code: 'EVENT_LOG', text: `event log: ${error.message}` }),
  });
}

async function makeHome(home: Home): Promise<void> {
  try {
    for (const folder of Object.values(home)) await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new ConfigError(
      'HOME',
      `${home.root} cannot be made: ${describeError(cause)}. Set FLY_HOME to a folder you can write.`,
      { cause },
    );
  }
}

function greet(
  terminal: Terminal,
  control: ControlServer,
  uplinks: readonly Uplink[],
  config: Config,
  options: LiveOptions,
  showId: string,
): void {
  terminal.line(`fly ${release}: show ${showId}, ${config.picture.size}${config.picture.fps}, seed ${config.seed}`);
  terminal.line(`watch and stop it at ${control.url}`);
  for (const uplink of uplinks) terminal.line(`pushing to ${describeUplink(uplink)}`);
  if (options.learning !== 'on') terminal.line(`control run: ${CONTROL_LABELS[options.learning]}`);
  if (!options.picture) terminal.line('no picture: nothing is drawn, sent or recorded');
  else if (!uplinks.some(({ name }) => name === 'twitch') && !options.local) {
    terminal.line(
      'not on Twitch: put twitch_stream_key = "..." into secrets.toml (chmod 600) in the folder of `./fly paths`',
    );
  }
}

const CONTROL_LABELS = {
  frozen: 'learning is frozen, rewards change no synapse',
  shuffled: 'every reward has a coin-flip sign',
} as const;

/** Viewers and the event log hear of it once, before the first transition; the descriptor says it all along. */
function declareControl(world: SessionWorld, learning: keyof typeof CONTROL_LABELS): void {
  recordEvent(world, {
    kind: 'system',
    tier: 'notable',
    label: `control run: ${CONTROL_LABELS[learning]}`,
    value: null,
    agentIndex: null,
    dedupeKey: 'control-run',
    dedupeMs: 0,
  });
}

function farewell(terminal: Terminal, summary: RunSummary): void {
  const { rung, transitions, wallSeconds, realTimeFactor, lagMs, endedBy } = summary;
  terminal.line(
    `ended (${endedBy}): ${transitions} transitions in ${wallSeconds.toFixed(1)} s, ${realTimeFactor.toFixed(2)}x real time, ` +
      `lag ${Math.round(lagMs)} ms, rung ${rung.rank} ${rung.label}`,
  );
}

/** Rejects as soon as the signal aborts; what `work` opens is then the process's to drop. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw new Interrupted();
  return Promise.race([
    work,
    new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Interrupted()), { once: true }),
    ),
  ]);
}

/** Asked to end before the first transition: nothing to summarise. */
export class Interrupted extends Error {}
