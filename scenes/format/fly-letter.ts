import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';

const LETTERS = 'ABCDEFGH';

/** Letters by place: flies differ in letter and shape, never in hue (mockups, "Palette"). */
export function letterAt(place: number): string {
  return LETTERS[place % LETTERS.length]!;
}

/** The place a letter stands for, 0 for A. */
export function placeOfLetter(letter: string): number {
  return Math.max(0, LETTERS.indexOf(letter));
}

/** A plays on the world's first port, B on the second: the letter in the picture, whatever the agents' order. */
export function placeOf({ environment, agents }: SessionDescriptor, agentIndex: number): number {
  const portId = agents[agentIndex]?.portId;
  const port = environment.ports.findIndex((each) => each.portId === portId);
  return port < 0 ? agentIndex : port;
}

export function letterOf(descriptor: SessionDescriptor, agentIndex: number): string {
  return letterAt(placeOf(descriptor, agentIndex));
}

/** Agent indices by place: A first. */
export function agentsByPlace(descriptor: SessionDescriptor): number[] {
  const indices = descriptor.agents.map((_, agentIndex) => agentIndex);
  return indices.toSorted((a, b) => placeOf(descriptor, a) - placeOf(descriptor, b));
}
