import type { StageGeometry } from '../geometry.ts';
import { colour } from '../theme.ts';

/** Map class of a neuron. A cell shows the highest class that spiked in it (mockups "The brain map"). */
export const Tint = { internal: 0, kenyon: 1, visual: 2, sensory: 3, dopamine: 4, output: 5 } as const;
export const TINT_COUNT = 6;

/** Light of an active cell. */
export const tintColour: readonly number[] = [
  0xa9b2ae,
  0xd08aa8,
  0x2f86c0,
  colour.sensory,
  colour.dopamine,
  colour.motor,
];
/** Hue of a neuron at rest. */
export const restColour: readonly number[] = [0x8a938f, colour.kenyon, 0x2f78b4, 0x3f9fd0, colour.dopamine, 0xc98a2a];

/** Inner edge of the lobes as a part of the innermost column's distance from the midline. */
const LOBE_PART = 0.56;

/** One tint a neuron: viewer class first, then the populations that have a colour of their own. */
export function tintsOf(geometry: StageGeometry): Uint8Array {
  const { viewer, roles, neurons } = geometry;
  const tints = new Uint8Array(neurons);
  const lobe = lobeEdge(geometry);
  for (let i = 0; i < neurons; i++) {
    const kind = viewer.classes[i];
    const inner = Math.abs(viewer.positions[i * 3]!) >= lobe * ragged(i) ? Tint.visual : Tint.internal;
    tints[i] = kind === 0 ? Tint.sensory : kind === 2 ? Tint.output : inner;
  }
  paint(tints, roles.get('visual_l1'), Tint.sensory);
  paint(tints, roles.get('kenyon'), Tint.kenyon);
  paint(tints, roles.get('reward_pam'), Tint.dopamine);
  return tints;
}

/** 0.86..1.14, fixed for a neuron: the border between eye and centre is no straight cut. */
function ragged(neuron: number): number {
  return 0.86 + (0.28 * (Math.imul(neuron + 1, 0x9e3779b1) >>> 8)) / 0x1000000;
}

/**
 * Distance from the midline where the optic lobes begin: interneurons beyond it belong to the eyes. The columns' own
 * neurons say where their lobe is; half their nearest distance lies in the gap before the central brain.
 */
function lobeEdge({ viewer, retina }: StageGeometry): number {
  if (retina.count === 0) return Infinity;
  const distances = Float32Array.from(retina.neuron, (neuron) => Math.abs(viewer.positions[neuron * 3]!)).sort();
  return distances[Math.floor(distances.length * 0.02)]! * LOBE_PART;
}

function paint(tints: Uint8Array, members: Uint32Array | undefined, tint: number): void {
  for (const neuron of members ?? []) tints[neuron] = tint;
}
