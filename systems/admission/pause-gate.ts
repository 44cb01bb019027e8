import { enterPhase } from '../../engine/phase.ts';
import type { Pacer } from '../../engine/pacer.ts';
import type { Publisher } from '../../engine/replica/publisher.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** How long a paused session sleeps between looks at its commands. */
const PAUSED_POLL_MS = 250;

/**
 * Holds the session at a committed boundary while a pause is asked for; commands are still heard (row 29).
 * Wall time spent here is not lag.
 */
export async function pauseGate(
  world: SessionWorld,
  drain: (world: SessionWorld) => void,
  { pacer, publisher }: { readonly pacer: Pacer; readonly publisher: Publisher },
): Promise<void> {
  if (!world.pauseRequested) return;
  enterPhase(world.phase, 'paused');
  world.lifecycle.emit({ kind: 'phase', phase: 'paused', epoch: world.phase.epoch, step: world.phase.step });
  while (world.pauseRequested && world.stopRequested === null) {
    publisher.health('paused', 'paused by the operator');
    await world.clock.sleep(PAUSED_POLL_MS);
    drain(world);
  }
  enterPhase(world.phase, 'ready');
  pacer.reanchor();
  world.lifecycle.emit({ kind: 'phase', phase: 'ready', epoch: world.phase.epoch, step: world.phase.step });
}
