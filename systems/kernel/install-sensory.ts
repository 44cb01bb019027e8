import type { EnvironmentDescriptor } from '../../engine/contract/environment.ts';
import { forEachAgent } from '../../engine/blame.ts';
import { InvariantError } from '../../engine/errors.ts';
import type { SessionWorld } from '../../engine/world.ts';

/**
 * Shows each agent its picture of the boundary just reached; it is seen from the next tick on.
 * @throws InvariantError VIEW_MISSING; a missing picture is an error, never darkness (session.md 7, row 15)
 */
export function installSensory(world: SessionWorld): void {
  forEachAgent(world, showPicture);
}

function showPicture({ handles, phase, portOfAgent, transition }: SessionWorld, i: number): void {
  const { descriptor } = handles.environment;
  const index = sensoryView(descriptor, portOfAgent[i]!);
  const view = descriptor.views[index];
  const pixels = transition.after?.views[index];
  if (view === undefined || pixels === undefined) {
    const { agentId } = handles.brains[i]!;
    throw new InvariantError('VIEW_MISSING', `boundary ${phase.step + 1n} came without a view for ${agentId}.`);
  }
  handles.brains[i]!.installFrame(pixels, view.widthPx, view.heightPx);
}

/** The agent's own view if its port has one, else the first that is everybody's; -1 when there is neither. */
function sensoryView({ views, ports }: EnvironmentDescriptor, port: number): number {
  let shared = -1;
  for (let i = 0; i < views.length; i++) {
    const { portId } = views[i]!;
    if (portId === ports[port]!.portId) return i;
    if (portId === undefined && shared < 0) shared = i;
  }
  return shared;
}
