import type { LarvaNeuron } from './read-larva-tables.ts';

/**
 * What to do about a table without transmitters:
 * `excitatory` makes every edge positive; `local-inhibitory` makes the neurons of `INHIBITORY_CLASSES` negative;
 * `refuse` imports nothing.
 */
export type UnsignedPolicy = 'excitatory' | 'local-inhibitory' | 'refuse';

/** Names the rule in reports and in the hashed meta text; a changed rule needs a new name. */
export const LARVA_SIGN_RULES: Readonly<Record<Exclude<UnsignedPolicy, 'refuse'>, string>> = {
  excitatory: 'larva-signs-excitatory-1',
  'local-inhibitory': 'larva-signs-local-inhibitory-1',
};

/**
 * Classes that literature reports as GABA or glutamate: antennal-lobe local neurons (broad, choosy, keystone, picky;
 * Berck et al. 2016) and the neuron that inhibits all Kenyon cells (APL; Eichler et al. 2017). The table does not say so.
 */
export const INHIBITORY_CLASSES: readonly string[] = ['APL', 'bLN', 'cLN', 'keystone', 'pLN'];

/** -1 for a neuron all of whose edges are negative under `policy`, else 1. */
export function signOf(neuron: LarvaNeuron, policy: UnsignedPolicy): 1 | -1 {
  if (policy !== 'local-inhibitory') return 1;
  return neuron.classes.some((name) => INHIBITORY_CLASSES.includes(name)) ? -1 : 1;
}
