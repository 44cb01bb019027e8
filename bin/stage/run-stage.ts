import { createMixer } from '../../broadcast/mix/mixer.ts';
import { AUDIO_RATE_HZ } from '../../broadcast/encode/encode-options.ts';
import { createProgram } from '../../broadcast/program.ts';
import type { Program, ProgramEvent } from '../../broadcast/program.ts';
import type { Output } from '../../broadcast/outputs/output.ts';
import type { Clock } from '../../engine/clock.ts';
import { createReplica } from '../../engine/replica/replica.ts';
import type { WireMessage } from '../../engine/replica/wire.ts';
import type { StageGeometry } from '../../scenes/stage.ts';
import { createStage } from '../../scenes/stage.ts';
import { createPresentation } from './presentation.ts';
import { createRefusalReport } from './report-refusals.ts';
import { createSlotStart } from './slot-start.ts';
import { createSoundFeed } from './sound-feed.ts';
import type { StageConfig, StageReport, StageStats } from './protocol.ts';

/** Further behind than this the output clock gives up catching up and starts from now. */
const MAX_LATE_MS = 2_000;
/** Further apart than any buffer: the picture is of a new episode, the sound still of the old; no offset is known. */
const OTHER_EPISODE_MS = 5_000;
const STATS_EVERY_MS = 500;
/** Longest wait for queued pictures and sound when the session ends. */
const DRAIN_LIMIT_MS = 700;

export type RunningStage = {
  /** One message of the replica protocol. */
  receive(message: WireMessage): void;
  /** @param identity of the connectome it belongs to; null while that is being grown */
  setGeometry(agentIndex: number, geometry: StageGeometry, identity: string | null): void;
  setPreview(wanted: boolean): void;
  /** Presents what is queued, closes every output. */
  stop(): Promise<StageStats>;
};

export type RunStageOptions = {
  readonly config: StageConfig;
  readonly clock: Clock;
  readonly report: (report: StageReport, preview?: Uint8Array) => void;
  /** The output clock stopped: nothing more will be drawn. */
  readonly onFailure: (error: unknown) => void;
};

/**
 * Draws, mixes and encodes at a constant rate of the wall clock: exactly one picture per 1/fps and the sound that
 * belongs to it. A late picture is repeated, never skipped, so the stream keeps its rate whatever the session does.
 */
export async function runStage({ config, clock, report, onFailure }: RunStageOptions): Promise<RunningStage> {
  const stage = await createStage({ widthPx: config.widthPx, heightPx: config.heightPx });
  const program = await createProgram({ ...config, clock, onEvent: (event) => reportEvent(event, report) });
  for (const { name, url } of config.uplinks) program.addOutput({ kind: 'rtmp', name, url });
  const replica = createReplica();
  const presentation = createPresentation(replica);
  const mixer = createMixer();
  const sound = createSoundFeed(mixer);
  const refusals = createRefusalReport(replica.refusals, report);
  const meter = createDrawMeter();
  const periodMs = 1_000 / config.fps;
  const start = createSlotStart(clock, periodMs);
  let recording: Output | null = null;
  let preview: Output | null = null;
  let stopping = false;
  let avOffsetMs = 0;

  const stats = (): StageStats => ({ ...meter.read(), program: program.stats(), mixer: mixer.stats(), avOffsetMs });
  const ticking = tick();
  // An encoder that is lost for good ends this process; its supervisor starts another.
  ticking.catch(onFailure);

  return {
    setGeometry(agentIndex, geometry, identity) {
      stage.setGeometry(agentIndex, geometry);
      replica.geometries[agentIndex] = identity;
    },
    receive(message) {
      if (message.header.type === 'snapshot') {
        // A recording holds the session, not the wait for it; at most the seconds since a keyframe.
        if (recording === null && config.recording !== null) {
          recording = program.addOutput({ kind: 'recording', name: 'recording', ...config.recording });
        }
        start.arrived();
      }
      sound.receive(message);
      presentation.receive(message, clock.nowMs());
    },
    setPreview(wanted) {
      if (wanted && preview === null) preview = openPreview(program, report);
      else if (!wanted && preview !== null) {
        void program.removeOutput(preview.id);
        preview = null;
      }
    },
    async stop() {
      const deadlineMs = clock.nowMs() + DRAIN_LIMIT_MS;
      // Nothing more comes: once the sound has run out, no picture waits for it any longer.
      const isDone = (): boolean => presentation.waiting === 0 || mixer.stats().fillMs < 1;
      while (!isDone() && clock.nowMs() < deadlineMs) await clock.sleep(20);
      stopping = true;
      await ticking;
      await program.close();
      const last = stats();
      stage.close();
      return last;
    },
  };

  async function tick(): Promise<void> {
    await clock.sleep(0); // what already waits in the pipe belongs into the first picture
    let slot = 0;
    let originMs = clock.nowMs();
    let slotOrigin = 0;
    let picture: Uint8Array | null = null;
    let reportAtMs = originMs + STATS_EVERY_MS;
    while (!stopping) {
      const dueMs = originMs + (slot - slotOrigin) * periodMs;
      await start.wait(dueMs);
      const nowMs = clock.nowMs();
      if (nowMs - dueMs > MAX_LATE_MS) {
        meter.lost(Math.floor((nowMs - dueMs) / periodMs));
        originMs = nowMs;
        slotOrigin = slot;
      }
      const mediaMs = mixer.mediaMs(); // before the pull: the time of the sound that leaves with this picture
      const pulled = mixer.pull(samplesOfSlot(slot, config.fps));
      const shownMs = presentation.present(mediaMs, nowMs);
      if (shownMs !== null && mediaMs !== null && Math.abs(shownMs - mediaMs) < OTHER_EPISODE_MS) {
        avOffsetMs = shownMs - mediaMs;
      }
      if (picture === null || nowMs - dueMs < periodMs) {
        picture = stage.render(replica, nowMs);
        meter.drawn(clock.nowMs() - nowMs);
      } else {
        meter.repeated();
      }
      await program.video(picture);
      program.audio(pulled);
      slot += 1;
      if (nowMs >= reportAtMs) {
        report({ type: 'stage-stats', stats: stats() });
        refusals.look();
        reportAtMs = nowMs + STATS_EVERY_MS;
      }
    }
    meter.lost(Math.max(0, Math.floor((clock.nowMs() - originMs) / periodMs) - (slot - slotOrigin)));
  }
}

/** Samples that belong to one video frame; exact over any run, also where the rate does not divide evenly. */
function samplesOfSlot(slot: number, fps: number): number {
  return Math.floor(((slot + 1) * AUDIO_RATE_HZ) / fps) - Math.floor((slot * AUDIO_RATE_HZ) / fps);
}

function openPreview(program: Program, report: RunStageOptions['report']): Output {
  return program.addOutput({
    kind: 'preview',
    name: 'preview',
    onInit: (bytes, mimeType) => report({ type: 'stage-preview-init', mimeType }, bytes),
    onFragment: (bytes, keyframe) => report({ type: 'stage-preview-fragment', keyframe }, bytes),
  });
}

type DrawMeter = {
  drawn(ms: number): void;
  repeated(): void;
  lost(slots: number): void;
  read(): Pick<StageStats, 'framesDrawn' | 'framesDropped' | 'framesLost' | 'drawMs'>;
};

function createDrawMeter(): DrawMeter {
  let framesDrawn = 0;
  let framesDropped = 0;
  let framesLost = 0;
  let drawMs = 0;
  return {
    drawn(ms) {
      framesDrawn += 1;
      drawMs += (ms - drawMs) / Math.min(framesDrawn, 30);
    },
    repeated() {
      framesDropped += 1;
    },
    lost(slots) {
      framesDropped += slots;
      framesLost += slots;
    },
    read: () => ({ framesDrawn, framesDropped, framesLost, drawMs }),
  };
}

function reportEvent(event: ProgramEvent, report: RunStageOptions['report']): void {
  const send = (severity: 'info' | 'alarm', subject: string, code: string, text: string): void =>
    report({ type: 'stage-event', severity, subject, code, text });
  switch (event.kind) {
    case 'encoder-opened':
      return send('info', 'encoder', 'ENCODER_OPENED', `encoder ${event.backend}`);
    case 'encoder-fallback':
      return send('alarm', 'encoder', 'ENCODER_FALLBACK', `${event.from} gave way to ${event.to}: ${event.detail}`);
    case 'recording-segment':
      return send('info', 'segment', 'RECORDING_SEGMENT', `writing ${event.file}`);
    case 'output-state': {
      const bad = event.state === 'failed' || event.state === 'retrying' || event.state === 'congested';
      const detail = event.detail === '' ? '' : `: ${event.detail}`;
      const code = `OUTPUT_${event.state.toUpperCase()}`;
      return send(bad ? 'alarm' : 'info', event.name, code, `${event.name} ${event.state}${detail}`);
    }
    case 'alarm':
      return send(event.raised ? 'alarm' : 'info', event.alarm, `OUTPUT_${event.alarm.toUpperCase()}`, event.detail);
    default:
      event satisfies never;
  }
}
