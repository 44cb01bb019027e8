import { createHistogram } from '../../engine/histogram.ts';
import type { DurationSummary, Histogram } from '../../engine/histogram.ts';
import type { SchedulePhase, SystemEntry } from '../../engine/schedule.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { createThreadCpuClock } from './thread-cpu.ts';

type Schedule<Data extends string> = readonly SystemEntry<SessionWorld, Data>[];

/** Durations of each phase, ms, in schedule order. */
export type PhaseTimes = Readonly<Partial<Record<SchedulePhase, DurationSummary>>>;

/** What a timed schedule saw so far. */
export type ScheduleTimes = {
  phases(): PhaseTimes;
  /** Steps that took longer than the world step they compute. */
  readonly missed: number;
  /** Saves taken on the main thread: copy and hand-over. */
  saves(): { readonly count: number; readonly cpuMs: DurationSummary; readonly wallMs: DurationSummary };
};

/**
 * The same schedule with the time of each phase recorded once per transition, and that of each save. The idle phase is
 * the wait for the deadline and no part of a step.
 */
export function timeSchedule<Data extends string>(
  schedule: Schedule<Data>,
  worldStepMs: number,
): { readonly schedule: Schedule<Data>; readonly times: ScheduleTimes } {
  const phases = new Map<SchedulePhase, Histogram>();
  const save = { cpuMs: createHistogram(), wallMs: createHistogram() };
  let missed = 0;
  const threadCpuMs = createThreadCpuClock();
  const timed = timePhases(schedule, phases).map((entry) => {
    if (entry.name === 'measureHealth') {
      return {
        ...entry,
        run(world: SessionWorld) {
          if (world.clock.nowMs() - world.stepStartedMs > worldStepMs) missed += 1;
          return entry.run(world);
        },
      };
    }
    if (entry.name !== 'captureGroup') return entry;
    return {
      ...entry,
      async run(world: SessionWorld) {
        const startedMs = performance.now();
        const startedCpuMs = threadCpuMs();
        const { newestStep } = world.captures;
        await entry.run(world);
        if (world.captures.newestStep === newestStep) return;
        save.cpuMs.record(threadCpuMs() - startedCpuMs);
        save.wallMs.record(performance.now() - startedMs);
      },
    };
  });
  const times: ScheduleTimes = {
    phases: () => Object.fromEntries([...phases].map(([phase, histogram]) => [phase, histogram.summary()])),
    get missed() {
      return missed;
    },
    saves: () => ({ count: save.wallMs.count, cpuMs: save.cpuMs.summary(), wallMs: save.wallMs.summary() }),
  };
  return { schedule: timed, times };
}

function timePhases<Data extends string>(
  schedule: Schedule<Data>,
  phases: Map<SchedulePhase, Histogram>,
): Schedule<Data> {
  const spent = new Map<SchedulePhase, number>();
  return schedule.map((entry, index) => {
    const isLast = schedule[index + 1]?.phase !== entry.phase;
    const histogram = phases.get(entry.phase) ?? createHistogram();
    phases.set(entry.phase, histogram);
    const note = (startedMs: number): void => {
      const total = (spent.get(entry.phase) ?? 0) + performance.now() - startedMs;
      spent.set(entry.phase, isLast ? 0 : total);
      if (isLast) histogram.record(total);
    };
    return {
      ...entry,
      run(world) {
        const startedMs = performance.now();
        const pending = entry.run(world);
        if (pending === undefined) return note(startedMs);
        return pending.then(() => note(startedMs));
      },
    };
  });
}
