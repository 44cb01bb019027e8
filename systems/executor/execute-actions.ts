import type { SessionWorld } from '../../engine/world.ts';

/** Decision -> controller intent, agents ascending (session.md 7, row 9). */
export function executeActions(world: SessionWorld): void {
  const { handles, portOfAgent, transition } = world;
  const { ports } = handles.environment.descriptor;
  for (let i = 0; i < handles.executors.length; i++) {
    transition.intents[i] = handles.executors[i]!.apply(transition.decisions[i]!, ports[portOfAgent[i]!]!);
  }
}
