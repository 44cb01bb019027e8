import type { Config, Show } from '../../config/schema.ts';
import { systemClock } from '../../engine/clock.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { DeviceError } from '../../engine/errors.ts';
import { runLoop } from '../../engine/loop.ts';
import type { Home } from '../../bin/home.ts';
import { composeSession } from '../../bin/live/compose-session.ts';
import type { Ledger, MatchResult } from '../../systems/task/arena/ledger.ts';
import { bootSession } from '../../systems/session/boot-session.ts';
import { testDevices, testSchedule } from '../fixture/test-schedule.ts';
import { countSides } from './count-sides.ts';
import type { SideCount } from './count-sides.ts';
import { mirrorWorld } from './mirrored-world.ts';

export type FairnessOptions = {
  /** A show of two flies in the arena. */
  readonly show: Show;
  readonly config: Config;
  readonly home: Home;
  readonly connectome: Connectome;
  /** Of both halves together. */
  readonly rounds: number;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
};

export type FairnessRow = {
  readonly world: string;
  readonly rounds: number;
  readonly left: number;
  readonly right: number;
  readonly drawn: number;
  /** Won by the first and the second fly. */
  readonly flies: readonly [number, number];
  readonly z: number;
};
export type FairnessReport = { readonly rows: readonly FairnessRow[]; readonly broken: readonly string[] };

/** About a minute of play between two looks. */
const TRANSITIONS_PER_LOOK = 3_600n;
/** A fair arena is called unfair once in 370 times. */
const MAX_Z = 3;

/**
 * Lets brains play until there are enough rounds: half of them as the show is, half in a mirror, everybody changing the
 * side after each round. A brain that leans to one side wins more on one side; in the mirror that is the other one. So
 * over both halves the sides must be worth the same, or the arena itself is not (spec: arena.md R6, R12).
 * @throws DeviceError FAIRNESS_RUN when it is interrupted
 */
export async function benchFairness(options: FairnessOptions): Promise<FairnessReport> {
  const halves = [await playHalf(options, false), await playHalf(options, true)] as const;
  const agents = options.show.agents.length;
  const both = countSides(halves.flat(), agents);
  return {
    rows: [
      describe('as it is', countSides(halves[0], agents)),
      describe('in the mirror', countSides(halves[1], agents)),
      describe('both', both),
    ],
    broken: Math.abs(both.z) > MAX_Z ? ['the sides are equal'] : [],
  };
}

/** Finished matches of one half. Sides are those of the real arena, also in the mirror. */
async function playHalf(options: FairnessOptions, isMirrored: boolean): Promise<MatchResult[]> {
  const { config, connectome, home, report, rounds, show, signal } = options;
  const session = await composeSession({
    show,
    config,
    home,
    clock: systemClock,
    report: () => undefined,
    loadWirings: () => Promise.resolve(show.agents.map(() => ({ connectome }))),
  });
  const { world } = session;
  const played = new Map<number, MatchResult>();
  const count = (): SideCount => countSides([...played.values()], show.agents.length);
  try {
    const { handles } = world;
    if (isMirrored) Object.assign(handles, { environment: mirrorWorld(handles.environment) });
    await bootSession(world, () => undefined);
    const schedule = testSchedule(testDevices(systemClock));
    while (count().rounds < rounds / 2) {
      if (signal.aborted) throw new DeviceError('FAIRNESS_RUN', `interrupted after ${count().rounds} rounds.`);
      await runLoop({
        world,
        schedule,
        maxTransitions: TRANSITIONS_PER_LOOK,
        recover: (_, failure) => Promise.reject(failure as Error),
      });
      for (const match of (handles.task.capture() as Ledger).results) played.set(match.number, match);
      const { left, right, drawn } = count();
      report(`${isMirrored ? 'in the mirror' : 'as it is'}: left won ${left}, right ${right}, drawn ${drawn}`);
    }
    return [...played.values()];
  } finally {
    await session.close();
  }
}

function describe(world: string, { rounds, left, right, drawn, won, z }: SideCount): FairnessRow {
  const [first, second] = won.map(([onLeft, onRight]) => onLeft + onRight);
  return { world, rounds, left, right, drawn, flies: [first!, second!], z };
}
