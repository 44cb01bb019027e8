import type { PortControl, PortDescriptor } from '../../engine/contract/environment.ts';
import { blameAgent } from '../../engine/blame.ts';
import { InvariantError } from '../../engine/errors.ts';
import { batchId } from '../../engine/identity/event-ids.ts';
import { enterPhase } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';

/**
 * Puts every declared port into one batch, once, in descriptor order (session.md 7, row 10, and 8). A port no agent
 * plays carries its neutral. Values out of range are refused, never clamped.
 */
export function assembleBatch(world: SessionWorld): void {
  const { agents, handles, phase, portOfAgent, stores, transition } = world;
  const ports = handles.environment.descriptor.ports;
  const controls = ports.map((port, portIndex) => {
    const agentIndex = portOfAgent.indexOf(portIndex);
    return agentIndex < 0 ? neutral(port) : checked(world, agentIndex, port);
  });
  for (let i = 0; i < agents.length; i++) {
    const down = controls[portOfAgent[i]!]!.buttons;
    const before = transition.lastControls?.[portOfAgent[i]!]?.buttons;
    let presses = 0;
    for (let b = 0; b < down.length; b++) if (down[b] === true && before?.[b] !== true) presses += 1;
    const agent = agents[i]!;
    stores.Tally.presses[agent] = stores.Tally.presses[agent]! + presses;
  }
  transition.lastControls = controls;
  transition.batch = { batchId: batchId(phase.epoch, phase.step), ports: controls };
  enterPhase(phase, 'applying');
}

/** Every button up, every axis at rest. */
export function neutral(port: PortDescriptor): PortControl {
  return {
    portId: port.portId,
    buttons: port.buttons.map(() => false),
    axes: port.axes.map((axis) => axis.neutral),
  };
}

function checked(world: SessionWorld, agentIndex: number, port: PortDescriptor): PortControl {
  const intent: PortControl | undefined = world.transition.intents[agentIndex];
  const fits =
    intent !== undefined &&
    intent.portId === port.portId &&
    intent.buttons.length === port.buttons.length &&
    intent.axes.length === port.axes.length &&
    intent.axes.every((value, i) => value <= 1 && value >= (port.axes[i]!.range === 'unit' ? 0 : -1));
  if (fits) return intent;
  blameAgent(world, agentIndex);
  throw new InvariantError('CONTROL_BATCH', `port ${port.portId} got ${JSON.stringify(intent)}.`);
}
