import type { Connectome } from '../../../../../engine/contract/connectome.ts';
import { canonicalDigest } from '../../../../../engine/identity/digest.ts';
import { selectPlasticEdges } from '../../../../learning/plasticity-edges.ts';
import { plasticityVersion } from '../../../../learning/plasticity-parameters.ts';
import { decoderConfigDigest } from '../../../../readout/decoder-config-digest.ts';
import { decoderPreset } from '../../../../readout/presets.ts';
import { DEFAULT_SEED, kernelVersion, resolveKernelParameters } from '../../../parameters.ts';
import { sha256 } from '../../fingerprint.ts';
import { HEX_TRANSFORM } from './l1-columns.ts';
import { READOUT_PARTITION } from './readout-partition.ts';
import type { SignPolicy } from './sign-policy.ts';

/** What each digest covers: spec brain.md 3.7. */
export type ProfileIdentities = {
  /** Release, inventory, filter, raw graph. */
  readonly anatomyId: string;
  /** Numerical semantics, numeric constants, signed-weight transform. */
  readonly modelId: string;
  /** Picture encoding and the columns it drives. */
  readonly sensorId: string;
  /** Population partition, decoder, action mapping. */
  readonly readoutId: string;
  /** Learning rule, plastic edges, reward catalogue. */
  readonly learningId: string;
  /** Positions, classes, fibres, index mapping. Display only. */
  readonly viewerId: string;
  /** All but `viewerId`. */
  readonly behaviourId: string;
};

export type Profile = {
  readonly id: 'malecns-v1-lif-baseline' | 'malecns-v1-lif-learning';
  /** Populations it needs and the graph lacks; a profile with any cannot be run. */
  readonly missing: readonly string[];
  readonly learning: boolean;
  readonly decoder: string;
  readonly sensor: typeof L1_SENSOR;
  readonly identities: ProfileIdentities;
};

export type IdentityParts = {
  readonly release: string;
  readonly inventoryRule: string;
  /** Original ids, index order, one a line. */
  readonly idsSha256: string;
  readonly threshold: number;
  readonly keepAutapses: boolean;
  readonly contacts: Uint32Array;
  readonly policy: SignPolicy;
  readonly connectome: Connectome;
  readonly readout: Readonly<Record<string, readonly number[]>>;
};

const DECODER = 'gameboy';
/** How a picture becomes drive (spec: brain.md 4.6). Viewers of the show may see another picture than the agent. */
export const L1_SENSOR: Readonly<
  Record<'encoding' | 'crop' | 'orientation' | 'colour' | 'sampling' | 'transform', string>
> = {
  encoding: 'l1-nearest-pixel-1',
  crop: 'none, the whole picture of the agent',
  orientation: 'left eye mirrored; the lattice is not audited against the eye',
  colour: 'luminance 0.2126 R + 0.7152 G + 0.0722 B of the bytes, alpha ignored',
  sampling: 'nearest pixel; one bounding box over the columns of both eyes',
  transform: HEX_TRANSFORM,
};

/** Tasks bring their own reward catalogue, whose identity joins at run time. */
const REWARD_CATALOGUE = 'declared by the task';

const REQUIRED = { baseline: ['brain.descending', 'visual.l1'], learning: ['mb.kenyon', 'mb.output'] } as const;

/** The two profiles of this graph (spec: brain.md 3.7), learning off first. */
export function describeProfiles(parts: IdentityParts): Profile[] {
  const common = commonIdentities(parts);
  const profile = (id: Profile['id'], learning: boolean, required: readonly string[]): Profile => {
    const identities = { ...common, learningId: learningIdentity(parts.connectome, learning) };
    return {
      id,
      missing: required.filter((role) => (parts.connectome.roles.get(role)?.length ?? 0) === 0),
      learning,
      decoder: DECODER,
      sensor: L1_SENSOR,
      identities: { ...identities, behaviourId: behaviourIdentity(identities) },
    };
  };
  return [
    profile('malecns-v1-lif-baseline', false, REQUIRED.baseline),
    profile('malecns-v1-lif-learning', true, [...REQUIRED.baseline, ...REQUIRED.learning]),
  ];
}

function commonIdentities(parts: IdentityParts): Omit<ProfileIdentities, 'learningId' | 'behaviourId'> {
  const { connectome, contacts, policy } = parts;
  const parameters = resolveKernelParameters();
  const { decayMs, threshold, refractoryMs, synapseScale, baselineMax, noiseKicks, noiseAmount } = parameters;
  const { rateAlpha, membraneFloor, stimulation, retina } = parameters;
  const numbers = { decayMs, threshold, refractoryMs, synapseScale, baselineMax, noiseKicks, noiseAmount, rateAlpha };
  return {
    anatomyId: canonicalDigest({
      form: 'malecns-anatomy-1',
      release: parts.release,
      inventoryRule: parts.inventoryRule,
      ids: parts.idsSha256,
      threshold: parts.threshold,
      keepAutapses: parts.keepAutapses,
      indptr: sha256(connectome.indptr),
      targets: sha256(connectome.targets),
      contacts: sha256(contacts),
    }),
    modelId: canonicalDigest({
      form: 'malecns-model-1',
      kernel: kernelVersion(parameters, DEFAULT_SEED),
      numbers: { ...numbers, membraneFloor, stimulation, retina },
      signPolicy: policy.name,
      weights: sha256(connectome.weights),
    }),
    sensorId: canonicalDigest({
      form: 'malecns-sensor-1',
      sensor: L1_SENSOR,
      retina,
      neurons: sha256(connectome.retina.neuron),
      hemispheres: sha256(connectome.retina.hemisphere),
      places: sha256(connectome.retina.xy),
    }),
    readoutId: canonicalDigest({
      form: 'malecns-readout-1',
      partition: READOUT_PARTITION,
      pools: Object.entries(parts.readout).map(([name, members]) => [name, members]),
      decoder: decoderConfigDigest(decoderPreset(DECODER)),
    }),
    viewerId: canonicalDigest({
      form: 'malecns-viewer-1',
      ids: parts.idsSha256,
      positions: sha256(connectome.viewer.positions),
      classes: sha256(connectome.viewer.classes),
      fibres: sha256(connectome.viewer.fibres),
    }),
  };
}

/** Two brains with this identity behave alike; how they are drawn is left out. */
function behaviourIdentity(found: Omit<ProfileIdentities, 'viewerId' | 'behaviourId'>): string {
  const { anatomyId, modelId, sensorId, readoutId, learningId } = found;
  return canonicalDigest({ form: 'malecns-behaviour-1', anatomyId, modelId, sensorId, readoutId, learningId });
}

function learningIdentity(connectome: Connectome, learning: boolean): string {
  if (!learning) return canonicalDigest({ form: 'malecns-learning-1', rule: 'off' });
  const { plasticity } = resolveKernelParameters();
  const { topology, edge } = selectPlasticEdges(connectome, plasticity);
  return canonicalDigest({
    form: 'malecns-learning-1',
    rule: plasticityVersion(plasticity),
    topology,
    slots: edge.length,
    rewards: REWARD_CATALOGUE,
  });
}
