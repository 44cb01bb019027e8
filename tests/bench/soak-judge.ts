import type { RunSummary } from '../../bin/live/summary.ts';
import { FROZEN_SHARE, MIN_DECODED_FRAMES } from '../../broadcast/probe/alarm-policy.ts';
import { atLeast, atMost, endsWell, shown } from './rule.ts';
import type { BenchRule } from './rule.ts';
import { afterFirstFifth, difference, durationMs, growth, rises, slopePerHour } from './series.ts';
import type { SoakSample } from './soak-sample.ts';
import type { WatchedRun } from './watched-live.ts';

/** Bounds of the rules; docs/performance.md, "Soak", says where each comes from. */
export const SOAK_BOUNDS = {
  rssMbPerHour: 32,
  handles: 2,
  soundGrowthMs: 100,
  encoderQueueGrowth: 2,
  missedPerSecond: 0.2,
  checkpointAgeSeconds: 330,
  savesWaiting: 1,
  checkpointGraceMs: 30_000,
  meanFactor: 0.99,
  minuteFactor: 0.95,
  missedDeadlineShare: 0.01,
  brainDriftMs: 2,
  avOffsetMs: 120,
  avDriftMsPerHour: 100,
} as const;

/** A trend over less says nothing: start-up and collections outweigh it. */
const MIN_TREND_MS = 8 * 60_000;
const MINUTE_MS = 60_000;

/** Every rule of a soak, in the order it is printed (spec: session.md 26, PERF-02 and PERF-03). */
export function judgeSoak({ samples, unanswered, summary, end }: WatchedRun): BenchRule[] {
  const bounds = SOAK_BOUNDS;
  const steady = afterFirstFifth(samples);
  const spanMs = durationMs(samples);
  const trendable = durationMs(steady) >= MIN_TREND_MS;
  const worst = (pick: (sample: SoakSample) => number): number | null =>
    samples.length === 0 ? null : samples.reduce((most, sample) => Math.max(most, pick(sample)), -Infinity);
  const looks = (isBad: (sample: SoakSample) => boolean): number | null =>
    samples.length === 0 ? null : samples.filter(isBad).length;
  const names = (pick: (sample: SoakSample) => readonly string[]): string =>
    [...new Set(samples.flatMap(pick))].join(', ');
  const trend = (rule: string, unit: string, bound: number, measured: number | null): BenchRule =>
    trendable ? atMost(rule, measured, unit, bound) : { ...shown(rule, measured, unit), verdict: 'too short' };

  return [
    endsWell('ends out of order', { end, summary }),
    atMost('looks unanswered', unanswered, 'looks', 0),
    atMost(
      'looks not alive',
      looks(({ alive }) => !alive),
      'looks',
      0,
      names((s) => (s.alive ? [] : [s.healthState])),
    ),
    atMost(
      'looks with an alarm',
      looks(({ alarms }) => alarms.length > 0),
      'looks',
      0,
      names((s) => s.alarms),
    ),
    atLeast('real-time factor, mean', meanFactor(samples), 'x', bounds.meanFactor),
    ...minuteRule(samples),
    atMost(
      'lag growth',
      difference(steady, ({ lagMs }) => lagMs),
      'ms',
      0,
    ),
    atMost('brain behind world', brainDrift(samples), 'ms', bounds.brainDriftMs),
    ...stepRules(summary),
    trend(
      'memory slope',
      'MiB/h',
      bounds.rssMbPerHour,
      slopePerHour(steady, ({ rssMb }) => rssMb),
    ),
    shown(
      'memory, worst',
      worst(({ rssMb }) => rssMb),
      'MiB',
    ),
    trend(
      'threads growth',
      '',
      bounds.handles,
      growth(steady, ({ threads }) => threads),
    ),
    trend(
      'open files growth',
      '',
      bounds.handles,
      growth(steady, ({ openFiles }) => openFiles),
    ),
    trend(
      'metric series growth',
      '',
      0,
      growth(steady, ({ metricSeries }) => metricSeries),
    ),
    stageRule(samples),
    atMost('pictures missed', perSecond(samples, spanMs), '1/s', bounds.missedPerSecond),
    atMost(
      'looks with an output in trouble',
      looks(({ troubledOutputs }) => troubledOutputs.length > 0),
      'looks',
      0,
      names((s) => s.troubledOutputs),
    ),
    atMost(
      'pictures dropped by outputs',
      rises(samples, ({ outputDrops }) => outputDrops),
      '',
      0,
    ),
    trend(
      'encoder queue growth',
      'pictures',
      bounds.encoderQueueGrowth,
      growth(steady, (s) => s.encoderQueue),
    ),
    shown(
      'encoder queue, worst',
      worst(({ encoderQueue }) => encoderQueue),
      'pictures',
    ),
    trend(
      'sound queue growth',
      'ms',
      bounds.soundGrowthMs,
      growth(steady, (s) => s.soundFillMs),
    ),
    shown(
      'sound queue, worst',
      worst(({ soundFillMs }) => soundFillMs),
      'ms',
    ),
    atMost(
      'sound underruns',
      rises(samples, ({ underruns }) => underruns),
      '',
      0,
    ),
    atMost('picture against sound, worst', worstOffset(samples), 'ms', bounds.avOffsetMs),
    trend('picture against sound, drift', 'ms/h', bounds.avDriftMsPerHour, offsetDrift(steady)),
    frozenRule(samples),
    atMost('checkpoint age, worst', worst(checkpointAge), 's', bounds.checkpointAgeSeconds),
    ifKnown(
      'saves waiting, growth',
      samples,
      ({ savesWaiting }) => savesWaiting,
      (known) =>
        trend(
          'saves waiting, growth',
          '',
          bounds.savesWaiting,
          growth(afterFirstFifth(known), ({ value }) => value),
        ),
    ),
    ifKnown(
      'snapshots lost by readers',
      samples,
      ({ snapshotsDropped }) => snapshotsDropped,
      (known) =>
        atMost(
          'snapshots lost by readers',
          rises(known, ({ value }) => value),
          '',
          0,
        ),
    ),
  ];
}

type Known = { readonly atMs: number; readonly value: number };

/** A rule over what a show says at every look; visible as not measured where it never does. */
function ifKnown(
  rule: string,
  samples: readonly SoakSample[],
  pick: (sample: SoakSample) => number | null,
  judge: (known: readonly Known[]) => BenchRule,
): BenchRule {
  const known = samples.flatMap((sample) => {
    const value = pick(sample);
    return value === null ? [] : [{ atMs: sample.atMs, value }];
  });
  return known.length === 0 ? shown(rule, null, '', 'this show does not say') : judge(known);
}

/** Length of one world step of a run, ms, in hundredths: 16.74 on a Game Boy. */
export function worldStepMs({ realTimeFactor, transitions, wallSeconds }: RunSummary): number {
  return transitions === 0 ? 0 : Math.round((realTimeFactor * wallSeconds * 1e5) / transitions) / 100;
}

/** Compute alone: the wait for a deadline is no part of it. The budget is the length of one world step. */
function stepRules(summary: RunSummary | null): BenchRule[] {
  const { stepMs, transitions = 0, missedDeadlines = 0 } = summary ?? {};
  const budgetMs = summary === null ? 0 : worldStepMs(summary);
  const share = transitions === 0 ? null : missedDeadlines / transitions;
  return [
    shown('step p50', stepMs?.p50 ?? null, 'ms'),
    shown('step p95', stepMs?.p95 ?? null, 'ms'),
    atMost('step p99', stepMs?.p99 ?? null, 'ms', budgetMs),
    shown('step max', stepMs?.max ?? null, 'ms'),
    atMost('deadlines missed', share, 'share', SOAK_BOUNDS.missedDeadlineShare, `${missedDeadlines} of ${transitions}`),
  ];
}

function minuteRule(samples: readonly SoakSample[]): BenchRule[] {
  const minutes = minuteFactors(samples);
  const rule = 'real-time factor, worst minute';
  if (minutes.length > 0) return [atLeast(rule, Math.min(...minutes), 'x', SOAK_BOUNDS.minuteFactor)];
  return [{ ...shown(rule, null, 'x'), verdict: 'too short' }];
}

/** Session time over wall time of each whole minute, between the looks nearest after its ends. */
function minuteFactors(samples: readonly SoakSample[]): number[] {
  const factors: number[] = [];
  let from = samples[0];
  for (const sample of samples) {
    if (sample.atMs - from!.atMs < MINUTE_MS) continue;
    factors.push((sample.runMs - from!.runMs) / (sample.atMs - from!.atMs));
    from = sample;
  }
  return factors;
}

function meanFactor(samples: readonly SoakSample[]): number | null {
  const spanMs = durationMs(samples);
  return spanMs === 0 ? null : difference(samples, ({ runMs }) => runMs)! / spanMs;
}

/** How far any brain's time ran apart from the world's since the first look. Skipped ticks would show here. */
function brainDrift(samples: readonly SoakSample[]): number | null {
  const first = samples[0];
  if (first === undefined || first.brainMs.length === 0) return null;
  const drifts = samples.flatMap(({ brainMs, runMs }) =>
    first.brainMs.map((start, agent) => Math.abs((brainMs[agent] ?? 0) - start - (runMs - first.runMs))),
  );
  return drifts.reduce((most, drift) => Math.max(most, drift), 0);
}

/** Looks at which the stage was not drawing, or had drawn nothing since the look before. A new stage counts anew. */
function stageRule(samples: readonly SoakSample[]): BenchRule {
  const still = samples.filter(
    ({ stageState, framesDrawn }, i) => stageState !== 'drawing' || framesDrawn === samples[i - 1]?.framesDrawn,
  );
  const note = still.slice(0, 3).map(({ atMs, stageState }) => `${stageState} at ${Math.round(atMs / 1_000)} s`);
  return atMost(
    'looks without a moving stage',
    samples.length === 0 ? null : still.length,
    'looks',
    0,
    note.join(', '),
  );
}

function perSecond(samples: readonly SoakSample[], spanMs: number): number | null {
  const missed = rises(samples, ({ framesMissed }) => framesMissed);
  return missed === null || spanMs === 0 ? null : (missed * 1_000) / spanMs;
}

function worstOffset(samples: readonly SoakSample[]): number | null {
  const offsets = samples.flatMap(({ avOffsetMs }) => (avOffsetMs === null ? [] : [Math.abs(avOffsetMs)]));
  return offsets.length === 0 ? null : offsets.reduce((most, offset) => Math.max(most, offset), 0);
}

function offsetDrift(samples: readonly SoakSample[]): number | null {
  const known = samples.filter(({ avOffsetMs }) => avOffsetMs !== null);
  const slope = slopePerHour(known, ({ avOffsetMs }) => avOffsetMs!);
  return slope === null ? null : Math.abs(slope);
}

/** Only a full look of the probe, one in five minutes, tells a picture that stands still. */
function frozenRule(samples: readonly SoakSample[]): BenchRule {
  const rule = 'identical pictures, worst full look';
  const shares = samples.flatMap(({ probe }) =>
    probe === null || probe.decodedFrames < MIN_DECODED_FRAMES ? [] : [probe.identicalFrames / probe.decodedFrames],
  );
  if (shares.length === 0) return { ...shown(rule, null, 'share'), verdict: 'too short' };
  const worst = shares.reduce((most, share) => Math.max(most, share), 0);
  const verdict = worst < FROZEN_SHARE ? 'ok' : 'not ok';
  return { rule, measured: worst, unit: 'share', bound: `< ${FROZEN_SHARE.toFixed(3)}`, verdict, note: '' };
}

/** No state on the disk is older than any, once the first one had its time. */
function checkpointAge({ atMs, checkpointAgeSeconds }: SoakSample): number {
  if (checkpointAgeSeconds !== null) return checkpointAgeSeconds;
  return atMs < SOAK_BOUNDS.checkpointGraceMs ? 0 : Infinity;
}
