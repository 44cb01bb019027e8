import { expect, test } from 'vitest';
import { formatMetrics } from '../../../broadcast/control/metrics.ts';
import { sampleReport, standing } from './fake-session.ts';

test('the names of the specification are all present (broadcast.md 104, 105, 107, 113)', () => {
  const names = familyNames(formatMetrics(sampleReport()));
  for (const name of [
    'fly_realtime_factor',
    'fly_uptime_seconds',
    'fly_lag_seconds',
    'fly_brain_ms',
    'fly_population_rate_hz',
    'fly_spike_count',
    'fly_milestone_rank',
    'fly_status',
    'fly_encoder_backend',
    'fly_push_connected',
    'fly_push_bytes_total',
    'fly_push_reconnects_total',
    'fly_recorder_bytes_total',
    'fly_audio_rms',
    'fly_audio_underruns_total',
  ]) {
    expect(names, name).toContain(name);
  }
});

test('every series has its help and type line and a finite value (broadcast.md 108)', () => {
  const text = formatMetrics(
    sampleReport({ realTimeFactor: Number.NaN, lagMs: Infinity, step: 'x', sound: null, progress: null }),
  );
  const described = new Set<string>();
  for (const line of text.trimEnd().split('\n')) {
    const [, kind, name] = /^# (HELP|TYPE) (\S+) ./.exec(line) ?? [];
    if (kind !== undefined) {
      described.add(`${kind} ${name}`);
      continue;
    }
    const series = /^([a-z_]+)(\{[^}]*\})? (\S+)$/.exec(line)!;
    expect(Number.isFinite(Number(series[3])), line).toBe(true);
    expect(described.has(`HELP ${series[1]}`) && described.has(`TYPE ${series[1]}`), line).toBe(true);
  }
});

test('a swap and the age of the newest checkpoint can be watched', () => {
  const text = formatMetrics(
    sampleReport({ swap: { from: 'windfall', to: 'two-fly', phase: 'sealing' }, checkpoint: null }),
  );
  expect(text).toContain('\nfly_show_swapping 1\n');
  expect(text).toContain('\nfly_checkpoint_age_seconds -1\n');
  expect(formatMetrics(sampleReport())).toContain('\nfly_checkpoint_age_seconds 3.2\n');
});

test('unknown is -1 and a flag starts at 0 (broadcast.md 100)', () => {
  const text = formatMetrics(
    sampleReport({
      realTimeFactor: null,
      progress: null,
      sound: null,
      stage: { state: 'starting', encoder: null, framesDrawn: 0, framesDropped: 0, framesLost: 0, drawMs: null },
    }),
  );
  expect(valueOf(text, 'fly_realtime_factor')).toBe(-1);
  expect(valueOf(text, 'fly_milestone_rank')).toBe(-1);
  expect(valueOf(text, 'fly_audio_rms')).toBe(-1);
  expect(valueOf(text, 'fly_stage_draw_seconds')).toBe(-1);
  expect(valueOf(text, 'fly_encoder_backend{backend="nvenc"}')).toBe(0);
  expect(valueOf(text, 'fly_encoder_backend{backend="x264"}')).toBe(0);
});

test('both encoder series are always there, 1 for the live one (broadcast.md 29)', () => {
  const text = formatMetrics(sampleReport());
  expect(valueOf(text, 'fly_encoder_backend{backend="x264"}')).toBe(1);
  expect(valueOf(text, 'fly_encoder_backend{backend="nvenc"}')).toBe(0);
});

test('every status is a series and exactly one is 1 (broadcast.md 107)', () => {
  const text = formatMetrics(sampleReport({ status: 'paused' }));
  const values = ['booting', 'running', 'paused', 'recovering', 'error'].map((status) =>
    valueOf(text, `fly_status{status="${status}"}`),
  );
  expect(values).toEqual([0, 0, 1, 0, 0]);
});

test('PRO-11 every state of health is a series and exactly one is 1; alive is what /healthz answers', () => {
  const text = formatMetrics(sampleReport(standing('waiting-at-barrier')));
  const series = [...text.matchAll(/^fly_health\{state="([a-z-]+)"\} (\d)$/gm)].map(([, state, value]) => [
    state,
    value,
  ]);
  expect(series).toHaveLength(11);
  expect(series.filter(([, value]) => value === '1')).toEqual([['waiting-at-barrier', '1']]);
  expect(valueOf(text, 'fly_alive')).toBe(1);
  expect(valueOf(formatMetrics(sampleReport(standing('dead-agent'))), 'fly_alive')).toBe(0);
});

test('the barrier, each fly, slow readers and what waits for the disk are numbers (session.md 20, broadcast.md 111)', () => {
  const [agent] = sampleReport().agents;
  const text = formatMetrics(
    sampleReport({
      agents: [agent!, { ...agent!, agentId: 'fly-b', stepMs: 2.5, isAwaited: true }],
      barrier: { stepMs: 3, waitingMs: 1_500 },
      feed: { published: 900, dropped: 7, lostEvents: 8, lostSoundChunks: 9, lostReaders: 1 },
      saves: { waiting: 2, waitingBytes: 4_096, refused: 3, runningMs: 250 },
      eventLog: { waiting: 5, lost: 6 },
    }),
  );
  for (const [series, value] of [
    ['fly_agent_step_seconds{agent="fly-a"}', 0.0019],
    ['fly_agent_step_seconds{agent="fly-b"}', 0.0025],
    ['fly_barrier_awaited{agent="fly-a"}', 0],
    ['fly_barrier_awaited{agent="fly-b"}', 1],
    ['fly_barrier_step_seconds', 0.003],
    ['fly_barrier_wait_seconds', 1.5],
    ['fly_snapshots_published_total', 900],
    ['fly_snapshots_dropped_total', 7],
    ['fly_feed_lost_events_total', 8],
    ['fly_feed_lost_sound_chunks_total', 9],
    ['fly_feed_lost_readers_total', 1],
    ['fly_checkpoint_queue_saves', 2],
    ['fly_checkpoint_queue_bytes', 4_096],
    ['fly_checkpoint_queue_age_seconds', 0.25],
    ['fly_checkpoint_refused_total', 3],
    ['fly_event_log_waiting_lines', 5],
    ['fly_event_log_lost_lines_total', 6],
  ] as const) {
    expect(valueOf(text, series), series).toBe(value);
  }
  expect(valueOf(formatMetrics(sampleReport({ saves: null })), 'fly_checkpoint_queue_saves')).toBe(-1);
});

test('labels are escaped and an uplink counts as connected only while it delivers', () => {
  const [first, ...rest] = sampleReport().outputs;
  const outputs = [{ ...first!, name: 'a "b"\\c\nd', state: 'reconnecting' as const }, ...rest];
  const text = formatMetrics(sampleReport({ outputs }));
  expect(valueOf(text, 'fly_push_connected{output="a \\"b\\"\\\\c\\nd"}')).toBe(0);
  expect(valueOf(text, 'fly_push_connected{output="Backup relay"}')).toBe(1);
  expect(text).not.toContain('fly_push_connected{output="Recording, TS"}');
});

function familyNames(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!);
}

function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  if (line === undefined) throw new Error(`no series ${series}`);
  return Number(line.slice(series.length + 1));
}
