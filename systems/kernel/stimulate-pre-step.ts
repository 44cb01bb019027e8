import { forEachAgent } from '../../engine/blame.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Gives each brain the pulses admitted before the cut, in admission order (session.md 7, row 5). */
export function stimulatePreStep(world: SessionWorld): void {
  forEachAgent(world, stimulateAgent);
}

function stimulateAgent({ handles, transition }: SessionWorld, i: number): void {
  const pulses = transition.preStepStimuliMs[i]!;
  for (const ms of pulses) handles.brains[i]!.stimulate(ms);
  pulses.length = 0;
}
