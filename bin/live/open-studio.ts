import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openControlServer } from '../../broadcast/control/control-server.ts';
import { defaultEncodeOptions } from '../../broadcast/encode/encode-options.ts';
import { PICTURE_SIZES } from '../../config/schema.ts';
import type { Config } from '../../config/schema.ts';
import { systemClock } from '../../engine/clock.ts';
import type { Clock } from '../../engine/clock.ts';
import { ConfigError, describeError } from '../../engine/errors.ts';
import { createEventLog } from '../../engine/event-log.ts';
import type { EventLog } from '../../engine/event-log.ts';
import { createPublisher } from '../../engine/replica/publisher.ts';
import type { Publisher } from '../../engine/replica/publisher.ts';
import type { Home } from '../home.ts';
import type { StageConfig } from '../stage/protocol.ts';
import { createAlarms } from './alarms.ts';
import type { Alarms } from './alarms.ts';
import { createControlledSession } from './controlled-session.ts';
import type { LiveControl } from './controlled-session.ts';
import type { LiveOptions } from './live-options.ts';
import { createResourceMeter } from './resource-meter.ts';
import type { ResourceMeter } from './resource-meter.ts';
import type { ShowSwitch } from './show-switch.ts';
import { superviseStage } from './stage-supervisor.ts';
import type { StageSupervisor } from './stage-supervisor.ts';
import type { Terminal } from './terminal.ts';
import type { Uplink } from './uplinks.ts';

/** Everything that outlives one session: a swap of shows touches none of it, so nothing on air breaks. */
export type Studio = {
  readonly clock: Clock;
  readonly config: Config;
  readonly home: Home;
  readonly options: LiveOptions;
  readonly terminal: Terminal;
  readonly alarms: Alarms;
  readonly eventLog: EventLog;
  readonly meter: ResourceMeter;
  readonly publisher: Publisher;
  readonly control: LiveControl;
  readonly controlUrl: string;
  readonly stage: StageSupervisor | null;
  readonly showSwitch: ShowSwitch;
  /** Output name -> ms from the start of this process to its first packet. */
  readonly firstPacketMs: ReadonlyMap<string, number>;
  close(): Promise<void>;
};

export type OpenStudioOptions = {
  readonly config: Config;
  readonly home: Home;
  readonly options: LiveOptions;
  readonly terminal: Terminal;
  readonly uplinks: readonly Uplink[];
  readonly showSwitch: ShowSwitch;
  readonly requestStop: (by: string) => void;
};

/** Opens log, control server and stage. @throws ConfigError CONTROL_PORT, HOME; what was opened is closed again */
export async function openStudio(input: OpenStudioOptions): Promise<Studio> {
  const { config, home, options, terminal, uplinks, showSwitch, requestStop } = input;
  const clock = systemClock;
  await makeHome(home);
  const closers: (() => Promise<void> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const alarms = createAlarms();
    const meter = createResourceMeter(clock);
    closers.push(() => meter.close());
    const publisher = createPublisher();
    const eventLog = openLog(home, alarms);
    closers.push(() => eventLog.close());
    const control = createControlledSession({
      clock,
      publisher,
      alarms,
      meter,
      eventLog,
      showSwitch,
      seed: config.seed,
      learning: options.learning,
      requestStop,
    });
    const server = await openControlServer({ port: config.control.port, session: control.session, clock });
    closers.push(() => server.close());
    const firstPacketMs = new Map<string, number>();
    const stage = options.picture ? openStage(config, home, uplinks, publisher, alarms, terminal, firstPacketMs) : null;
    if (stage !== null) {
      control.attachStage(stage);
      closers.push(() => stage.stop());
    }
    return {
      clock,
      config,
      home,
      options,
      terminal,
      alarms,
      eventLog,
      meter,
      publisher,
      control,
      controlUrl: server.url,
      stage,
      showSwitch,
      firstPacketMs,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
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
    onRecovery: () => alarms.clear('event-log'),
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
