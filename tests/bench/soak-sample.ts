import type { StatusReport } from '../../broadcast/control/controlled-session.ts';
import type { HealthReport } from '../../broadcast/control/health.ts';
import type { Handles } from './soak-handles.ts';

/** What `GET /status.json` answers. */
export type StatusAnswer = StatusReport & { readonly health: HealthReport };

/** One look at a running show. */
export type SoakSample = {
  /** Wall time since the measured run began, ms; the middle of the request. */
  readonly atMs: number;
  /** Simulated time of the run, over all its episodes. */
  readonly runMs: number;
  /** Simulated time of each brain, warm-up included. */
  readonly brainMs: readonly number[];
  readonly lagMs: number;
  readonly healthState: HealthReport['state'];
  readonly alive: boolean;
  readonly rssMb: number;
  readonly stageState: StatusReport['stage']['state'];
  readonly framesDrawn: number;
  readonly framesMissed: number;
  /** Names of outputs that are not simply `active`. */
  readonly troubledOutputs: readonly string[];
  readonly outputDrops: number;
  readonly soundFillMs: number;
  readonly underruns: number;
  readonly encoderQueue: number;
  /** Null while nothing is drawn. */
  readonly avOffsetMs: number | null;
  readonly probe: { readonly decodedFrames: number; readonly identicalFrames: number } | null;
  /** Null before the first state is on the disk. */
  readonly checkpointAgeSeconds: number | null;
  readonly alarms: readonly string[];
  /** Series of `GET /metrics`; labels that pile up show here. */
  readonly metricSeries: number;
  /** Saves that run or wait; null where this show does not say. */
  readonly savesWaiting: number | null;
  /** Snapshots that slow readers lost; null where this show does not say. */
  readonly snapshotsDropped: number | null;
  readonly threads: number;
  readonly openFiles: number;
};

export function readSoakSample(atMs: number, status: StatusAnswer, metrics: string, handles: Handles): SoakSample {
  const { stage, outputs, sound, media } = status;
  return {
    atMs,
    runMs: status.runSeconds * 1_000,
    brainMs: status.agents.map(({ brainMs }) => brainMs),
    lagMs: status.lagMs,
    healthState: status.health.state,
    alive: status.health.alive,
    rssMb: status.memoryMb,
    stageState: stage.state,
    framesDrawn: stage.framesDrawn,
    framesMissed: stage.framesDropped,
    troubledOutputs: outputs.filter(({ state }) => state !== 'active').map(({ name, state }) => `${name} ${state}`),
    outputDrops: outputs.reduce((sum, { droppedFrames }) => sum + droppedFrames, 0),
    soundFillMs: sound?.fillMs ?? 0,
    underruns: sound?.underruns ?? 0,
    encoderQueue: media?.encoderQueue ?? 0,
    avOffsetMs: media?.avOffsetMs ?? null,
    probe: media?.probe ?? null,
    checkpointAgeSeconds: status.checkpoint?.ageSeconds ?? null,
    alarms: status.alarms.map(({ code }) => code),
    metricSeries: metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length,
    savesWaiting: readMetric(metrics, 'fly_checkpoint_queue_saves'),
    snapshotsDropped: readMetric(metrics, 'fly_snapshots_dropped_total'),
    ...handles,
  };
}

/** Value of a series without labels; null when there is none, or when it says that it is not known. */
function readMetric(metrics: string, name: string): number | null {
  const line = metrics.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  const value = Number(line?.slice(name.length + 1));
  return Number.isFinite(value) ? value : null;
}
