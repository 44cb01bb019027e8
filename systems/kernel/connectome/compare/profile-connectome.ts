import type { Connectome, ConnectomeOrigin } from '../../../../engine/contract/connectome.ts';
import type { KernelOverrides } from '../../parameters.ts';
import { reportConnectome } from '../report-connectome.ts';
import type { ConnectomeReport } from '../report-connectome.ts';
import { contactHistogram, countSigns, survivalCurve } from './distributions.ts';
import type { ContactHistogram, SignCounts, SurvivalCurve } from './distributions.ts';
import { measureActivity } from './measure-activity.ts';
import type { Activity, MeasureActivityOptions } from './measure-activity.ts';
import type { ReportFacts, TransmitterCounts } from './read-report-facts.ts';

/** Everything a comparison says about one wiring. */
export type ConnectomeProfile = {
  readonly name: string;
  readonly origin: ConnectomeOrigin;
  readonly credit: string;
  readonly identity: string;
  readonly retinaColumns: number;
  readonly report: ConnectomeReport;
  readonly signs: SignCounts;
  readonly transmitters: TransmitterCounts | null;
  readonly outDegree: SurvivalCurve;
  readonly inDegree: SurvivalCurve;
  readonly contacts: ContactHistogram;
  readonly parameters: KernelOverrides;
  readonly activity: Activity;
};

export async function profileConnectome(
  connectome: Connectome,
  { transmitters, parameters }: ReportFacts,
  options: Omit<MeasureActivityOptions, 'parameters'> = {},
): Promise<ConnectomeProfile> {
  const { name, origin, credit, identity, retina, neurons, indptr, targets, weights } = connectome;
  const out = new Uint32Array(neurons);
  const into = new Uint32Array(neurons);
  for (let s = 0; s < neurons; s++) out[s] = indptr[s + 1]! - indptr[s]!;
  for (let e = 0; e < targets.length; e++) into[targets[e]!]!++;
  return {
    name,
    origin,
    credit,
    identity,
    retinaColumns: retina.count,
    report: reportConnectome(connectome),
    signs: countSigns(indptr, weights),
    transmitters,
    outDegree: survivalCurve(out),
    inDegree: survivalCurve(into),
    contacts: contactHistogram(weights),
    parameters,
    activity: await measureActivity(connectome, { ...options, parameters }),
  };
}
