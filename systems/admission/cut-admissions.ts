import type { SessionWorld } from '../../engine/world.ts';

/** What was accepted before this line belongs to the coming step; anything later waits for the next (row 3). */
export function cutAdmissions(world: SessionWorld): void {
  for (const interaction of world.interactions) {
    if (interaction.state !== 'accepted') continue;
    interaction.state = 'scheduled';
    world.transition.preStepStimuliMs[interaction.agentIndex]!.push(interaction.durationMs);
  }
}
