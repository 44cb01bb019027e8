import { availableParallelism } from 'node:os';
import type {
  ControlledSession,
  MediaReport,
  OutputReport,
  PreviewListener,
  StatusReport,
} from '../../broadcast/control/controlled-session.ts';
import { formatMetrics } from '../../broadcast/control/metrics.ts';
import type { OutputStats } from '../../broadcast/outputs/output.ts';
import type { Clock } from '../../engine/clock.ts';
import type { EventLog } from '../../engine/event-log.ts';
import { BOOTING, judgeWorld, readHealthFacts } from '../../engine/health.ts';
import type { Health, HealthState } from '../../engine/health.ts';
import type { Histogram } from '../../engine/histogram.ts';
import type { LearningMode, SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { Publisher } from '../../engine/replica/publisher.ts';
import type { SessionStatus, Snapshot } from '../../engine/replica/snapshot.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { release } from '../release.ts';
import type { StageStats } from '../stage/protocol.ts';
import type { Alarms } from './alarms.ts';
import type { LiveCheckpoints } from './checkpoints.ts';
import { giveSugar } from './give-sugar.ts';
import type { ResourceMeter } from './resource-meter.ts';
import type { ShowSwitch } from './show-switch.ts';
import type { StageSupervisor } from './stage-supervisor.ts';

/** What the control server sees of this process, before and after the world exists. */
export type LiveControl = {
  readonly session: ControlledSession;
  attachStage(stage: StageSupervisor): void;
  /** The session that runs from now on; the one before is forgotten. */
  attachSession(descriptor: SessionDescriptor, world: SessionWorld, checkpoints: LiveCheckpoints): void;
};

export type LiveControlOptions = {
  readonly clock: Clock;
  readonly publisher: Publisher;
  readonly alarms: Alarms;
  readonly meter: ResourceMeter;
  readonly eventLog: EventLog;
  readonly showSwitch: ShowSwitch;
  readonly seed: string;
  readonly learning: LearningMode;
  readonly requestStop: (by: string) => void;
};

export function createControlledSession(options: LiveControlOptions): LiveControl {
  const { clock, publisher, alarms, meter, eventLog, showSwitch, seed, learning } = options;
  const startedMs = clock.nowMs();
  let preview: PreviewListener | null = null;
  let stage: StageSupervisor | null = null;
  let world: SessionWorld | null = null;
  let descriptor: SessionDescriptor | null = null;
  let checkpoints: LiveCheckpoints | null = null;

  const status = (): StatusReport => {
    // A boundary of the session before says nothing about the one that is starting.
    const { latest } = publisher;
    const snapshot = latest !== null && latest.revision === descriptor?.revision ? latest : null;
    const stats = stage?.stats ?? null;
    const standing = judgeStanding(world, snapshot);
    return {
      status: STATUS_OF[standing.state],
      standing,
      showId: descriptor?.showId ?? showSwitch.current(),
      release,
      sessionId: descriptor?.sessionId ?? showSwitch.current(),
      step: snapshot?.step ?? '0',
      worldMs: snapshot?.worldMs ?? 0,
      runSeconds: snapshot?.runSeconds ?? 0,
      realTimeFactor: snapshot?.realTimeFactor ?? null,
      lagMs: snapshot?.lagMs ?? 0,
      uptimeSeconds: (clock.nowMs() - startedMs) / 1_000,
      seed: Number(seed),
      agents: reportAgents(snapshot, descriptor, world),
      progress: reportProgress(snapshot, descriptor),
      outputs: (stats?.program.outputs ?? []).map((output) => reportOutput(output, clock.unixMs())),
      stage: {
        state: stage === null ? 'off' : stage.state === 'stopped' ? 'restarting' : stage.state,
        encoder: stats === null ? null : stats.program.backend === 'nvenc' ? 'h264_nvenc' : 'libx264',
        framesDrawn: stats?.framesDrawn ?? 0,
        framesDropped: stats?.framesDropped ?? 0,
        framesLost: stats?.framesLost ?? 0,
        drawMs: stats?.drawMs ?? null,
      },
      environment: reportEnvironment(world),
      barrier: reportBarrier(world),
      feed: reportFeed(publisher),
      saves: reportSaves(checkpoints),
      eventLog: { waiting: eventLog.waiting, lost: eventLog.lost },
      sound:
        stats === null
          ? null
          : { rmsDb: stats.mixer.rmsDb, fillMs: stats.mixer.fillMs, underruns: stats.mixer.underruns },
      media: stats === null ? null : reportMedia(stats),
      learningMode: learning,
      swap: showSwitch.swap,
      checkpoint: reportCheckpoint(checkpoints, clock.unixMs()),
      alarms: alarms.list(),
      memoryMb: meter.rssMb,
      cores: { busy: meter.cores, available: availableParallelism() },
    };
  };

  return {
    attachStage(attached) {
      stage = attached;
      if (preview !== null) attached.setPreview(preview);
    },
    attachSession(described, attached, store) {
      descriptor = described;
      world = attached;
      checkpoints = store;
    },
    session: {
      status,
      requestStop: options.requestStop,
      sugar: (request) => giveSugar(world, request),
      shows: () => showSwitch.list(),
      requestShow: ({ id, by }) => showSwitch.request(id, by),
      events: (since, limit) => eventLog.recent(since, limit),
      subscribePreview(listener) {
        preview = listener;
        stage?.setPreview(listener);
        return () => {
          preview = null;
          stage?.setPreview(null); // nobody watches: nothing is muxed
        };
      },
      metrics: () => formatMetrics(status()),
    },
  };
}

function reportAgents(
  snapshot: Snapshot | null,
  descriptor: SessionDescriptor | null,
  world: SessionWorld | null,
): StatusReport['agents'] {
  if (snapshot === null || descriptor === null || world === null) return [];
  return descriptor.agents.map(({ agentId, connectome }, index) => {
    const agent = snapshot.agents[index]!;
    return {
      agentId,
      populationRateHz: agent.populationRateHz,
      brainMs: agent.brainMs,
      spikeCount: agent.spikeCount,
      stepMs: median(world.brainMs[index]!),
      isAwaited: world.waiting.agents[index] === 1,
      learning: agent.learning.enabled,
      connectome: { name: connectome.name, origin: connectome.origin },
    };
  });
}

function reportProgress(snapshot: Snapshot | null, descriptor: SessionDescriptor | null): StatusReport['progress'] {
  if (snapshot === null || descriptor === null) return null;
  const { progress } = snapshot;
  const { rungs } = descriptor.task.presentation;
  const next = progress.earned.indexOf(false);
  return {
    rank: progress.rank,
    rungs: rungs.length,
    label: rungs[progress.rank] ?? '',
    next: rungs[next] ?? '',
    mode: progress.mode,
  };
}

const OUTPUT_STATES: Readonly<Record<OutputStats['state'], OutputReport['state']>> = {
  connecting: 'starting',
  active: 'active',
  congested: 'congested',
  retrying: 'reconnecting',
  failed: 'failed',
  closed: 'stopped',
};

function reportOutput(output: OutputStats, nowUnixMs: number): OutputReport {
  const active = output.state === 'active' || output.state === 'congested';
  return {
    name: output.name,
    kind: output.kind,
    state: OUTPUT_STATES[output.state],
    bytes: output.bytes,
    droppedFrames: output.droppedFrames,
    reconnects: output.reconnects,
    congestion: output.kind === 'rtmp' ? output.congestion : null,
    lastError: output.lastError,
    activeSeconds: active ? (nowUnixMs - output.sinceUnixMs) / 1_000 : null,
  };
}

function reportMedia({ avOffsetMs, program }: StageStats): MediaReport {
  const { probe, queueDepth } = program;
  return {
    avOffsetMs,
    encoderQueue: queueDepth,
    probe: probe && { decodedFrames: probe.decodedFrames, identicalFrames: probe.identicalFrames },
  };
}

const ENVIRONMENT_STATES: Partial<Record<SessionWorld['phase']['name'], StatusReport['environment']['state']>> = {
  starting: 'starting',
  paused: 'paused',
  failed: 'restarting',
  restoring: 'restarting',
};

function reportEnvironment(world: SessionWorld | null): StatusReport['environment'] {
  if (world === null) return { state: 'starting', stepMs: null };
  return { state: ENVIRONMENT_STATES[world.phase.name] ?? 'stepping', stepMs: median(world.environmentMs) };
}

function reportBarrier(world: SessionWorld | null): StatusReport['barrier'] {
  if (world === null) return { stepMs: null, waitingMs: 0 };
  const { waitingFor, waitingMs } = readHealthFacts(world);
  return { stepMs: median(world.kernelMs), waitingMs: waitingFor === 'deadline' ? 0 : waitingMs };
}

function reportSaves(checkpoints: LiveCheckpoints | null): StatusReport['saves'] {
  const queue = checkpoints?.queue() ?? null;
  if (queue === null) return null;
  const { outstanding, queuedBytes, refused } = queue;
  return { waiting: outstanding, waitingBytes: queuedBytes, refused, runningMs: queue.stalledMs() };
}

function median(histogram: Histogram): number | null {
  return histogram.count === 0 ? null : histogram.summary().p50;
}

function reportFeed(publisher: Publisher): StatusReport['feed'] {
  const { events, readers, snapshots, soundChunks } = publisher.losses();
  const { published } = publisher;
  return { published, dropped: snapshots, lostEvents: events, lostSoundChunks: soundChunks, lostReaders: readers };
}

function reportCheckpoint(checkpoints: LiveCheckpoints | null, nowUnixMs: number): StatusReport['checkpoint'] {
  const durable = checkpoints?.durable() ?? null;
  if (durable === null) return null;
  return { boundary: durable.boundary, ageSeconds: (nowUnixMs - durable.atUnixMs) / 1_000, kind: 'durable' };
}

/** What the feed says of each state (spec: feed-control.md 6.3). */
const STATUS_OF: Readonly<Record<HealthState, SessionStatus>> = {
  booting: 'booting',
  running: 'running',
  slow: 'running',
  paused: 'paused',
  'waiting-at-barrier': 'running',
  recovering: 'recovering',
  failed: 'recovering',
  'backend-disconnected': 'recovering',
  'dead-agent': 'recovering',
  stopping: 'running',
};

/** What the world itself says; before it exists, or before anything of it can be shown, it is starting. */
function judgeStanding(world: SessionWorld | null, snapshot: Snapshot | null): Health {
  if (world === null) return BOOTING;
  const standing = judgeWorld(readHealthFacts(world));
  return snapshot === null && standing.alive ? BOOTING : standing;
}
