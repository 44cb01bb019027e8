import type { AgentSnapshot } from '../../engine/replica/snapshot.ts';

/** How evenly the directions are chosen (spec: brain.md 14.8); null in a recording made before it was measured. */
export function choicesOf(agent: AgentSnapshot | undefined): AgentSnapshot['choices'] | null {
  return (agent as Partial<AgentSnapshot> | undefined)?.choices ?? null;
}
