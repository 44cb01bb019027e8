import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../engine/clock.ts';
import { openChannel } from '../../engine/replica/channel.ts';
import type { Channel } from '../../engine/replica/channel.ts';
import type { Publisher } from '../../engine/replica/publisher.ts';
import type { WireMessage } from '../../engine/replica/wire.ts';
import { createSilence } from '../../engine/silence.ts';
import type { StageConfig, StageOrder, StageReport, StageStats } from '../stage/protocol.ts';

/**
 * The stage collects its garbage in its own thread. Helpers of the collector would take both cores from the brains at
 * once: with them a step of two flies took 15 to 18 ms at p99, without 12 to 13 (docs/performance.md).
 */
const STAGE_FLAGS = ['--single-threaded-gc'];
/** No word for this long means the stage hangs; it is killed and started again. */
const SILENT_LIMIT_MS = 8_000;
/** A stage that dies sooner than this after its start is restarted more and more slowly. */
const SHORT_LIFE_MS = 5_000;
const MAX_BACKOFF_MS = 5_000;
/** The stage gets this long to close its files when the session ends. */
const STOP_LIMIT_MS = 2_600;

export type PreviewSink = {
  init(bytes: Uint8Array, mimeType: string): void;
  fragment(bytes: Uint8Array, keyframe: boolean): void;
};

/** Keeps one stage child alive. The session never waits for it. */
export type StageSupervisor = {
  readonly state: 'starting' | 'drawing' | 'restarting' | 'stopped';
  readonly restarts: number;
  readonly stats: StageStats | null;
  /** Tells the present and every later stage child. A geometry replaces the one before of the same agent. */
  order(order: StageOrder): void;
  setPreview(sink: PreviewSink | null): void;
  /** Ends it in an orderly way; a child that does not end in time is killed. */
  stop(): Promise<void>;
};

export type StageSupervisorOptions = {
  readonly config: StageConfig;
  readonly publisher: Publisher;
  readonly clock: Clock;
  readonly onEvent: (event: Extract<StageReport, { type: 'stage-event' | 'stage-failed' }>) => void;
};

export function superviseStage(options: StageSupervisorOptions): StageSupervisor {
  const { config, publisher, clock, onEvent } = options;
  const standing = new Map<string, StageOrder>();
  let child: ChildProcess | null = null;
  let channel: Channel | null = null;
  let state: StageSupervisor['state'] = 'starting';
  let restarts = 0;
  let quickDeaths = 0;
  let stats: StageStats | null = null;
  let preview: PreviewSink | null = null;
  let startedMs = 0;
  const silence = createSilence(SILENT_LIMIT_MS);
  let stopped: (() => void) | null = null;
  const abort = new AbortController();

  start();
  void watch();

  return {
    get state() {
      return state;
    },
    get restarts() {
      return restarts;
    },
    get stats() {
      return stats;
    },
    order(order) {
      if (order.type === 'stage-geometry' || order.type === 'stage-growing') {
        standing.set(`geometry-${order.agentIndex}`, order);
      }
      send(order);
    },
    setPreview(sink) {
      preview = sink;
      send({ type: 'stage-preview', wanted: sink !== null });
    },
    async stop() {
      if (state === 'stopped') return;
      state = 'stopped';
      abort.abort();
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => {
        stopped = resolve;
      });
      send({ type: 'stage-stop' });
      const timeout = new AbortController();
      await Promise.race([ended, clock.sleep(STOP_LIMIT_MS, timeout.signal)]);
      timeout.abort();
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    },
  };

  function send(order: StageOrder): void {
    channel?.send({ header: order, attachments: [] });
  }

  function start(): void {
    startedMs = clock.nowMs();
    silence.heard();
    const spawned = spawn(
      process.execPath,
      [...process.execArgv, ...STAGE_FLAGS, fileURLToPath(new URL('../stage/main.ts', import.meta.url))],
      {
        stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
        // The stage must not inherit secrets it was not given over its pipe.
        // Every uplink may hold a thread of the pool while it connects; encoding must not wait for one.
        env: { ...process.env, TWITCH_STREAM_KEY: '', UV_THREADPOOL_SIZE: '8' },
      },
    );
    child = spawned;
    const opened = openChannel(spawned.stdio[3] as Duplex, { onMessage: hear, onClose: () => undefined });
    channel = opened;
    opened.send({ header: { type: 'stage-config', config } satisfies StageOrder, attachments: [] });
    for (const order of standing.values()) send(order);
    if (preview !== null) send({ type: 'stage-preview', wanted: true });
    const removeReader = publisher.addReader(opened);
    spawned.once('exit', (code, signal) => {
      removeReader();
      opened.close();
      if (child !== spawned) return;
      channel = null;
      stopped?.();
      if (state === 'stopped') return;
      void restart(signal ?? `exit code ${code}`);
    });
  }

  async function restart(why: string): Promise<void> {
    const livedMs = clock.nowMs() - startedMs;
    quickDeaths = livedMs < SHORT_LIFE_MS ? quickDeaths + 1 : 0;
    state = 'restarting';
    restarts += 1;
    onEvent({
      type: 'stage-event',
      severity: 'alarm',
      subject: 'stage',
      code: 'STAGE_DIED',
      text: `the stage ended (${why}); the session goes on, the picture comes back by itself`,
    });
    const backoffMs = quickDeaths === 0 ? 0 : Math.min(MAX_BACKOFF_MS, 250 * 2 ** quickDeaths);
    await clock.sleep(backoffMs, abort.signal);
    if (!abort.signal.aborted) start();
  }

  function hear(message: WireMessage): void {
    silence.heard();
    const report = message.header as unknown as StageReport;
    switch (report.type) {
      case 'stage-stats':
      case 'stage-done':
        if (state !== 'stopped') state = 'drawing';
        stats = report.stats;
        return;
      case 'stage-event':
      case 'stage-failed':
        onEvent(report);
        return;
      case 'stage-preview-init':
        preview?.init(message.attachments[0]!.bytes, report.mimeType);
        return;
      case 'stage-preview-fragment':
        preview?.fragment(message.attachments[0]!.bytes, report.keyframe);
        return;
      default:
        report satisfies never;
    }
  }

  async function watch(): Promise<void> {
    while (!abort.signal.aborted) {
      await clock.sleep(silence.lookMs, abort.signal);
      if (abort.signal.aborted || child === null || channel === null) continue;
      if (silence.look()) child.kill('SIGKILL');
    }
  }
}
