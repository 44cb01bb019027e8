import type { EnvironmentDescriptor } from '../../engine/contract/environment.ts';
import type { TaskModule } from '../../engine/contract/task.ts';
import { SEED_DERIVATION } from '../../engine/identity/derive-seed.ts';
import { MAGIC } from '../../systems/checkpoint/envelope-container.ts';
import { SCHEDULER } from '../../systems/checkpoint/envelope-group.ts';
import type { DecoderConfig } from '../../systems/readout/decoder-config.ts';
import { DECODER_FORM, decoderConfigDigest } from '../../systems/readout/decoder-config-digest.ts';

/** What a saved state brings back: everything, readout windows and ledgers included (spec: session.md 16). */
export const RESTORE_KIND = 'exact-resume';

export type CompositionInput = {
  readonly compositionId: string;
  readonly task: Pick<TaskModule, 'id' | 'slotIds' | 'episodePolicy'>;
  readonly executorId: string;
  readonly decoder: DecoderConfig;
  readonly environment: EnvironmentDescriptor;
};

/**
 * The composition's declaration: whatever decides how a session behaves besides its flies is a member of its own, so
 * that none changes without changing the composition digest (spec: session.md 2.4, 3.2).
 */
export function declareComposition(input: CompositionInput): object {
  const { compositionId, task, executorId, decoder, environment } = input;
  const { numerator, denominator } = environment.stepDuration;
  return {
    compositionId,
    scheduler: SCHEDULER,
    seedDerivation: SEED_DERIVATION,
    taskId: task.id,
    executor: { id: executorId, mode: decoder.macros === null ? 'raw' : 'macros' },
    decoderForm: DECODER_FORM,
    decoderConfigDigest: decoderConfigDigest(decoder),
    environment: {
      kind: environment.kind,
      backendDigest: environment.backendDigest,
      contentDigest: environment.contentDigest,
      configurationDigest: environment.configurationDigest,
      slots: task.slotIds,
      stepDuration: { numerator: String(numerator), denominator: String(denominator) },
      inspectionSchema: environment.inspectionSchema,
      recovery: environment.recovery,
      determinism: environment.determinism,
    },
    episodePolicy: task.episodePolicy,
    restore: RESTORE_KIND,
    checkpointFormatOfRecord: MAGIC,
  };
}
