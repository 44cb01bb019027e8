import type { DecoderChannel } from './decoder.ts';

/** Game Boy joypad bits in button order (spec: brain.md 8.3, session.md 9.3). */
export const JOYPAD_BITS = {
  up: 1,
  down: 2,
  left: 4,
  right: 8,
  a: 16,
  b: 32,
  start: 64,
  select: 128,
} as const;

export type JoypadButton = keyof typeof JOYPAD_BITS;

/** Button names in bit order, which is also the port order. */
export const JOYPAD_BUTTONS: readonly JoypadButton[] = Object.keys(JOYPAD_BITS) as JoypadButton[];

/** Mask of the named buttons; names that are no button are ignored. */
export function packJoypad(names: Iterable<string>): number {
  let mask = 0;
  for (const name of names) mask |= bitOf(name);
  return mask;
}

/** Names of the buttons in `mask`, in bit order. */
export function unpackJoypad(mask: number): JoypadButton[] {
  return JOYPAD_BUTTONS.filter((button) => (mask & JOYPAD_BITS[button]) !== 0);
}

/** Packs a decoder's active flags into a mask without allocating. Channels that are no button add nothing. */
export function createJoypadPacker(channels: readonly DecoderChannel[]): (active: Uint8Array) => number {
  const bits = Uint8Array.from(channels, ({ channel }) => bitOf(channel));
  return (active) => {
    let mask = 0;
    for (let i = 0; i < bits.length; i++) if (active[i] === 1) mask |= bits[i]!;
    return mask;
  };
}

function bitOf(name: string): number {
  return Object.hasOwn(JOYPAD_BITS, name) ? JOYPAD_BITS[name as JoypadButton] : 0;
}
