const LETTERS = 'ABCDEFGH';

/** The letter of a fly, agent order. Flies differ in letter and shape, never in hue (mockups, "Palette"). */
export function letterOf(agentIndex: number): string {
  return LETTERS[agentIndex % LETTERS.length]!;
}
