import { forEachAgent } from '../../engine/blame.ts';
import type { SessionWorld } from '../../engine/world.ts';

/**
 * Hands the sum of this transition's rewards, in event order, to plasticity: once per agent, also when it is 0
 * (session.md 7, row 17). Sugar is not in the sum: it is drive, never a reinforcement.
 */
export function reinforce(world: SessionWorld): void {
  forEachAgent(world, reinforceAgent);
}

function reinforceAgent({ agents, handles, stores, transition }: SessionWorld, i: number): void {
  const { rewards } = transition.outcome!.agents[i]!;
  let sum = 0;
  for (const { value } of rewards) sum += value;
  handles.brains[i]!.reinforce(sum);
  const agent = agents[i]!;
  stores.Tally.rewardTotal[agent] = stores.Tally.rewardTotal[agent]! + sum;
  stores.Tally.rewards[agent] = stores.Tally.rewards[agent]! + rewards.length;
}
