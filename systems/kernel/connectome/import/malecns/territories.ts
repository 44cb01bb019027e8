/** Coarse parts of the nervous system, from a neuron's superclass. */
export const TERRITORIES = ['optic lobe', 'central brain', 'optic-central', 'neck', 'nerve cord', 'other'] as const;

/** Index into `TERRITORIES`. */
export function territoryOf(superclass: string): number {
  if (superclass.startsWith('ol_')) return 0;
  if (superclass.startsWith('cb_')) return 1;
  if (superclass.startsWith('visual_')) return 2;
  if (NECK.has(superclass)) return 3;
  return superclass.startsWith('vnc_') ? 4 : 5;
}

/** Neurons whose fibre passes the neck connective. */
const NECK: ReadonlySet<string> = new Set([
  'ascending_neuron',
  'descending_neuron',
  'sensory_ascending',
  'sensory_descending',
  'efferent_ascending',
]);
