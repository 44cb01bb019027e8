import type { Brain } from '../../engine/contract/brain.ts';
import type { Connectome } from '../../engine/contract/connectome.ts';
import { canonicalDigest } from '../../engine/identity/digest.ts';
import { legacyDatasetDigest, legacyIndexDigest } from '../../engine/identity/digest-recipes.ts';
import type { LearningMode, SessionDescriptor } from '../../engine/replica/descriptor.ts';
import type { SessionWorld } from '../../engine/world.ts';
import type { GroupIdentity } from '../../systems/checkpoint/envelope-group.ts';
import type { DecoderConfig } from '../../systems/readout/decoder-config.ts';
import { decoderConfigDigest } from '../../systems/readout/decoder-config-digest.ts';
import { STATE_FORMAT } from '../../systems/checkpoint/store-manifest.ts';

export type ProfileInput = {
  readonly brain: Pick<Brain, 'kernelVersion' | 'plasticityVersion' | 'supportedStimuli'>;
  readonly connectome: Pick<Connectome, 'identity'>;
  readonly decoder: DecoderConfig;
  readonly executorId: string;
  readonly learning: LearningMode;
};

/**
 * Wiring, model, learning rule, readout and executor of one fly in one digest (spec: session.md 3.1). It is a restore
 * gate: a state saved with other decoder numbers is another fly's.
 */
export function profileDigest({ brain, connectome, decoder, executorId, learning }: ProfileInput): string {
  return canonicalDigest({
    anatomyId: connectome.identity,
    modelId: brain.kernelVersion,
    // a control run is another behaviour, so it has another digest
    learningId: brain.plasticityVersion + (learning === 'on' ? '' : `:${learning}`),
    readoutId: decoderConfigDigest(decoder),
    executorId,
    supportedStimuli: brain.supportedStimuli,
  });
}

export type IdentifyInput = {
  readonly world: SessionWorld;
  readonly descriptor: SessionDescriptor;
  /** Agent order. */
  readonly connectomes: readonly Connectome[];
  readonly decoder: DecoderConfig;
  readonly executorId: string;
  readonly learning: LearningMode;
};

/** What a saved group must have in common with this composition to be continued by it (spec: session.md 16, 17.2). */
export function identifySession({ world, descriptor, ...input }: IdentifyInput): GroupIdentity {
  const { environment, brains, task } = world.handles;
  const { backendDigest, contentDigest, configurationDigest, inspectionSchema, ports, stepDuration } =
    environment.descriptor;
  return {
    sessionId: world.sessionId,
    environmentId: world.stores.StableId[world.environment]!,
    taskId: task.taskId,
    stepDuration,
    compositionDigest: descriptor.compositionDigest,
    portMap: descriptor.agents.map(({ portId, agentId }) => ({ portId, agentId })),
    compatibility: {
      backendDigest,
      contentDigest,
      patchDigest: configurationDigest,
      controllerDigest: canonicalDigest(
        ports.map(({ portId, buttons, axes }) => ({ portId, controls: { buttons, axes } })),
      ),
      parserDigest: canonicalDigest({ inspectionSchema }),
      stateFormatId: STATE_FORMAT,
    },
    agents: brains.map((brain, i) => {
      const connectome = input.connectomes[i]!;
      const { fingerprint, neurons, roles } = connectome;
      const macroRoles = [...roles].filter(([name]) => name.startsWith('macro_'));
      return {
        agentId: brain.agentId,
        profileDigest: profileDigest({ ...input, brain, connectome }),
        datasetDigest: legacyDatasetDigest(fingerprint),
        indexDigest: legacyIndexDigest(fingerprint, neurons, macroRoles),
        modelVersion: brain.kernelVersion,
        plasticityVersion: brain.plasticityVersion,
        seed: brain.seed,
      };
    }),
  };
}
