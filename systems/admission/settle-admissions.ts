import { recordEvent } from '../../engine/outbox.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** A pulse scheduled for the step just committed has been applied; it becomes an event (row 20). */
export function settleAdmissions(world: SessionWorld): void {
  const { interactions } = world;
  for (const interaction of interactions) {
    if (interaction.state !== 'scheduled') continue;
    interaction.state = 'applied';
    world.sugar.lastBy = interaction.by;
    world.sugar.todayCount += 1;
    world.sugar.agentIndex = interaction.agentIndex;
    world.sugar.endsAtMs = pulseStartMs(world, interaction.agentIndex) + interaction.durationMs;
    recordEvent(world, {
      kind: 'sugar',
      tier: 'moment',
      label: `sugar by ${interaction.by}, ${interaction.durationMs} ms pulse`,
      value: null,
      agentIndex: interaction.agentIndex,
      dedupeKey: `sugar-${interaction.serial}`,
      dedupeMs: 0,
    });
  }
  interactions.length = 0;
}

/** Brain time at which the step just committed began: that is when its pulses started. */
function pulseStartMs(world: SessionWorld, agentIndex: number): number {
  const agent = world.agents[agentIndex]!;
  return Number(world.stores.AgentClock.ticks[agent]!) - world.stores.TickPlan.count[agent]!;
}
