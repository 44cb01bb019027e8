import { readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunSummary } from '../../bin/live/summary.ts';
import { systemClock } from '../../engine/clock.ts';
import { ConfigError, DeviceError, describeError } from '../../engine/errors.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';
import { startLive } from './live-child.ts';
import type { LiveChild } from './live-child.ts';
import { countHandles } from './soak-handles.ts';
import { isBroken, judgeSoak } from './soak-judge.ts';
import type { SoakRule, SoakRun } from './soak-judge.ts';
import { readSoakSample } from './soak-sample.ts';
import type { SoakSample, StatusAnswer } from './soak-sample.ts';

export type SoakOptions = {
  readonly show: string;
  /** Session time; the wall gets a tenth and half a minute more. */
  readonly minutes: number;
  /** A home nobody else uses: it is the child's `FLY_HOME`. */
  readonly home: string;
  /** Where the recording and the summary go. */
  readonly folder: string;
  /** Aborts when the operator does; the child is ended before anything else happens. */
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
};

export type SoakReport = {
  readonly show: string;
  readonly minutes: number;
  readonly looks: number;
  readonly broken: readonly string[];
  readonly rows: readonly SoakRule[];
};

/** Time between two looks. */
const LOOK_MS = 5_000;
/** One line for the operator every minute. */
const LOOKS_PER_LINE = 12;
/** A look that takes longer counts as unanswered. */
const ANSWER_LIMIT_MS = 4_000;
/** From the process to the first transition with every output begun: a brain may have to be grown. */
const START_LIMIT_MS = 10 * 60_000;
/** 6,000 + 160 kbit/s of a 1080p recording, with its container. */
const RECORDED_MB_PER_MINUTE = 50;
const MB = 1_048_576;

/**
 * Runs a show as a viewer would get it (paced, drawn, encoded, recorded) in its own process, looks at it every five
 * seconds, and judges what it saw (spec: session.md 26, PERF-03).
 * @throws ConfigError SOAK_DISK; DeviceError SOAK_START, SOAK_STOPPED. The child is gone then, too.
 */
export async function benchSoak(options: SoakOptions): Promise<SoakReport> {
  const { show, minutes, home } = options;
  await requireDisk(options.folder, minutes);
  const files = ['--record', join(options.folder, 'recording'), '--summary', join(options.folder, 'summary.json')];
  const child = startLive({
    show,
    home,
    flags: ['--fresh', '--for', `${minutes}m`, ...files],
    signal: options.signal,
    onLine: (line) => options.report(`fly live: ${line}`),
  });
  try {
    const url = await child.url;
    if (url === null) throw notStarted(`it ended with ${await child.ended}`);
    const { samples, unanswered } = await watch(child, url, options);
    if (options.signal.aborted) throw new DeviceError('SOAK_STOPPED', 'the soak was interrupted; the show was ended.');
    const end = await child.end();
    const run: SoakRun = { samples, unanswered, summary: await readSummary(options.folder), end };
    const rows = judgeSoak(run);
    const broken = rows.filter(isBroken).map(({ rule }) => rule);
    return { show, minutes, looks: samples.length, broken, rows };
  } finally {
    await child.end();
    await rm(storeFolders(join(home, 'checkpoints'), show).hot, { recursive: true, force: true });
  }
}

/** Looks until the session's time is nearly up, the show ended, the wall's time is up, or the operator stops it. */
async function watch(
  child: LiveChild,
  url: string,
  { minutes, signal, report }: SoakOptions,
): Promise<Pick<SoakRun, 'samples' | 'unanswered'>> {
  const samples: SoakSample[] = [];
  const sessionMs = minutes * 60_000;
  const beganMs = performance.now();
  let startMs: number | null = null;
  let unanswered = 0;
  for (let look = 0; !child.isOver && !signal.aborted;) {
    const askedMs = performance.now();
    if (startMs === null && askedMs - beganMs > START_LIMIT_MS) throw notStarted('not on air after ten minutes');
    if (startMs !== null && askedMs - startMs > sessionMs * 1.1 + 30_000) {
      report('the wall limit is reached before the session time: ending the show');
      await stopShow(url);
      break;
    }
    try {
      const [status, metrics] = await Promise.all([readStatus(url), readText(url, 'metrics')]);
      const atMs: number = (askedMs + performance.now()) / 2;
      const { stage, outputs } = status;
      const isOnAir =
        status.status === 'running' && stage.state === 'drawing' && outputs.every(({ state }) => state !== 'starting');
      if (isOnAir) startMs ??= atMs;
      if (startMs !== null) {
        const sample = readSoakSample(atMs - startMs, status, metrics, countHandles(child.pid));
        samples.push(sample);
        if (samples.length % LOOKS_PER_LINE === 0) report(describeSample(sample));
        if (sample.runMs > sessionMs - LOOK_MS) break; // the next look would find a show that has ended
      }
    } catch (error) {
      if (startMs !== null && !child.isOver && !signal.aborted) {
        unanswered += 1;
        report(`no answer: ${describeError(error)}`);
      }
    }
    look += startMs === null ? 0 : 1;
    const nextMs = startMs === null ? performance.now() + 250 : startMs + look * LOOK_MS;
    await Promise.race([systemClock.sleep(Math.max(0, nextMs - performance.now()), signal), child.ended]);
  }
  if (!signal.aborted) await awaitEnd(child, signal);
  return { samples, unanswered };
}

/** The last seconds of session time, the last checkpoint and the trailers. */
const END_WAIT_MS = 60_000;

async function awaitEnd(child: LiveChild, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  await Promise.race([child.ended, systemClock.sleep(END_WAIT_MS, either)]);
  over.abort();
}

async function readStatus(url: string): Promise<StatusAnswer> {
  return JSON.parse(await readText(url, 'status.json')) as StatusAnswer;
}

async function readText(url: string, path: string): Promise<string> {
  const answer = await fetch(new URL(path, url), { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  if (!answer.ok) throw new DeviceError('SOAK_ANSWER', `${path} answered ${answer.status}.`);
  return answer.text();
}

async function stopShow(url: string): Promise<void> {
  const request = { method: 'POST', headers: { 'x-fly-console': '1' }, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) };
  await fetch(new URL('stop', url), request).catch(() => undefined); // it does not answer: `end` ends it
}

async function readSummary(folder: string): Promise<RunSummary | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8')) as RunSummary;
  } catch {
    return null; // no orderly end; a rule says so
  }
}

async function requireDisk(folder: string, minutes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeMb = (bavail * bsize) / MB;
  const neededMb = minutes * RECORDED_MB_PER_MINUTE;
  if (freeMb >= neededMb) return;
  throw new ConfigError(
    'SOAK_DISK',
    `${minutes} minutes record up to ${neededMb} MB and ${folder} has ${Math.floor(freeMb)} MB free. Set TMPDIR to a larger disk, or take fewer --minutes.`,
  );
}

function notStarted(what: string): DeviceError {
  return new DeviceError('SOAK_START', `fly live did not start: ${what}; see its lines above.`);
}

function describeSample({ atMs, runMs, lagMs, rssMb, framesMissed, checkpointAgeSeconds }: SoakSample): string {
  const age = checkpointAgeSeconds === null ? 'none' : `${checkpointAgeSeconds.toFixed(0)} s old`;
  return (
    `${(atMs / 60_000).toFixed(1)} min: session at ${(runMs / 60_000).toFixed(1)} min, lag ${Math.round(lagMs)} ms, ` +
    `${Math.round(rssMb)} MiB, ${framesMissed} pictures missed, checkpoint ${age}`
  );
}
