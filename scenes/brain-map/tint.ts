import type { StageGeometry } from '../geometry.ts';
import { colour } from '../theme.ts';

/** Map class of a neuron. A cell shows the highest class that spiked in it (mockups "The brain map"). */
export const Tint = { internal: 0, kenyon: 1, sensory: 2, dopamine: 3, output: 4 } as const;
export const TINT_COUNT = 5;

/** Light of an active cell. */
export const tintColour: readonly number[] = [0xa9b2ae, 0xd08aa8, colour.sensory, colour.dopamine, colour.motor];
/** Hue of a neuron at rest. */
export const restColour: readonly number[] = [0x8a938f, colour.kenyon, 0x3f9fd0, colour.dopamine, 0xc98a2a];

/** One tint a neuron: viewer class first, then the populations that have a colour of their own. */
export function tintsOf(geometry: StageGeometry): Uint8Array {
  const { viewer, roles, neurons } = geometry;
  const tints = new Uint8Array(neurons);
  for (let i = 0; i < neurons; i++) {
    const kind = viewer.classes[i];
    tints[i] = kind === 0 ? Tint.sensory : kind === 2 ? Tint.output : Tint.internal;
  }
  paint(tints, roles.get('visual_l1'), Tint.sensory);
  paint(tints, roles.get('kenyon'), Tint.kenyon);
  paint(tints, roles.get('reward_pam'), Tint.dopamine);
  return tints;
}

function paint(tints: Uint8Array, members: Uint32Array | undefined, tint: number): void {
  for (const neuron of members ?? []) tints[neuron] = tint;
}
