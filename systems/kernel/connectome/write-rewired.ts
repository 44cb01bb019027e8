import type { Connectome } from '../../../engine/contract/connectome.ts';
import { DataError } from '../../../engine/errors.ts';
import { readReportFacts } from './compare/read-report-facts.ts';
import { REWIRED_PREFIX, readOrigin } from './bundle-origin.ts';
import { loadBundle, readMeta } from './load-bundle.ts';
import { reportConnectome } from './report-connectome.ts';
import { rewireGraph } from './rewire-graph.ts';
import type { RowGraph } from './rewire-graph.ts';
import { writeBundle } from './write-bundle.ts';

/**
 * Writes the rewired control of one bundle: same neurons, roles, retina and degrees, shuffled targets. Its data set
 * name says so; its fibres are gone because the edges they drew are.
 * @throws DataError BUNDLE_* or GRAPH_* when `from` is unsound, REWIRE_DENSE when it has no other such wiring; `to` is
 *   as it was then
 */
export async function writeRewired(from: string, to: string, seed: number): Promise<void> {
  const connectome = await loadBundle(from);
  const meta = await readMeta(from);
  const origin = await readOrigin(from, meta.dataset);
  const facts = await readReportFacts(from);
  const graph = shuffle(connectome, seed, from);
  const dataset = `${REWIRED_PREFIX} of ${meta.dataset}, seed ${seed}`;
  await writeBundle(to, {
    meta: { ...meta, dataset },
    circuitRoles: null,
    graph: {
      ...graph,
      visualIndices: connectome.retina.neuron,
      visualHemisphere: connectome.retina.hemisphere,
      visualXY: connectome.retina.xy,
    },
    viewer: {
      positions: connectome.viewer.positions,
      classes: connectome.viewer.classes,
      viewerEdges: new Uint32Array(0),
    },
    origin: { ...origin, origin: 'rewired', name: `Rewired control of ${origin.name}`, seed, generator: 'rewire-1' },
    // the control runs under the constants of what it controls
    report: { ...reportConnectome({ ...graph, roles: connectome.roles }), suggestedParameters: facts.parameters },
  });
}

function shuffle(connectome: Connectome, seed: number, from: string): RowGraph {
  try {
    return rewireGraph(connectome, seed);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new DataError(
      'REWIRE_DENSE',
      `${from}: ${cause.message}. A graph this small has no control; use a larger one.`,
      {
        cause,
      },
    );
  }
}
