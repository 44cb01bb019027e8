/** Neural ticks each agent owes in this transition. Not saved: recomputed from `AgentClock` and `Cadence`. */
export type TickPlan = { readonly count: Uint32Array };

export function createTickPlan(capacity: number): TickPlan {
  return { count: new Uint32Array(capacity) };
}
