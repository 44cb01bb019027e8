import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LARVA_GROUPS } from '../../../../../../systems/kernel/connectome/import/larva/larva-groups.ts';
import { placeLarva } from '../../../../../../systems/kernel/connectome/import/larva/place-larva.ts';
import type { LarvaNeuron } from '../../../../../../systems/kernel/connectome/import/larva/read-larva-tables.ts';

const neuron = (group: string, hemisphere: 'L' | 'R' | 'C', pair: number | null): LarvaNeuron => ({
  id: 1,
  name: '',
  group,
  classes: [],
  hemisphere,
  pair,
});

test('the two of a pair mirror each other; the left one is on the viewer’s right', () => {
  const positions = placeLarva([neuron('KCs', 'L', 4), neuron('KCs', 'R', 4)]);
  expect(positions[0]).toBe(1);
  expect(Array.from(positions.subarray(3))).toEqual([-1, positions[1], positions[2]]);
});

test('no two neurons of one side share a place, and every place is finite', () => {
  const groups = Object.keys(LARVA_GROUPS);
  fc.assert(
    fc.property(fc.array(fc.nat(groups.length - 1), { minLength: 1, maxLength: 60 }), (kinds) => {
      const positions = placeLarva(kinds.map((kind) => neuron(groups[kind]!, 'L', null)));
      const places = new Set<string>();
      for (let i = 0; i < kinds.length; i++) places.add(positions.subarray(3 * i, 3 * i + 3).join());
      expect(places.size).toBe(kinds.length);
      expect(positions.every(Number.isFinite)).toBe(true);
    }),
  );
});
