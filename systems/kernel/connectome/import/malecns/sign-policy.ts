/** Where a neuron's sign came from. */
export const SIGN_SOURCES = ['consensus', 'predicted', 'low-confidence', 'no-label', 'no-row'] as const;
export type SignSource = (typeof SIGN_SOURCES)[number];

export type SignPolicy = {
  /** Hashed into every identity that depends on signs; a changed rule needs a new name. */
  readonly name: string;
  /** One sign a neuron: all edges of a source share it. */
  readonly scope: 'per neuron';
  readonly signs: Readonly<Record<string, 1 | -1>>;
  /** Sign of mixed, unclear, unknown and absent labels. */
  readonly otherwise: 1 | -1;
  /** A predicted label counts from this confidence on, when there is no usable consensus label. */
  readonly leastConfidence: number;
  readonly reasons: readonly string[];
};

/**
 * Our signed-weight transform of MaleCNS (spec: brain.md 3.5). It is not the FAFB table: photoreceptors are
 * histaminergic, and histamine opens chloride channels in their targets.
 */
export const MALECNS_SIGNS: SignPolicy = {
  name: 'malecns-signs-1',
  scope: 'per neuron',
  signs: {
    acetylcholine: 1,
    gaba: -1,
    glutamate: -1,
    histamine: -1,
    dopamine: 1,
    serotonin: 1,
    octopamine: 1,
    tyramine: 1,
  },
  otherwise: 1,
  leastConfidence: 0.5,
  reasons: [
    'acetylcholine excites, GABA inhibits, glutamate inhibits (GluCl), histamine inhibits (photoreceptors, ort and HisCl1)',
    'dopamine, serotonin, octopamine and tyramine act through receptors of either sign; +1 as in the FAFB table',
    'consensus label first; without one, the predicted label from confidence 0.5 on; without either, +1',
    'mixed, unclear and unknown labels are no label',
  ],
};

export type Signed = { readonly sign: 1 | -1; readonly source: SignSource; readonly label: string };

/** The sign of one neuron. Labels in any case; a NaN confidence counts as 0. */
export function decideSign(consensus: string, predicted: string, confidence: number, policy: SignPolicy): Signed {
  const agreed = consensus.toLowerCase();
  if (Object.hasOwn(policy.signs, agreed)) return { sign: policy.signs[agreed]!, source: 'consensus', label: agreed };
  const guess = predicted.toLowerCase();
  if (!Object.hasOwn(policy.signs, guess)) return { sign: policy.otherwise, source: 'no-label', label: '' };
  if (confidence >= policy.leastConfidence) return { sign: policy.signs[guess]!, source: 'predicted', label: guess };
  return { sign: policy.otherwise, source: 'low-confidence', label: '' };
}
