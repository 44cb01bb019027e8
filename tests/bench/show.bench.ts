import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRtmpServer, missingRtmpServer } from '../integration/rtmp-server.ts';
import type { DurationSummary } from '../../engine/histogram.ts';
import { requireDisk } from './recording-room.ts';
import { namesOfBroken } from './rule.ts';
import type { BenchRule } from './rule.ts';
import { judgeShow } from './show-judge.ts';
import { inMs, inOneCell } from './spread.ts';
import { watchLive } from './watched-live.ts';
import type { WatchOptions, WatchedRun } from './watched-live.ts';

export type ShowBenchOptions = Omit<WatchOptions, 'seconds' | 'flags' | 'home'> & {
  /** Session time of the paced run. */
  readonly seconds: number;
  /** Two homes nobody else uses. */
  readonly homes: readonly [paced: string, unthrottled: string];
};

/** The whole program once: what it did and what it cost. */
export type ShowBenchRow = {
  readonly run: 'paced' | 'unthrottled';
  readonly show: string;
  readonly picture: string;
  /** Where it was sent to besides the recording. */
  readonly ingest: string;
  readonly transitions: number;
  readonly realTimeFactor: number;
  readonly lagMs: number;
  readonly missedDeadlines: number;
  /** Compute of a step, and its two await points: until the last brain is done, and the world's step. */
  readonly stepMs: DurationSummary;
  readonly brainsMs: DurationSummary;
  readonly worldMs: DurationSummary;
  readonly picturesDrawn: number;
  readonly picturesMissed: number;
  readonly picturesLost: number;
  readonly peakRssMb: number;
  readonly meanCores: number;
  readonly threads: number;
  readonly behaviourDigest: string;
};

export type ShowBenchReport = {
  readonly rows: readonly ShowBenchRow[];
  readonly rules: readonly BenchRule[];
  readonly notes: readonly string[];
  readonly broken: readonly string[];
};

/** Session time of the unthrottled run; PERF-01 asks for a rate, not for endurance. */
const UNTHROTTLED_SECONDS = 60;
/** What B5 is measured with, whatever the operator's settings say. */
const PICTURE = { size: '720p', fps: '30' } as const;

/**
 * B5 of session.md 26: a show with stage, 720p30 encoder, recording, checkpoints and an uplink to a server on this machine,
 * paced and then as fast as it can, each from its beginning in its own process.
 * @throws ConfigError BENCH_DISK; DeviceError SOAK_START, SOAK_STOPPED. The children are gone then, too.
 */
export async function benchShow({ homes, seconds, ...options }: ShowBenchOptions): Promise<ShowBenchReport> {
  const { folder, report, show } = options;
  await requireDisk(folder, Math.ceil((seconds + UNTHROTTLED_SECONDS) / 60));
  const missing = missingRtmpServer();
  const ingest = missing === null ? 'nginx-rtmp on this machine' : `none: ${missing}`;
  if (missing !== null) report(`no uplink is part of this run: ${missing}. B5 asks for one; install it.`);
  const server = missing === null ? await createRtmpServer() : null;
  try {
    await server?.start();
    const uplink = server === null ? [] : ['--rtmp', `rtmp://127.0.0.1:${server.port}/sink/bench`];
    const picture = ['--size', PICTURE.size, '--fps', PICTURE.fps];
    const run = (
      name: ShowBenchRow['run'],
      home: string,
      length: number,
      flags: readonly string[],
    ): Promise<WatchedRun> => {
      const own = join(folder, name);
      mkdirSync(own);
      return watchLive({ ...options, home, folder: own, seconds: length, flags: [...picture, ...uplink, ...flags] });
    };
    const paced = await run('paced', homes[0], seconds, []);
    const unthrottled = await run('unthrottled', homes[1], UNTHROTTLED_SECONDS, ['--unthrottled']);
    const rules = judgeShow(paced, unthrottled);
    return {
      rows: [...rowOf('paced', show, ingest, paced), ...rowOf('unthrottled', show, ingest, unthrottled)],
      rules,
      notes: missing === null ? [] : [`no uplink was part of these runs: ${missing}`],
      broken: namesOfBroken(rules),
    };
  } finally {
    await server?.remove();
  }
}

/** The rows as tables: what a run was and cost, and where its steps went. */
export function showTables(rows: readonly ShowBenchRow[]): readonly (readonly object[])[] {
  return [
    rows.map((row) => ({
      run: row.run,
      show: row.show,
      picture: row.picture,
      ingest: row.ingest,
      transitions: row.transitions,
      'x real time': row.realTimeFactor,
      'lag ms': Math.round(row.lagMs),
      missed: row.missedDeadlines,
      ...inMs(row.stepMs),
    })),
    rows.map((row) => ({
      run: row.run,
      'brains p50/p95/p99/max, ms': inOneCell(row.brainsMs),
      'world p50/p95/p99/max, ms': inOneCell(row.worldMs),
      'pictures drawn': row.picturesDrawn,
      repeated: row.picturesMissed,
      lost: row.picturesLost,
      'peak RSS MiB': Math.round(row.peakRssMb),
      cores: row.meanCores,
      threads: row.threads,
    })),
  ];
}

/** Nothing for a run that left no summary; a rule says so. */
function rowOf(
  run: ShowBenchRow['run'],
  show: string,
  ingest: string,
  { samples, summary }: WatchedRun,
): ShowBenchRow[] {
  if (summary === null) return [];
  const { frames } = summary;
  return [
    {
      run,
      show,
      picture: `${PICTURE.size}${PICTURE.fps}`,
      ingest,
      transitions: summary.transitions,
      realTimeFactor: summary.realTimeFactor,
      lagMs: summary.lagMs,
      missedDeadlines: summary.missedDeadlines,
      stepMs: summary.stepMs,
      brainsMs: summary.kernelMs,
      worldMs: summary.environmentMs,
      picturesDrawn: frames.drawn,
      picturesMissed: frames.dropped,
      picturesLost: frames.lost,
      peakRssMb: summary.peakRssMb,
      meanCores: summary.meanCores,
      behaviourDigest: summary.behaviourDigest,
      threads: samples.reduce((most, { threads }) => Math.max(most, threads), 0),
    },
  ];
}
