import type { BehaviourDigest } from '../../engine/identity/behaviour-digest.ts';
import type { SystemEntry } from '../../engine/schedule.ts';
import { traceStep } from '../../engine/trace/trace-step.ts';
import type { TraceStep } from '../../engine/trace/trace-step.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Adds the committed transition to the run's behaviour fingerprint (session.md 7, row 21). */
export function recordTrace(world: SessionWorld, digest: BehaviourDigest): void {
  const { agents, handles, stores, transition } = world;
  const outcome = transition.outcome!;
  digest.update({
    step: world.runSteps,
    agents: agents.map((agent, i) => ({
      brainTicks: Number(stores.AgentClock.ticks[agent]!),
      spikeBits: handles.brains[i]!.spikeBits,
      rewards: outcome.agents[i]!.rewards,
    })),
    ports: transition.batch!.ports,
    inspection: transition.after!.inspection,
  });
}

/** The schedule with one more listener right after `recordTrace`: every committed transition, before its tail. */
export function withTrace<Data extends string>(
  schedule: readonly SystemEntry<SessionWorld, Data>[],
  onStep: (step: TraceStep) => unknown,
): readonly SystemEntry<SessionWorld, Data>[] {
  return schedule.flatMap((entry) =>
    entry.name === 'recordTrace'
      ? [
          entry,
          {
            name: 'traceStep',
            rows: [],
            phase: entry.phase,
            run: (world) => {
              onStep(traceStep(world));
            },
          },
        ]
      : [entry],
  );
}
