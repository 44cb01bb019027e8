import { GROWN_PREFIX } from '../bundle-origin.ts';
import type { BundleParts } from '../write-bundle.ts';
import { COLUMNS, EDGES, NEURONS } from './cell-kinds.ts';
import { createCommandFields } from './command-fields.ts';
import { drawEdges } from './draw-edges.ts';
import { createEyeColumns } from './eye-columns.ts';
import { classifyCells, growCells } from './grow-cells.ts';
import { collectFixedRows } from './fixed-rows.ts';
import { wireMushroomBody } from './mushroom-body.ts';
import { dealOutDegrees } from './out-degrees.ts';
import { createRandom } from './random.ts';
import { sortTargets } from './target-pools.ts';
import type { TwinCells } from './twin-cells.ts';
import { dealFibres } from './twin-fibres.ts';
import { createTwinRetina } from './twin-retina.ts';
import { assignRoles } from './twin-roles.ts';

/** Changes whenever the same seed would grow other bytes. */
export const TWIN_GENERATOR = 'twin-2';

export type GrowProgress = {
  readonly phase: 'placing' | 'wiring' | 'writing' | 'done';
  /** Neurons whose place and edges are final; index order, so from the viewer's left to right. */
  readonly neuronsPlaced: number;
  readonly edgesDrawn: number;
  /** Neurons and edges of the finished twin. */
  readonly total: { readonly neurons: number; readonly edges: number };
};

export type GrowOptions = {
  /** Whole number, 32 bits. Same seed, same bytes, on every machine. */
  readonly seed: number;
  readonly onProgress?: (progress: GrowProgress) => void;
};

export type GrownTwin = Omit<BundleParts, 'report'> & {
  /** What every neuron is; for reports and tests, not part of the bundle. */
  readonly cells: TwinCells;
};

/**
 * Grows a statistical stand-in for a fly brain from published counts (spec: twin.md). It is never a measured wiring
 * and its data set name says so. Integer draws and exact arithmetic only.
 */
export function growTwin({ seed, onProgress = () => {} }: GrowOptions): GrownTwin {
  const total = { neurons: NEURONS, edges: EDGES };
  const report = (phase: GrowProgress['phase'], neuronsPlaced: number, edgesDrawn: number): void =>
    onProgress({ phase, neuronsPlaced, edgesDrawn, total });
  report('placing', 0, 0);
  const cells = growCells(seed);
  const eye = createEyeColumns();
  const fibres = dealFibres(cells, seed);
  const fixed = collectFixedRows(wireMushroomBody(cells, seed), fibres);
  const degrees = dealOutDegrees(cells, fixed.counts, seed);
  const source = {
    seed,
    cells,
    eye,
    pools: sortTargets(cells, seed),
    commandFields: createCommandFields(seed),
    random: createRandom(seed, 7),
  };
  const edges = drawEdges(source, fixed, degrees, (neurons, drawn) => report('wiring', neurons, drawn));
  const roles = assignRoles(cells);
  const dataset = `${GROWN_PREFIX}, seed ${seed} (${TWIN_GENERATOR})`;
  return {
    cells,
    meta: {
      schemaVersion: 1,
      dataset,
      retrieved: 'not retrieved; grown from published counts',
      neurons: NEURONS,
      edges: EDGES,
      sourceFiles: {},
      roles: roles.meta,
      visual: { population: 'L1', count: 2 * COLUMNS },
      weightEncoding: 'signed contact count drawn by the generator; GABA/GLUT negative, other transmitters positive',
      positionPolicy: 'drawn by the generator',
    },
    circuitRoles: { dataset, neurons: NEURONS, roles: roles.circuits },
    graph: { ...edges, ...createTwinRetina(cells, eye) },
    viewer: {
      positions: cells.positions,
      classes: classifyCells(cells),
      viewerEdges: fibres,
    },
    origin: {
      origin: 'grown',
      name: `Grown twin, seed ${seed}`,
      seed,
      generator: TWIN_GENERATOR,
      credit: 'Grown twin, not a measured wiring. Counts: FlyWire, Dorkenwald et al. 2024, Lin et al. 2024.',
    },
  };
}
