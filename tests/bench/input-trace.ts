import type { Executor } from '../../engine/contract/executor.ts';
import { nextXorshift } from '../../systems/kernel/xorshift.ts';

/** A button is held for so many world steps: a fifth of a second of a Game Boy. */
export const HELD_STEPS = 12;

/**
 * Which button a bench without brains holds: a fixed sequence per port, the same in every run. It is test machinery and
 * never shown as a fly playing (spec: session.md 26, B1; arena.md T10).
 * @returns an index below `buttons`, or -1 for none
 */
export function heldButton(port: number, step: number, buttons: number): number {
  const segment = Math.floor(step / HELD_STEPS);
  const mixed = nextXorshift(nextXorshift(Math.imul(segment * 64 + port + 1, 0x9e37_79b1) || 1));
  return ((mixed >>> 8) % (buttons + 1)) - 1;
}

/** Plays the fixed sequence of a port whatever the readout decided. Counts its own steps: one per session. */
export function createTracePlayer(port: number): Executor {
  let step = 0;
  return {
    apply(_, { axes, buttons, portId }) {
      const held = heldButton(port, step, buttons.length);
      step += 1;
      return { portId, buttons: buttons.map((_, i) => i === held), axes: axes.map(({ neutral }) => neutral) };
    },
  };
}
