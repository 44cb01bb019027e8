import { SIDES } from './read-inventory.ts';
import type { Inventory } from './read-inventory.ts';
import { textAt } from './text-column.ts';

export type L1Columns = {
  readonly visualIndices: Uint32Array;
  /** 0 left, 1 right. */
  readonly visualHemisphere: Uint8Array;
  /** Interleaved x, y in column spacings. */
  readonly visualXY: Float32Array;
  readonly report: L1Report;
};

export type L1Report = {
  readonly transform: string;
  readonly left: number;
  readonly right: number;
  /** L1 neurons without a column, by what they lack; they stay missing. */
  readonly withoutHex: number;
  readonly withoutSide: number;
  /** Columns of one eye that two neurons claim; both are kept. */
  readonly shared: number;
  readonly hexRange: { readonly hex1: readonly [number, number]; readonly hex2: readonly [number, number] } | null;
};

/** Declared map from lattice to plane: axes 120 degrees apart, neighbours at distance 1 (spec: brain.md 3.2). */
export const HEX_TRANSFORM = 'x = (hex2 - hex1) * sqrt(3) / 2; y = (hex1 + hex2) / 2';

const HALF_SQRT_3 = Math.sqrt(3) / 2;

/** Lattice coordinates to the plane, in column spacings. */
export function hexToPlane(hex1: number, hex2: number): readonly [x: number, y: number] {
  return [(hex2 - hex1) * HALF_SQRT_3, (hex1 + hex2) / 2];
}

/**
 * One retina column per L1 neuron with lattice coordinates and a known side, in index order. Soma coordinates are never
 * used: they are not visual coordinates (spec: brain.md 3.6).
 */
export function findL1Columns(inventory: Inventory): L1Columns {
  const indices: number[] = [];
  const hemispheres: number[] = [];
  const plane: number[] = [];
  const taken = new Set<string>();
  let [withoutHex, withoutSide, shared] = [0, 0, 0];
  const range = { hex1: [Infinity, -Infinity] as [number, number], hex2: [Infinity, -Infinity] as [number, number] };
  for (let i = 0; i < inventory.neurons; i++) {
    if (textAt(inventory.type, i) !== 'L1') continue;
    const [hex1, hex2] = [inventory.hex1[i]!, inventory.hex2[i]!];
    if (!Number.isFinite(hex1) || !Number.isFinite(hex2)) {
      withoutHex++;
      continue;
    }
    const side = SIDES[inventory.side[i]!]!;
    if (side !== 'L' && side !== 'R') {
      withoutSide++;
      continue;
    }
    const place = `${side} ${hex1} ${hex2}`;
    if (taken.has(place)) shared++;
    taken.add(place);
    widen(range.hex1, hex1);
    widen(range.hex2, hex2);
    indices.push(i);
    hemispheres.push(side === 'L' ? 0 : 1);
    plane.push(...hexToPlane(hex1, hex2));
  }
  const right = hemispheres.reduce((sum, hemisphere) => sum + hemisphere, 0);
  return {
    visualIndices: Uint32Array.from(indices),
    visualHemisphere: Uint8Array.from(hemispheres),
    visualXY: Float32Array.from(plane),
    report: {
      transform: HEX_TRANSFORM,
      left: indices.length - right,
      right,
      withoutHex,
      withoutSide,
      shared,
      hexRange: indices.length === 0 ? null : range,
    },
  };
}

function widen(range: [number, number], value: number): void {
  range[0] = Math.min(range[0], value);
  range[1] = Math.max(range[1], value);
}
