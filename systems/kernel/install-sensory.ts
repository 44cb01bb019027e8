import { InvariantError } from '../../engine/errors.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Every agent of a shared world sees the first view; the picture just produced is seen from the next tick on. */
const SENSORY_VIEW = 0;

/** @throws InvariantError VIEW_MISSING; a missing picture is an error, never darkness (session.md 7, row 15) */
export function installSensory(world: SessionWorld): void {
  const { handles, transition } = world;
  const view = handles.environment.descriptor.views[SENSORY_VIEW];
  const pixels = transition.after?.views[SENSORY_VIEW];
  if (view === undefined || pixels === undefined) {
    throw new InvariantError('VIEW_MISSING', `boundary ${world.phase.step + 1n} came without its sensory view.`);
  }
  for (const brain of handles.brains) brain.installFrame(pixels, view.widthPx, view.heightPx);
}
