import { blameAgent } from '../../engine/blame.ts';
import { stampStep } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';

/**
 * The kernel barrier: every brain runs its planned ticks, in parallel, and the world waits for the last one. Completion
 * order cannot leak: results are read back in agent order (spec: session.md 8).
 */
export async function advanceBrains(world: SessionWorld): Promise<void> {
  const { agents, handles, stores, waiting } = world;
  const { AgentClock, StepStamp, Tally, TickPlan } = stores;
  for (const agent of agents) stampStep(StepStamp.prepared, agent, world.runSteps, 'Prepare');
  const startedMs = world.clock.nowMs();
  waiting.agents.fill(1);
  const advance = async (agent: number, i: number): Promise<number> => {
    try {
      const spikes = await handles.brains[i]!.advance(TickPlan.count[agent]!);
      world.brainMs[i]!.record(world.clock.nowMs() - startedMs);
      return spikes;
    } finally {
      waiting.agents[i] = 0;
    }
  };
  // Every brain is waited for, also when one has failed: a fenced epoch must not leave a brain running.
  const settled = await Promise.allSettled(agents.map(advance));
  world.kernelMs.record(world.clock.nowMs() - startedMs);
  for (let i = 0; i < agents.length; i++) {
    const result = settled[i]!;
    const agent = agents[i]!;
    if (result.status === 'rejected') {
      blameAgent(world, i);
      throw result.reason;
    }
    AgentClock.ticks[agent] = AgentClock.ticks[agent]! + BigInt(TickPlan.count[agent]!);
    Tally.spikes[agent] = result.value;
    Tally.spikesTotal[agent] = Tally.spikesTotal[agent]! + result.value;
  }
}
