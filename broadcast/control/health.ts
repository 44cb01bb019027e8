import type { Clock } from '../../engine/clock.ts';
import type { StatusReport, SwapReport } from './controlled-session.ts';

/** The loop counts as alive while it committed a boundary within this time (spec: feed-control.md 45, GET /healthz). */
const FRESH_MS = 2_000;
/** Below this the show visibly runs slow: every 20th second is lost. */
const SLOW_FACTOR = 0.95;

/** What happens in each phase, in plain words. */
const SWAP_PHASES: Readonly<Record<SwapReport['phase'], string>> = {
  sealing: 'the run is being saved',
  intermission: 'the intermission is on air',
  starting: 'the next session starts',
};

/** Paused, slow and dead are different things (spec: feed-control.md 49 and 120, broadcast.md 92). */
export type HealthReport = {
  readonly state: 'booting' | 'running' | 'slow' | 'paused' | 'swapping' | 'recovering' | 'dead' | 'error';
  /** The session does what it was asked to do. Slow, paused and swapping are alive. */
  readonly alive: boolean;
  /** One plain sentence; empty when running. */
  readonly reason: string;
  /** Since the step last changed; meaningless while booting. */
  readonly stillMs: number;
};

/** Watches the step so that freshness is known whenever somebody asks. `observe` must be called a few times a second. */
export type HealthWatch = { observe(report: StatusReport): HealthReport };

export function createHealthWatch(clock: Clock): HealthWatch {
  let lastStep = '';
  let lastActivity = '';
  let movedAtMs = clock.nowMs();
  return {
    observe(report) {
      const nowMs = clock.nowMs();
      // a change of status restarts the patience: a resumed or swapped session has not had its two seconds yet
      const activity = `${report.status} ${report.showId} ${report.swap?.phase ?? ''}`;
      if (report.step !== lastStep || activity !== lastActivity) movedAtMs = nowMs;
      lastStep = report.step;
      lastActivity = activity;
      return judgeHealth(report, nowMs - movedAtMs);
    },
  };
}

/** @param stillMs wall time since the step last changed */
export function judgeHealth(report: StatusReport, stillMs: number): HealthReport {
  const { status, statusReason, realTimeFactor, lagMs, step, swap } = report;
  // whatever the leaving and the coming session say of themselves meanwhile, standing still is what was asked
  if (swap !== null && status !== 'error') {
    const reason = `Swapping from ${swap.from} to ${swap.to}: ${SWAP_PHASES[swap.phase]}.`;
    return { state: 'swapping', alive: true, reason, stillMs };
  }
  switch (status) {
    case 'booting':
      return { state: 'booting', alive: true, reason: statusReason || 'The session is starting.', stillMs };
    case 'paused':
      return { state: 'paused', alive: true, reason: statusReason || 'Paused by the operator.', stillMs };
    case 'recovering':
      return { state: 'recovering', alive: false, reason: statusReason || 'Restoring a checkpoint.', stillMs };
    case 'error':
      return { state: 'error', alive: false, reason: statusReason || 'The session stopped with an error.', stillMs };
    case 'running':
      break;
    default:
      return status satisfies never;
  }
  if (stillMs > FRESH_MS) {
    const reason = `No step for ${(stillMs / 1_000).toFixed(1)} s; the last one is ${step}.`;
    return { state: 'dead', alive: false, reason, stillMs };
  }
  if (realTimeFactor !== null && realTimeFactor < SLOW_FACTOR) {
    const reason = `Runs at ${realTimeFactor.toFixed(2)}x real time, ${(lagMs / 1_000).toFixed(1)} s behind.`;
    return { state: 'slow', alive: true, reason, stillMs };
  }
  return { state: 'running', alive: true, reason: '', stillMs };
}
