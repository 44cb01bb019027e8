import type { RunSummary } from '../../bin/live/summary.ts';
import type { SoakSample } from './soak-sample.ts';

/** Looks of a show that is well, five seconds apart. */
export function looks(
  minutes: number,
  change: (sample: SoakSample, i: number) => Partial<SoakSample> = () => ({}),
): SoakSample[] {
  return Array.from({ length: minutes * 12 }, (_, i) => {
    const atMs = i * 5_000;
    const sample: SoakSample = {
      atMs,
      runMs: 800 + atMs,
      brainMs: [3_300 + atMs, 3_301 + atMs],
      lagMs: 40,
      healthState: 'running',
      alive: true,
      rssMb: 900 + 30 * Math.sin(i), // garbage comes and goes
      stageState: 'drawing',
      framesDrawn: 90 + i * 150,
      framesMissed: 3,
      troubledOutputs: [],
      outputDrops: 0,
      soundFillMs: 250 + 20 * Math.sin(i / 3),
      underruns: 1,
      encoderQueue: 12,
      avOffsetMs: 8 * Math.sin(i),
      probe: { decodedFrames: 90, identicalFrames: 12 },
      checkpointAgeSeconds: 5 * (i % 61),
      alarms: [],
      metricSeries: 51,
      savesWaiting: i % 60 === 0 ? 1 : 0,
      snapshotsDropped: 2,
      threads: 60 + (i % 2),
      openFiles: 120,
    };
    return { ...sample, ...change(sample, i) };
  });
}

/** What such a show says of itself after an hour. */
export function summary(changes: Partial<RunSummary> = {}): RunSummary {
  const durations = { p50: 4, p95: 7, p99: 12, max: 60 };
  const partial: Partial<RunSummary> = {
    endedBy: 'count reached',
    transitions: 214_983,
    wallSeconds: 3_600,
    realTimeFactor: 0.99985, // 16.74 ms a step
    missedDeadlines: 300,
    stepMs: durations,
    ...changes,
  };
  return partial as RunSummary;
}
