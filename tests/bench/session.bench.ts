import { loadavg } from 'node:os';
import type { Show } from '../../config/schema.ts';
import { SCHEDULE_PHASES } from '../../engine/schedule.ts';
import { measureSession } from './measure-session.ts';
import type { MeasureOptions, SessionBenchRow, SessionRun } from './measure-session.ts';
import { namesOfBroken } from './rule.ts';
import type { BenchRule } from './rule.ts';
import { judgeSession } from './session-judge.ts';
import { inMs, inOneCell } from './spread.ts';

export type SessionBenchOptions = MeasureOptions & {
  readonly shows: { readonly one: Show; readonly two: Show; readonly four: Show };
  readonly onRow: (row: SessionBenchRow) => void;
};

export type SessionBenchReport = {
  readonly rows: readonly SessionBenchRow[];
  readonly rules: readonly BenchRule[];
  readonly notes: readonly string[];
  readonly broken: readonly string[];
};

/** Transitions of the paced row: ten seconds of a Game Boy. */
const PACED_SHARE = 0.5;
/** A run with regular saves is this much longer than the others: 20 of them fall into it. */
const SAVES_SHARE = 5;

/**
 * The matrix of session.md 26 without stage and outputs; B5, the whole program, is `fly bench show`. Cold rows come
 * first, while nothing of the process is compiled.
 */
export function sessionRuns({ one, two, four }: SessionBenchOptions['shows']): readonly SessionRun[] {
  const emulator = { show: one, brains: 'none', reader: 'none' } as const;
  const twoPorts = { show: two, brains: 'none', reader: 'none' } as const;
  const brains = (show: Show): Pick<SessionRun, 'show' | 'brains' | 'reader'> => ({
    show,
    brains: 'parallel',
    reader: 'encodes',
  });
  return [
    { name: 'B1 emulator, cold', ...emulator, cold: true, alike: 'B1', judged: false },
    { name: 'B4 two brains, cold', ...brains(two), cold: true, alike: 'B4', judged: true },
    { name: 'B0 two ports, no neurons', ...twoPorts, judged: true },
    {
      name: 'B0 paced, a reader in its own process',
      ...twoPorts,
      reader: 'process',
      paced: true,
      length: PACED_SHARE,
      judged: true,
    },
    { name: 'B1 emulator, warm', ...emulator, pixels: true, alike: 'B1', judged: true },
    { name: 'B2 parsing, retina, copies', ...emulator, brains: 'retina', reader: 'copies', alike: 'B2', judged: true },
    {
      name: 'B2 and encoded for a reader',
      ...emulator,
      brains: 'retina',
      reader: 'encodes',
      alike: 'B2',
      judged: true,
    },
    { name: 'B3 one brain', ...brains(one), judged: true },
    { name: 'B3 learning off', ...brains(one), learning: 'frozen', judged: true },
    { name: 'B4 two brains, sequential', ...brains(two), brains: 'sequential', alike: 'B4', judged: false },
    { name: 'B4 two brains, parallel', ...brains(two), alike: 'B4', judged: true },
    { name: 'B4 learning off', ...brains(two), learning: 'frozen', judged: true },
    { name: 'B4 a save every 5 s', ...brains(two), saves: 'regular', length: SAVES_SHARE, judged: true },
    { name: 'B4 a burst of saves', ...brains(two), saves: 'burst', alike: 'B4', judged: true },
    { name: 'B4 a slow viewer', ...brains(two), viewers: 'slow', alike: 'B4', judged: true },
    { name: 'B4 a reconnect storm', ...brains(two), viewers: 'storm', alike: 'B4', judged: true },
    { name: 'B6 four brains, parallel', ...brains(four), judged: false },
    { name: 'B6 learning off', ...brains(four), learning: 'frozen', judged: false },
  ];
}

export async function benchSession({ shows, onRow, ...options }: SessionBenchOptions): Promise<SessionBenchReport> {
  const rows: SessionBenchRow[] = [];
  for (const run of sessionRuns(shows)) {
    const row = await measureSession(run, options);
    rows.push(row);
    onRow(row);
  }
  const rules = judgeSession(rows);
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1_024);
  const load = loadavg()[0]!.toFixed(1);
  return {
    rows,
    rules,
    notes: [`peak resident memory of this process ${peakMb} MiB, load of the last minute ${load}`],
    broken: namesOfBroken(rules),
  };
}

/** The rows as tables a reader can take in: what a run cost, where in the step, and what it is a figure of. */
export function sessionTables(rows: readonly SessionBenchRow[]): readonly (readonly object[])[] {
  const warm = rows.find(({ run }) => run.startsWith('B0'))?.realTimeFactor;
  return [
    rows.map(({ run, transitions, realTimeFactor, cpuMsPerStep, stepMs, missedDeadlines, bootMs, rssMb, threads }) => ({
      run,
      transitions,
      'x real time': realTimeFactor,
      'x B0': warm === undefined ? null : realTimeFactor / warm,
      'CPU ms': cpuMsPerStep,
      ...inMs(stepMs),
      missed: missedDeadlines,
      'boot ms': Math.round(bootMs),
      'RSS MiB': Math.round(rssMb),
      threads,
    })),
    rows.map(({ run, phaseMs }) => ({
      'p50/p95/p99/max, ms': run,
      ...Object.fromEntries(
        SCHEDULE_PHASES.flatMap((phase) => (phase === 'idle' ? [] : [[phase, inOneCell(phaseMs[phase])]])),
      ),
    })),
    rows.map(({ run, drops, pixelDelay, save, sound, transportMs }) => ({
      run,
      'sound made': sound?.frames ?? null,
      'sound due': sound?.dueFrames ?? null,
      'snapshots dropped': drops.snapshots,
      saves: save?.count ?? null,
      'saves put off': drops.saves,
      'save CPU p50/p95/p99/max, ms': inOneCell(save?.cpuMs),
      'save wall': inOneCell(save?.wallMs),
      'to the reader': inOneCell(transportMs),
      'input to state': pixelDelay?.inputToStateSteps ?? null,
      'state to pixels, steps': pixelDelay?.stateToPixelsSteps ?? null,
    })),
    [...new Map(rows.map(({ record }) => [record.show, record])).values()].map((record) => ({
      show: record.show,
      cores: record.cores,
      composition: record.compositionDigest.slice(0, 12),
      backend: record.backendDigest.slice(0, 12),
      content: record.contentDigest.slice(0, 12),
      configuration: record.configurationDigest.slice(0, 12),
      views: record.views.join(', '),
      'step, ns': record.clocks.worldStepNs,
      'tick, ms': record.clocks.neuralTickMs,
      'sound, Hz': record.clocks.audioHz.join(', '),
    })),
  ];
}
