import type { SessionBenchRow } from './measure-session.ts';
import { atLeast, atMost } from './rule.ts';
import type { BenchRule } from './rule.ts';

/** PERF-01: the least for any declared number of agents. */
const LEAST_FACTOR = 1;

type JudgedRow = Pick<
  SessionBenchRow,
  'run' | 'flies' | 'judged' | 'alike' | 'worldStepMs' | 'stepMs' | 'realTimeFactor' | 'missedDeadlines' | 'transitions'
> & { readonly behaviourDigest: string };

/**
 * PERF-02 and PERF-06 for every row that is judged, PERF-01 for those with brains, and one digest for all rows that may
 * differ in time alone (spec: session.md 26).
 */
export function judgeSession(rows: readonly JudgedRow[]): BenchRule[] {
  return [...rows.filter(({ judged }) => judged).flatMap(judgeRow), ...judgeDigests(rows)];
}

function judgeRow({
  flies,
  missedDeadlines,
  realTimeFactor,
  run,
  stepMs,
  transitions,
  worldStepMs,
}: JudgedRow): BenchRule[] {
  const budgetMs = Math.round(worldStepMs * 100) / 100;
  const missed = `${missedDeadlines} of ${transitions} over it`;
  const step = atMost(`${run}: step p99`, stepMs.p99, 'ms', budgetMs, missed);
  return flies === 0 ? [step] : [step, atLeast(`${run}: real-time factor`, realTimeFactor, 'x', LEAST_FACTOR)];
}

function judgeDigests(rows: readonly JudgedRow[]): BenchRule[] {
  const groups = new Set(rows.flatMap(({ alike }) => (alike === null ? [] : [alike])));
  return [...groups].map((group) => {
    const [first, ...others] = rows.filter(({ alike }) => alike === group);
    const different = others.filter(({ behaviourDigest }) => behaviourDigest !== first!.behaviourDigest);
    const note = different.map(({ run }) => run).join(', ');
    return atMost(`${group}: runs that end unlike "${first!.run}"`, different.length, `of ${others.length}`, 0, note);
  });
}
