import type { BehaviourDigest } from '../../engine/identity/behaviour-digest.ts';
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
