import { HEALTH_STATES } from '../../engine/health.ts';
import type { AgentReport, OutputReport, StatusReport } from './controlled-session.ts';
import { judgeHealth } from './health.ts';
import type { HealthReport } from './health.ts';

const STATUSES = ['booting', 'running', 'paused', 'recovering', 'error'] as const;

const SHOWN_STATES: readonly HealthReport['state'][] = [...HEALTH_STATES, 'swapping'];

/** Prometheus has no null; -1 means not known (spec: broadcast.md 100). */
const UNKNOWN = -1;

/**
 * The report as Prometheus text 0.0.4. Every series has its help and type line and a finite value; labels come from
 * configured ids only (spec: broadcast.md 104, 108, 112, 113).
 */
export function formatMetrics(report: StatusReport): string {
  const { barrier, eventLog, feed, outputs, progress, saves, sound, stage } = report;
  const health = judgeHealth(report);
  const uplinks = outputs.filter(({ kind }) => kind === 'rtmp');
  const recordings = outputs.filter(({ kind }) => kind === 'recording');
  return [
    family('fly_realtime_factor', 'gauge', 'Simulated ms per wall ms over the last second.', [
      plain(report.realTimeFactor),
    ]),
    family('fly_lag_seconds', 'gauge', 'How far the session is behind its deadlines.', [plain(report.lagMs / 1_000)]),
    family('fly_uptime_seconds', 'gauge', 'Since the process started.', [plain(report.uptimeSeconds)]),
    family('fly_step', 'counter', 'Last completed boundary.', [plain(Number(report.step))]),
    family(
      'fly_status',
      'gauge',
      'One for the present status.',
      STATUSES.map((status) => ({ labels: { status }, value: flag(status === report.status) })),
    ),
    family(
      'fly_health',
      'gauge',
      'One for how the show stands.',
      SHOWN_STATES.map((state) => ({ labels: { state }, value: flag(state === health.state) })),
    ),
    family('fly_alive', 'gauge', 'One while the show does what it was asked to do; what /healthz answers.', [
      plain(flag(health.alive)),
    ]),
    family(
      'fly_brain_ms',
      'gauge',
      'Simulated time of each brain.',
      perAgent(report, ({ brainMs }) => brainMs),
    ),
    family(
      'fly_population_rate_hz',
      'gauge',
      'Mean spike rate of all neurons.',
      perAgent(report, ({ populationRateHz }) => populationRateHz),
    ),
    family(
      'fly_spike_count',
      'gauge',
      'Spikes of the last transition.',
      perAgent(report, ({ spikeCount }) => spikeCount),
    ),
    family('fly_milestone_rank', 'gauge', 'Highest earned rung, -1 before the first.', [
      plain(progress === null ? null : progress.rank),
    ]),
    family('fly_environment_step_seconds', 'gauge', 'Mean wall time of one world step.', [
      plain(toSeconds(report.environment.stepMs)),
    ]),
    family(
      'fly_agent_step_seconds',
      'gauge',
      'Median wall time of a brain in one step.',
      perAgent(report, ({ stepMs }) => toSeconds(stepMs)),
    ),
    family('fly_barrier_step_seconds', 'gauge', 'Median wall time until the last brain of a step has answered.', [
      plain(toSeconds(barrier.stepMs)),
    ]),
    family('fly_barrier_wait_seconds', 'gauge', 'How long the flies or the world are being waited for now.', [
      plain(barrier.waitingMs / 1_000),
    ]),
    family(
      'fly_barrier_awaited',
      'gauge',
      'One while this brain is waited for.',
      perAgent(report, ({ isAwaited }) => flag(isAwaited)),
    ),
    family('fly_snapshots_published_total', 'counter', 'Boundaries shown to readers.', [plain(feed.published)]),
    family('fly_snapshots_dropped_total', 'counter', 'Snapshots that slow readers lost.', [plain(feed.dropped)]),
    family('fly_feed_lost_events_total', 'counter', 'Events a reader never got.', [plain(feed.lostEvents)]),
    family('fly_feed_lost_sound_chunks_total', 'counter', 'Sound a reader never got.', [plain(feed.lostSoundChunks)]),
    family('fly_feed_lost_readers_total', 'counter', 'Readers that broke.', [plain(feed.lostReaders)]),
    family('fly_checkpoint_queue_saves', 'gauge', 'Saves that run or wait.', [plain(saves?.waiting ?? null)]),
    family('fly_checkpoint_queue_bytes', 'gauge', 'Bytes that wait for the disk.', [
      plain(saves?.waitingBytes ?? null),
    ]),
    family('fly_checkpoint_queue_age_seconds', 'gauge', 'Age of the save that runs now.', [
      plain(toSeconds(saves?.runningMs ?? null)),
    ]),
    family('fly_checkpoint_refused_total', 'counter', 'Saves refused because too much waited.', [
      plain(saves?.refused ?? null),
    ]),
    family('fly_event_log_waiting_lines', 'gauge', 'Lines of the event log not on the disk yet.', [
      plain(eventLog.waiting),
    ]),
    family('fly_event_log_lost_lines_total', 'counter', 'Lines the disk refused for too long.', [plain(eventLog.lost)]),
    family('fly_stage_draw_seconds', 'gauge', 'Mean drawing time of one picture.', [plain(toSeconds(stage.drawMs))]),
    family('fly_stage_frames_total', 'counter', 'Pictures drawn.', [plain(stage.framesDrawn)]),
    family('fly_stage_frames_dropped_total', 'counter', 'Pictures due but not drawn.', [plain(stage.framesDropped)]),
    family('fly_stage_frames_lost_total', 'counter', 'Pictures the stream is shorter by.', [plain(stage.framesLost)]),
    family('fly_encoder_backend', 'gauge', 'One for the encoder in use.', [
      { labels: { backend: 'nvenc' }, value: flag(stage.encoder?.includes('nvenc') ?? false) },
      { labels: { backend: 'x264' }, value: flag(stage.encoder?.includes('x264') ?? false) },
    ]),
    family('fly_audio_rms', 'gauge', 'Programme amplitude, 1 is full scale.', [plain(amplitude(sound?.rmsDb ?? null))]),
    family('fly_audio_underruns_total', 'counter', 'Gaps filled with silence.', [plain(sound?.underruns ?? null)]),
    family(
      'fly_push_connected',
      'gauge',
      'One while the uplink delivers.',
      perOutput(uplinks, ({ state }) => flag(state === 'active' || state === 'congested')),
    ),
    family(
      'fly_push_bytes_total',
      'counter',
      'Bytes sent.',
      perOutput(uplinks, ({ bytes }) => bytes),
    ),
    family(
      'fly_push_reconnects_total',
      'counter',
      'Connections opened again.',
      perOutput(uplinks, ({ reconnects }) => reconnects),
    ),
    family(
      'fly_push_dropped_frames_total',
      'counter',
      'Pictures dropped by the network.',
      perOutput(uplinks, ({ droppedFrames }) => droppedFrames),
    ),
    family(
      'fly_recorder_bytes_total',
      'counter',
      'Bytes recorded.',
      perOutput(recordings, ({ bytes }) => bytes),
    ),
    family('fly_checkpoint_age_seconds', 'gauge', 'Age of the newest state a restart could continue from.', [
      plain(report.checkpoint?.ageSeconds ?? null),
    ]),
    family('fly_show_swapping', 'gauge', 'One while a swap to another show runs.', [plain(flag(report.swap !== null))]),
    family('fly_alarms', 'gauge', 'Alarms an operator must look at.', [plain(report.alarms.length)]),
    family('fly_resident_bytes', 'gauge', 'Resident memory of all processes.', [plain(report.memoryMb * 1_048_576)]),
    family('fly_busy_cores', 'gauge', 'CPU seconds per second.', [plain(report.cores.busy)]),
  ].join('');
}

type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

function family(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ labels, value }) => `${name}${formatLabels(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function perAgent(report: StatusReport, pick: (agent: AgentReport) => number | null): Sample[] {
  return report.agents.map((agent) => ({ labels: { agent: agent.agentId }, value: finite(pick(agent)) }));
}

function perOutput(outputs: readonly OutputReport[], pick: (output: OutputReport) => number): Sample[] {
  return outputs.map((output) => ({ labels: { output: output.name }, value: finite(pick(output)) }));
}

function plain(value: number | null): Sample {
  return { labels: {}, value: finite(value) };
}

function finite(value: number | null): number {
  return value !== null && Number.isFinite(value) ? value : UNKNOWN;
}

function flag(on: boolean): number {
  return on ? 1 : 0;
}

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000;
}

/** Decibels below full scale as a linear amplitude, so that -1 can stay "unknown". */
function amplitude(db: number | null): number | null {
  return db === null ? null : 10 ** (db / 20);
}
