import { LARVA_GROUPS } from './larva-groups.ts';
import type { LarvaNeuron } from './read-larva-tables.ts';

/**
 * A drawing position for every neuron: inside its group's region, in its hemisphere, the two of a pair mirrored. The
 * table has no coordinates; this is a layout, not anatomy.
 * @returns `3 * neurons`, the centroid at the origin, the largest distance along x is 1; the larva's left is at +x
 */
export function placeLarva(neurons: readonly LarvaNeuron[]): Float32Array {
  const positions = new Float64Array(3 * neurons.length);
  const usedOfGroup = new Map<string, number>();
  const placeOfPair = new Map<string, readonly number[]>();
  neurons.forEach((neuron, index) => {
    const pair = neuron.pair === null ? null : `${neuron.group} ${neuron.pair}`;
    let place = pair === null ? undefined : placeOfPair.get(pair);
    if (place === undefined) {
      place = nextPlace(neuron.group, usedOfGroup);
      if (pair !== null) placeOfPair.set(pair, place);
    }
    const side = neuron.hemisphere === 'L' ? 1 : neuron.hemisphere === 'R' ? -1 : 0;
    positions.set([side * place[0]!, place[1]!, place[2]!], 3 * index);
  });
  return centre(positions);
}

/** Powers of the inverse of the root of x^4 = x + 1: an even, repeatable scatter in three dimensions. */
const STEPS = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703] as const;

/** The next scattered point of a group's ellipsoid. */
function nextPlace(group: string, usedOfGroup: Map<string, number>): number[] {
  const { at, radius } = LARVA_GROUPS[group]!.region;
  for (let k = (usedOfGroup.get(group) ?? 0) + 1; ; k++) {
    const unit = STEPS.map((step) => 2 * ((k * step) % 1) - 1);
    if (unit[0]! ** 2 + unit[1]! ** 2 + unit[2]! ** 2 > 1) continue;
    usedOfGroup.set(group, k);
    return unit.map((value, axis) => at[axis]! + radius[axis]! * value);
  }
}

function centre(positions: Float64Array): Float32Array {
  const neurons = positions.length / 3;
  const sum = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) sum[i % 3]! += positions[i]!;
  let reach = 0;
  for (let i = 0; i < positions.length; i++) {
    positions[i]! -= sum[i % 3]! / neurons;
    if (i % 3 === 0) reach = Math.max(reach, Math.abs(positions[i]!));
  }
  return Float32Array.from(positions, (value) => value / (reach || 1));
}
