import { systemClock } from '../../engine/clock.ts';
import { DeviceError } from '../../engine/errors.ts';
import type { MatchResult } from '../../systems/task/arena/ledger.ts';
import { countSides } from './count-sides.ts';
import type { SideCount } from './count-sides.ts';
import { startLive } from './live-child.ts';
import { newestState, payloadJson } from './saved-state.ts';

export type FairnessOptions = {
  /** A show of two flies in the arena. */
  readonly show: string;
  readonly rounds: number;
  /** A home nobody else uses. */
  readonly home: string;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
};

export type FairnessRow = {
  readonly fly: string;
  readonly left: number;
  readonly right: number;
  readonly note: string;
};
export type FairnessReport = { readonly rows: readonly FairnessRow[]; readonly broken: readonly string[] };

const AGENTS = 2;
const LOOK_MS = 5_000;
const LOOKS_PER_LINE = 12;
/** A fair arena is called unfair once in 370 times. */
const MAX_Z = 3;

/**
 * Lets a show's brains play until there are enough rounds and counts who won on which side. It says nothing about the
 * flies: only whether a side is worth something (spec: arena.md R6).
 * @throws DeviceError FAIRNESS_RUN when the show ends before
 */
export async function benchFairness({ show, rounds, home, signal, report }: FairnessOptions): Promise<FairnessReport> {
  const results = new Map<number, MatchResult>();
  let lastLine = '';
  const flags = ['--fresh', '--no-picture', '--unthrottled'];
  const child = startLive({ show, home, flags, signal, onLine: (line) => (lastLine = line) });
  const count = (): SideCount => countSides([...results.values()], AGENTS);
  try {
    for (let look = 1; count().rounds < rounds; look++) {
      await systemClock.sleep(LOOK_MS, signal);
      if (child.isOver || signal.aborted) {
        throw new DeviceError('FAIRNESS_RUN', `the show ended after ${count().rounds} rounds: ${lastLine}`);
      }
      for (const match of readResults(home, show)) results.set(match.number, match);
      if (look % LOOKS_PER_LINE === 0) report(describe(count()));
    }
  } finally {
    await child.end();
  }
  const { won, left, right, drawn, z } = count();
  const both = `${drawn} drawn, ${results.size} matches, z ${z.toFixed(2)} (bound ${MAX_Z})`;
  const rows = [
    ...won.map(([onLeft, onRight], i) => ({ fly: 'AB'[i]!, left: onLeft, right: onRight, note: '' })),
    { fly: 'both', left, right, note: both },
  ];
  return { rows, broken: Math.abs(z) > MAX_Z ? ['the sides are equal'] : [] };
}

/** Finished matches of the newest state; none while a store rotates under the reader or nothing is saved yet. */
function readResults(home: string, show: string): readonly MatchResult[] {
  try {
    return (payloadJson(newestState(home, show).payloads, 'task-ledger') as { results: MatchResult[] }).results;
  } catch {
    return []; // the next look sees them
  }
}

function describe({ rounds, left, right, drawn }: SideCount): string {
  return `${rounds} rounds: left won ${left}, right ${right}, drawn ${drawn}`;
}
