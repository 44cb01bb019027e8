import { forEachAgent } from '../../engine/blame.ts';
import type { SessionWorld } from '../../engine/world.ts';

/**
 * Hands the sum of this transition's rewards, in event order, to plasticity: once per agent, also when it is 0
 * (session.md 7, row 17). Sugar is not in the sum: it is drive, never a reinforcement. Calls count while learning is on
 * (session.md 9.5).
 */
export function reinforce(world: SessionWorld): void {
  forEachAgent(world, reinforceAgent);
}

function reinforceAgent({ agents, handles, stores: { Tally }, transition }: SessionWorld, i: number): void {
  const { rewards } = transition.outcome!.agents[i]!;
  let sum = 0;
  for (const { value } of rewards) sum += value;
  const agent = agents[i]!;
  const brain = handles.brains[i]!;
  brain.reinforce(sum);
  if (brain.isLearning()) Tally.reinforcements[agent] = Tally.reinforcements[agent]! + 1;
  Tally.rewardTotal[agent] = Tally.rewardTotal[agent]! + sum;
  Tally.rewards[agent] = Tally.rewards[agent]! + rewards.length;
}
