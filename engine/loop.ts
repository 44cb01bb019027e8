import { InvariantError } from './errors.ts';
import { requirePhase } from './phase.ts';
import type { PhaseName } from './phase.ts';
import type { SchedulePhase, SystemEntry } from './schedule.ts';
import type { SessionWorld } from './world.ts';

/**
 * Runs one transition: every system once, in order. Only entries that declare an await point may return a promise,
 * and while one is pending nothing else of the world runs.
 * @throws whatever a system threw; the world is then between boundaries and must be fenced
 */
export async function runTransition<Data extends string>(
  world: SessionWorld,
  entries: readonly SystemEntry<SessionWorld, Data>[],
): Promise<void> {
  world.transitionsBegun += 1;
  world.progressedAtMs = world.clock.nowMs();
  world.blamed = null;
  for (const entry of entries) {
    const pending = entry.run(world);
    if (pending === undefined) continue;
    if (entry.awaits === undefined) {
      throw new InvariantError('SCHEDULE_AWAIT', `${entry.name} returned a promise without declaring an await point.`);
    }
    world.waiting.for = entry.awaits;
    world.waiting.sinceMs = world.clock.nowMs();
    try {
      await pending;
    } finally {
      world.waiting.for = null;
    }
  }
}

/** Where the session stands when a system of this part of the schedule begins. */
const STANDS_IN: Readonly<Record<SchedulePhase, PhaseName>> = {
  ready: 'ready',
  prepare: 'preparing',
  control: 'preparing',
  apply: 'applying',
  observe: 'observing',
  commit: 'committing',
  boundary: 'ready',
  idle: 'ready',
};

/**
 * The same system, refusing to run in another phase or twice in one transition: a repeated tick, input or reward would be
 * worse than a stopped session (spec: session.md 5).
 * @throws InvariantError CONFLICT, INVALID_PHASE from `run`; nothing has changed then
 */
export function guardSystem<Data extends string>(
  entry: SystemEntry<SessionWorld, Data>,
): SystemEntry<SessionWorld, Data> {
  let lastWorld: SessionWorld | null = null;
  let lastTransition = -1;
  return {
    ...entry,
    run(world) {
      if (lastWorld === world && lastTransition === world.transitionsBegun) {
        const { epoch, step } = world.phase;
        throw new InvariantError('CONFLICT', `${entry.name} ran twice at boundary ${step} of epoch ${epoch}.`);
      }
      requirePhase(world.phase, STANDS_IN[entry.phase]);
      lastWorld = world;
      lastTransition = world.transitionsBegun;
      return entry.run(world);
    },
  };
}

export type LoopOptions<Data extends string> = {
  readonly world: SessionWorld;
  readonly schedule: readonly SystemEntry<SessionWorld, Data>[];
  /** Called with the failure of a fenced epoch; returns once the world is Ready again, or throws to give up. */
  readonly recover: (world: SessionWorld, failure: unknown) => Promise<void>;
  /** Stop after this many committed transitions of this run; null runs until asked to stop. */
  readonly maxTransitions: bigint | null;
};

/** Runs transitions until a stop is requested or the count is reached. Returns how many were committed. */
export async function runLoop<Data extends string>(options: LoopOptions<Data>): Promise<bigint> {
  const { world, schedule, recover, maxTransitions } = options;
  const first = world.runSteps;
  while (world.stopRequested === null && (maxTransitions === null || world.runSteps - first < maxTransitions)) {
    try {
      await runTransition(world, schedule);
    } catch (failure) {
      if (world.stopRequested !== null) break;
      await recover(world, failure);
    }
  }
  return world.runSteps - first;
}
