import type { SessionWorld } from './world.ts';

/**
 * Runs one agent's part of a system for every agent, ascending by `StableId`. What one of them throws fences the epoch
 * as before, and the session knows whose it was (spec: session.md 7, the blamed participant is kept).
 */
export function forEachAgent(world: SessionWorld, run: (world: SessionWorld, index: number) => void): void {
  for (let index = 0; index < world.agents.length; index++) {
    try {
      run(world, index);
    } catch (error) {
      blameAgent(world, index);
      throw error;
    }
  }
}

/** What the environment answers; a refusal or a death is the environment's own. */
export async function fromEnvironment<Answer>(world: SessionWorld, answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    blameEnvironment(world);
    throw error;
  }
}

export function blameAgent(world: SessionWorld, index: number): void {
  world.blamed = { kind: 'agent', id: world.stores.StableId[world.agents[index]!]! };
}

export function blameEnvironment(world: SessionWorld): void {
  world.blamed = { kind: 'environment', id: world.stores.StableId[world.environment]! };
}
