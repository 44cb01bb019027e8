import type { RetinaColumns, ViewerGeometry } from '../../../engine/contract/connectome.ts';
import { NEURONS } from './grow/cell-kinds.ts';
import { createEyeColumns } from './grow/eye-columns.ts';
import { classifyCells, growCells } from './grow/grow-cells.ts';
import { dealFibres } from './grow/twin-fibres.ts';
import { createTwinRetina } from './grow/twin-retina.ts';
import { assignRoles } from './grow/twin-roles.ts';

/** What the map can draw before the first edge exists; the same arrays the finished twin will have. */
export type TwinGeometry = {
  readonly neurons: number;
  readonly viewer: ViewerGeometry;
  readonly roles: ReadonlyMap<string, Uint32Array>;
  readonly retina: RetinaColumns;
};

/**
 * Places, classes, populations and fibres of the twin of `seed` without the rest of its edges, well under a second.
 * Index order runs from the viewer's left to right, so the first k neurons are those a half-grown brain shows.
 */
export function growGeometry(seed: number): TwinGeometry {
  const cells = growCells(seed);
  const { meta, circuits } = assignRoles(cells);
  const retina = createTwinRetina(cells, createEyeColumns());
  const roles = new Map<string, Uint32Array>();
  for (const [name, members] of Object.entries({ ...meta, ...circuits })) roles.set(name, Uint32Array.from(members));
  return {
    neurons: NEURONS,
    viewer: { positions: cells.positions, classes: classifyCells(cells), fibres: dealFibres(cells, seed) },
    roles,
    retina: {
      count: retina.visualIndices.length,
      neuron: retina.visualIndices,
      hemisphere: retina.visualHemisphere,
      xy: retina.visualXY,
    },
  };
}
