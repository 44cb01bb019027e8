import { fromEnvironment } from '../../engine/blame.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Keeps the present world in the slot the task named; it was asked only because the moment is safe (row 22). */
export async function saveSlots(world: SessionWorld): Promise<void> {
  const slotId = world.transition.outcome!.saveSlot;
  if (slotId === null) return;
  await fromEnvironment(world, world.handles.environment.saveSlot(slotId));
  world.filledSlots.add(slotId);
}
