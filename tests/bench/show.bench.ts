import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRtmpServer, missingRtmpServer } from '../integration/rtmp-server.ts';
import { requireDisk } from './recording-room.ts';
import { namesOfBroken } from './rule.ts';
import type { BenchRule } from './rule.ts';
import { judgeShow } from './show-judge.ts';
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
  /** Where it was sent to besides the recording. */
  readonly ingest: string;
  readonly transitions: number;
  readonly realTimeFactor: number;
  readonly lagMs: number;
  readonly missedDeadlines: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly picturesDrawn: number;
  readonly picturesMissed: number;
  readonly picturesLost: number;
  readonly peakRssMb: number;
  readonly meanCores: number;
  readonly threads: number;
};

export type ShowBenchReport = {
  readonly rows: readonly ShowBenchRow[];
  readonly rules: readonly BenchRule[];
  readonly notes: readonly string[];
  readonly broken: readonly string[];
};

/** Session time of the unthrottled run; PERF-01 asks for a rate, not for endurance. */
const UNTHROTTLED_SECONDS = 60;

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
    const picture = ['--size', '720p', '--fps', '30'];
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

/** Nothing for a run that left no summary; a rule says so. */
function rowOf(
  run: ShowBenchRow['run'],
  show: string,
  ingest: string,
  { samples, summary }: WatchedRun,
): ShowBenchRow[] {
  if (summary === null) return [];
  const { frames, lagMs, meanCores, missedDeadlines, peakRssMb, realTimeFactor, stepMs, transitions } = summary;
  return [
    {
      run,
      show,
      ingest,
      transitions,
      realTimeFactor,
      lagMs,
      missedDeadlines,
      p50Ms: stepMs.p50,
      p95Ms: stepMs.p95,
      p99Ms: stepMs.p99,
      maxMs: stepMs.max,
      picturesDrawn: frames.drawn,
      picturesMissed: frames.dropped,
      picturesLost: frames.lost,
      peakRssMb,
      meanCores,
      threads: samples.reduce((most, { threads }) => Math.max(most, threads), 0),
    },
  ];
}
