/** Names of the eight orchards as the cartridge shows them, in order. */
export const ORCHARD_NAMES = [
  'Apple row',
  'Pear hill',
  'Fig row',
  'Plum pond',
  'Lemon sun',
  'Gale lane',
  'Olive eve',
  'Frost end',
] as const;

export function orchardName(orchard: number): string {
  return ORCHARD_NAMES[orchard] ?? `Orchard ${orchard + 1}`;
}
