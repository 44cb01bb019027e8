import { forEachAgent } from '../../engine/blame.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Decision -> controller intent, agents ascending (session.md 7, row 9). */
export function executeActions(world: SessionWorld): void {
  forEachAgent(world, execute);
}

function execute({ handles, portOfAgent, transition }: SessionWorld, i: number): void {
  const port = handles.environment.descriptor.ports[portOfAgent[i]!]!;
  transition.intents[i] = handles.executors[i]!.apply(transition.decisions[i]!, port);
}
