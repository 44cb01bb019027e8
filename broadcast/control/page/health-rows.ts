import type { StatusReport } from '../controlled-session.ts';
import type { HealthReport } from '../health.ts';
import { formatAge, formatCount, formatKnown, formatMs } from './format.ts';

export type Mark = 'ok' | 'warn' | 'alarm' | 'idle';

/** One line of the health panel: glyph, word and colour agree; the place of a row never changes. */
export type HealthRow = {
  readonly id: 'fly' | 'environment' | 'stage' | 'encoder' | 'sound' | 'machine' | 'checkpoint';
  readonly name: string;
  readonly mark: Mark;
  readonly word: string;
  readonly value: string;
  readonly detail: string;
  /** What the row's line draws over time; null draws nothing. */
  readonly sample: number | null;
};

/** Rates the page measures itself from two reports. */
export type MeasuredRates = { readonly stepsPerSecond: number | null; readonly picturesPerSecond: number | null };

/** RMS below this is silence to a viewer. */
const SILENT_DB = -60;
/** More of the machine than this leaves no room for a burst. */
const FULL_SHARE = 0.9;
/** Two durable saves missed: one is due every 300 s (spec: session.md 17, tiers). */
const OLD_CHECKPOINT_SECONDS = 600;

export function listHealthRows(status: StatusReport, health: HealthReport, rates: MeasuredRates): HealthRow[] {
  return [
    flyRow(status, health),
    environmentRow(status, health, rates),
    stageRow(status, rates),
    encoderRow(status, rates),
    soundRow(status),
    machineRow(status),
    checkpointRow(status),
  ];
}

/** What a healthy show stands still for. */
const STILL: ReadonlySet<HealthReport['state']> = new Set(['paused', 'swapping', 'stopping']);
/** Where the state's own name is too long for its column; the alarm line says it in a sentence. */
const SHORT_WORDS: Partial<Record<HealthReport['state'], string>> = {
  'waiting-at-barrier': 'waiting',
  'backend-disconnected': 'world lost',
  'dead-agent': 'fly lost',
};
/** Faults of the world, not of a fly. */
const LOST_WORLD: ReadonlySet<HealthReport['state']> = new Set(['failed', 'backend-disconnected']);

function flyRow(status: StatusReport, { state, alive }: HealthReport): HealthRow {
  const mark: Mark = state === 'running' ? 'ok' : STILL.has(state) ? 'idle' : alive ? 'warn' : 'alarm';
  return {
    id: 'fly',
    name: status.agents.length > 1 ? 'Flies' : 'Fly',
    mark,
    word: SHORT_WORDS[state] ?? state,
    value: `${formatKnown(status.realTimeFactor, 2, 'x')} real time`,
    detail: status.agents.map(({ populationRateHz }) => formatKnown(populationRateHz, 1, ' Hz')).join(', '),
    sample: status.realTimeFactor,
  };
}

function environmentRow({ environment }: StatusReport, { state }: HealthReport, rates: MeasuredRates): HealthRow {
  const isLost = LOST_WORLD.has(state);
  const marks: Record<typeof environment.state, Mark> = {
    starting: state === 'swapping' ? 'idle' : 'warn',
    stepping: isLost ? 'alarm' : 'ok',
    paused: 'idle',
    restarting: isLost ? 'alarm' : 'warn',
    stopped: 'alarm',
  };
  return {
    id: 'environment',
    name: 'Environment',
    mark: marks[environment.state],
    word: environment.state === 'stepping' && isLost ? 'no step' : environment.state,
    value: `${formatKnown(rates.stepsPerSecond, 1)} steps/s`,
    detail: `${formatMs(environment.stepMs, 2)} a step`,
    sample: environment.stepMs,
  };
}

function stageRow({ stage }: StatusReport, rates: MeasuredRates): HealthRow {
  const marks: Record<typeof stage.state, Mark> = {
    off: 'idle',
    starting: 'warn',
    drawing: 'ok',
    stuck: 'alarm',
    restarting: 'warn',
  };
  const fallingBehind = rates.picturesPerSecond !== null && rates.picturesPerSecond < 1 && stage.state === 'drawing';
  return {
    id: 'stage',
    name: 'Stage',
    mark: fallingBehind ? 'warn' : marks[stage.state],
    word: fallingBehind ? 'no picture' : stage.state,
    value: `${formatMs(stage.drawMs, 1)} a frame`,
    detail: `${formatCount(stage.framesDropped)} missed`,
    sample: stage.drawMs,
  };
}

function encoderRow({ stage }: StatusReport, rates: MeasuredRates): HealthRow {
  return {
    id: 'encoder',
    name: 'Encoder',
    mark: stage.encoder !== null ? 'ok' : stage.state === 'off' ? 'idle' : 'warn',
    word: stage.encoder ?? (stage.state === 'off' ? 'off' : 'not open'),
    value: `${formatKnown(rates.picturesPerSecond, 1)} fps`,
    detail: `${formatCount(stage.framesDrawn)} frames`,
    sample: rates.picturesPerSecond,
  };
}

function soundRow({ sound }: StatusReport): HealthRow {
  const row = { id: 'sound', name: 'Sound' } as const;
  if (sound === null)
    return { ...row, mark: 'idle', word: 'none', value: '', detail: 'this show is silent', sample: null };
  const { rmsDb, fillMs, underruns } = sound;
  const isSilent = rmsDb !== null && rmsDb < SILENT_DB;
  return {
    ...row,
    mark: rmsDb === null ? 'idle' : isSilent ? 'warn' : 'ok',
    word: rmsDb === null ? 'unknown' : isSilent ? 'silent' : 'sounding',
    value: rmsDb === null ? '-- dB' : `${rmsDb.toFixed(0)} dB RMS`,
    detail: `${formatKnown(fillMs, 0)} ms, ${formatCount(underruns)} ${underruns === 1 ? 'gap' : 'gaps'}`,
    sample: rmsDb,
  };
}

function machineRow({ cores, memoryMb }: StatusReport): HealthRow {
  const isFull = cores.busy !== null && cores.busy > cores.available * FULL_SHARE;
  return {
    id: 'machine',
    name: 'Machine',
    mark: cores.busy === null ? 'idle' : isFull ? 'warn' : 'ok',
    word: cores.busy === null ? 'unknown' : isFull ? 'full' : 'has room',
    value: `${formatKnown(cores.busy, 1)} / ${cores.available} cores`,
    detail: `${formatCount(memoryMb)} MiB`,
    sample: cores.busy,
  };
}

/** How much play a restart would lose. */
function checkpointRow({ checkpoint }: StatusReport): HealthRow {
  const row = { id: 'checkpoint', name: 'Checkpoint' } as const;
  if (checkpoint === null) return { ...row, mark: 'idle', word: 'none yet', value: '--', detail: '', sample: null };
  const { boundary, ageSeconds, kind } = checkpoint;
  return {
    ...row,
    mark: ageSeconds > OLD_CHECKPOINT_SECONDS ? 'warn' : 'ok',
    word: `${formatAge(ageSeconds)} old`,
    value: kind,
    detail: `step ${formatCount(Number(boundary))}`,
    sample: ageSeconds,
  };
}
