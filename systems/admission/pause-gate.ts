import { enterPhase } from '../../engine/phase.ts';
import type { Pacer } from '../../engine/pacer.ts';
import type { Publisher } from '../../engine/replica/publisher.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { captureGroup } from '../checkpoint/capture-group.ts';
import { hearWhileHeld } from './drain-commands.ts';

/** How long a paused session sleeps between looks at its commands. */
const PAUSED_POLL_MS = 250;

/**
 * Holds the session at a committed boundary while a pause is asked for; commands are still heard (row 29). A pause that
 * was asked during the transition just finished takes effect here, at its boundary, and is saved durably; so is whatever
 * an operator asks to save meanwhile. Wall time spent here is not lag.
 */
export async function pauseGate(
  world: SessionWorld,
  { pacer, publisher }: { readonly pacer: Pacer; readonly publisher: Publisher },
): Promise<void> {
  if (world.commands.isWaiting('pause')) hearWhileHeld(world);
  if (!world.pauseRequested) return;
  enterPhase(world.phase, 'paused');
  world.lifecycle.emit({ kind: 'phase', phase: 'paused', epoch: world.phase.epoch, step: world.phase.step });
  world.captureRequested ??= 'pause';
  while (world.pauseRequested && world.stopRequested === null) {
    await captureGroup(world);
    publisher.health('paused', 'paused by the operator');
    await world.clock.sleep(PAUSED_POLL_MS);
    hearWhileHeld(world);
  }
  enterPhase(world.phase, 'ready');
  pacer.reanchor();
  world.progressedAtMs = world.clock.nowMs();
  world.lifecycle.emit({ kind: 'phase', phase: 'ready', epoch: world.phase.epoch, step: world.phase.step });
}
