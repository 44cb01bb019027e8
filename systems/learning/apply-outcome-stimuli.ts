import type { SessionWorld } from '../../engine/world.ts';

/** One reward pulse per reward event, in event order; pulses take the longer, they never add up (row 16). */
export function applyOutcomeStimuli(world: SessionWorld): void {
  const { handles, transition } = world;
  for (let i = 0; i < handles.brains.length; i++) {
    for (const ms of transition.outcome!.agents[i]!.stimulationsMs) if (ms > 0) handles.brains[i]!.stimulate(ms);
  }
}
