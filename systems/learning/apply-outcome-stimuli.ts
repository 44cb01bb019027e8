import { forEachAgent } from '../../engine/blame.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** One reward pulse per reward event, in event order; pulses take the longer, they never add up (row 16). */
export function applyOutcomeStimuli(world: SessionWorld): void {
  forEachAgent(world, stimulateAgent);
}

function stimulateAgent({ handles, transition }: SessionWorld, i: number): void {
  for (const ms of transition.outcome!.agents[i]!.stimulationsMs) if (ms > 0) handles.brains[i]!.stimulate(ms);
}
