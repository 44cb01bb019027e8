import { recordEvent } from '../../engine/outbox.ts';
import type { SessionWorld } from '../../engine/world.ts';

export const CONTROL_LABELS = {
  frozen: 'learning is frozen, rewards change no synapse',
  shuffled: 'every reward has a coin-flip sign',
} as const;

/** Viewers and the event log hear of it once, before the first transition; the descriptor says it all along. */
export function declareControl(world: SessionWorld, learning: keyof typeof CONTROL_LABELS): void {
  recordEvent(world, {
    kind: 'system',
    tier: 'notable',
    label: `control run: ${CONTROL_LABELS[learning]}`,
    value: null,
    agentIndex: null,
    dedupeKey: 'control-run',
    dedupeMs: 0,
  });
}
