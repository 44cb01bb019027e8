import { atLeast, atMost, endsWell, shown } from './rule.ts';
import type { BenchRule } from './rule.ts';
import { rises } from './series.ts';
import { worldStepMs } from './soak-judge.ts';
import type { WatchedRun } from './watched-live.ts';

/** Bounds of the whole show (spec: session.md 26, PERF-01 and PERF-02). */
export const SHOW_BOUNDS = { unthrottledFactor: 1.2, lagMs: 0, avOffsetMs: 120 } as const;

/**
 * Rules of B5: the paced run keeps up from its first transition on, so a cold start is part of it, and the unthrottled
 * one has a fifth to spare. A run that left no summary breaks every rule that needs one.
 */
export function judgeShow(paced: WatchedRun, unthrottled: WatchedRun): BenchRule[] {
  const { samples, summary } = paced;
  const stepMs = summary?.stepMs;
  const outputs = summary?.outputs ?? null;
  const offsets = samples.flatMap(({ avOffsetMs }) => (avOffsetMs === null ? [] : [Math.abs(avOffsetMs)]));
  const worst = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values));
  const sum = (pick: (output: NonNullable<typeof outputs>[number]) => number): number | null =>
    outputs === null ? null : outputs.reduce((total, output) => total + pick(output), 0);
  return [
    endsWell('paced, ends out of order', paced),
    shown('paced, step p50', stepMs?.p50 ?? null, 'ms'),
    shown('paced, step p95', stepMs?.p95 ?? null, 'ms'),
    atMost('paced, step p99', stepMs?.p99 ?? null, 'ms', summary === null ? 0 : worldStepMs(summary)),
    shown('paced, step max', stepMs?.max ?? null, 'ms'),
    shown('paced, deadlines missed', summary?.missedDeadlines ?? null, '', `of ${summary?.transitions ?? 0}`),
    atMost('paced, lag', summary?.lagMs ?? null, 'ms', SHOW_BOUNDS.lagMs),
    shown('paced, pictures not drawn in time', summary?.frames.dropped ?? null, 'pictures'),
    atMost('paced, pictures the stream is short of', summary?.frames.lost ?? null, 'pictures', 0),
    atMost(
      'paced, pictures dropped by outputs',
      sum(({ droppedFrames }) => droppedFrames),
      'pictures',
      0,
    ),
    atMost(
      'paced, reconnects',
      sum(({ reconnects }) => reconnects),
      '',
      0,
    ),
    atMost(
      'paced, outputs that sent nothing',
      outputs?.filter(({ bytes }) => bytes === 0).length ?? null,
      'outputs',
      0,
      outputs?.map(({ name, kind }) => `${name} (${kind})`).join(', '),
    ),
    atMost(
      'paced, sound underruns',
      rises(samples, ({ underruns }) => underruns),
      '',
      0,
    ),
    atMost('paced, picture against sound, worst', worst(offsets), 'ms', SHOW_BOUNDS.avOffsetMs),
    shown('paced, encoder queue, worst', worst(samples.map(({ encoderQueue }) => encoderQueue)), 'pictures'),
    endsWell('unthrottled, ends out of order', unthrottled),
    atLeast(
      'unthrottled, real-time factor',
      unthrottled.summary?.realTimeFactor ?? null,
      'x',
      SHOW_BOUNDS.unthrottledFactor,
    ),
    shown('unthrottled, step p99', unthrottled.summary?.stepMs.p99 ?? null, 'ms'),
  ];
}
