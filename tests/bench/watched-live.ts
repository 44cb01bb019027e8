import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunSummary } from '../../bin/live/summary.ts';
import { systemClock } from '../../engine/clock.ts';
import { DeviceError, describeError } from '../../engine/errors.ts';
import { storeFolders } from '../../systems/checkpoint/store-folders.ts';
import { startLive } from './live-child.ts';
import type { LiveChild } from './live-child.ts';
import { countHandles } from './soak-handles.ts';
import { readSoakSample } from './soak-sample.ts';
import type { SoakSample, StatusAnswer } from './soak-sample.ts';

export type WatchOptions = {
  readonly show: string;
  /** Session time; the wall gets a tenth and half a minute more. */
  readonly seconds: number;
  /** A home nobody else uses: it is the child's `FLY_HOME`. */
  readonly home: string;
  /** Where the recording and the summary go. */
  readonly folder: string;
  /** More flags of `fly live`. */
  readonly flags?: readonly string[];
  /** Aborts when the operator does; the child is ended before anything else happens. */
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
};

/** A show as it was seen from outside, and what it said of itself at its end. */
export type WatchedRun = {
  readonly samples: readonly SoakSample[];
  /** Looks that got no answer. */
  readonly unanswered: number;
  /** Null when the show left none: it did not end in an orderly way. */
  readonly summary: RunSummary | null;
  /** How the show's process ended: `0`, another code, or a signal. */
  readonly end: string;
};

/** Time between two looks. */
const LOOK_MS = 5_000;
/** One line for the operator every minute. */
const LOOKS_PER_LINE = 12;
/** A look that takes longer counts as unanswered. */
const ANSWER_LIMIT_MS = 4_000;
/** From the process to the first transition with every output begun: a brain may have to be grown. */
const START_LIMIT_MS = 10 * 60_000;

/**
 * Runs a show from its beginning in its own process, drawn, encoded and recorded, and looks at it every five seconds.
 * @throws DeviceError SOAK_START, SOAK_STOPPED. The child is gone then, too.
 */
export async function watchLive(options: WatchOptions): Promise<WatchedRun> {
  const { folder, flags = [], home, report, seconds, show, signal } = options;
  const files = ['--record', join(folder, 'recording'), '--summary', join(folder, 'summary.json')];
  const child = startLive({
    show,
    home,
    flags: ['--fresh', '--for', `${seconds}s`, ...files, ...flags],
    signal,
    onLine: (line) => report(`fly live: ${line}`),
  });
  try {
    const url = await child.url;
    if (url === null) throw notStarted(`it ended with ${await child.ended}`);
    const { samples, unanswered } = await watch(child, url, options);
    if (signal.aborted) throw new DeviceError('SOAK_STOPPED', 'the bench was interrupted; the show was ended.');
    const end = await child.end();
    return { samples, unanswered, summary: await readSummary(folder), end };
  } finally {
    await child.end();
    await rm(storeFolders(join(home, 'checkpoints'), show).hot, { recursive: true, force: true });
  }
}

/** Looks until the session's time is nearly up, the show ended, the wall's time is up, or the operator stops it. */
async function watch(
  child: LiveChild,
  url: string,
  { seconds, signal, report }: WatchOptions,
): Promise<Pick<WatchedRun, 'samples' | 'unanswered'>> {
  const samples: SoakSample[] = [];
  const sessionMs = seconds * 1_000;
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
