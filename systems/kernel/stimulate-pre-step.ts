import type { SessionWorld } from '../../engine/world.ts';

/** Gives each brain the pulses admitted before the cut, in admission order (session.md 7, row 5). */
export function stimulatePreStep(world: SessionWorld): void {
  const { handles, transition } = world;
  for (let i = 0; i < handles.brains.length; i++) {
    const pulses = transition.preStepStimuliMs[i]!;
    for (const ms of pulses) handles.brains[i]!.stimulate(ms);
    pulses.length = 0;
  }
}
