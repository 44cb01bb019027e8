import { recordEvent } from '../../engine/outbox.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { MIN_DECISIONS } from './entropy-monitor.ts';

/** A ranking near the limit may cross it back and forth; viewers hear of it at most this often. Our choice. */
const REPEAT_MS = 600_000;

/**
 * Tells viewers when an agent's direction scores settle into one order, and when they leave it (spec: brain.md 14.8).
 * What was told is forgotten without a word when the monitor starts anew: after a jump nothing is known.
 */
export function createChoiceWatch(): (world: SessionWorld) => void {
  const told: boolean[] = [];
  return (world) => {
    const { readouts } = world.handles;
    for (let agentIndex = 0; agentIndex < readouts.length; agentIndex++) {
      const { decisions, frozen } = readouts[agentIndex]!.entropy();
      if (decisions < MIN_DECISIONS) told[agentIndex] = false;
      else if (frozen !== (told[agentIndex] ?? false)) {
        told[agentIndex] = frozen;
        tell(world, agentIndex, frozen);
      }
    }
  };
}

function tell(world: SessionWorld, agentIndex: number, frozen: boolean): void {
  recordEvent(world, {
    kind: 'system',
    tier: 'notable',
    label: frozen
      ? 'direction scores keep one order, habituation turns them'
      : 'direction scores change their order again',
    value: null,
    agentIndex,
    dedupeKey: `choices-${frozen ? 'frozen' : 'free'}-${agentIndex}`,
    dedupeMs: REPEAT_MS,
  });
}
