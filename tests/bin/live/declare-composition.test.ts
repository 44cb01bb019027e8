import { expect, test } from 'vitest';
import { declareComposition } from '../../../bin/live/declare-composition.ts';
import type { CompositionInput } from '../../../bin/live/declare-composition.ts';
import { canonicalDigest } from '../../../engine/identity/digest.ts';
import { encodeGroup } from '../../../systems/checkpoint/envelope-group.ts';
import { describeArena } from '../../../systems/environment/arena/describe-arena.ts';
import { decoderPreset } from '../../../systems/readout/presets.ts';
import { HERE, exampleCapture } from '../../systems/checkpoint/example-group.ts';

const ARENA = describeArena({ backendDigest: 'b'.repeat(64), players: 2, slotIds: [] });
const INPUT: CompositionInput = {
  compositionId: 'two-fly',
  task: { id: 'two-player-rounds-v1', slotIds: [], episodePolicy: 'round-reset-keep-gains-v1' },
  executorId: 'identity-v1',
  decoder: decoderPreset('gameboy'),
  environment: ARENA,
};

test('R7 a declaration says policy, restore, executor, decoder and checkpoint format, each as a member (session.md 3.2)', () => {
  expect(declareComposition(INPUT)).toEqual({
    compositionId: 'two-fly',
    scheduler: 'lockstep-v1',
    seedDerivation: 'flybrain/seed-derivation-v1', // session.md 3.3
    taskId: 'two-player-rounds-v1',
    executor: { id: 'identity-v1', mode: 'raw' },
    decoderForm: 'gameboy-decoder-config-v1',
    // published for the raw readout, session.md 28
    decoderConfigDigest: '6234e4a0363cfe82b8d515943c4f645a3960eda8fa5bf9465009061f80d50812',
    environment: {
      kind: 'arena',
      backendDigest: 'b'.repeat(64),
      contentDigest: ARENA.contentDigest,
      configurationDigest: ARENA.configurationDigest,
      slots: [],
      stepDuration: { numerator: '8572265625', denominator: '512' },
      inspectionSchema: 'arena-state-v1',
      recovery: 'exact-checkpoint',
      determinism: 'fixed-build',
    },
    episodePolicy: 'round-reset-keep-gains-v1',
    restore: 'exact-resume',
    checkpointFormatOfRecord: 'FLYSESS1',
  });
});

const raw = decoderPreset('gameboy');
test.each<readonly [string, Partial<CompositionInput>]>([
  ['another show', { compositionId: 'mine' }],
  ['another executor', { executorId: 'macros-v1' }],
  [
    'another hold of one pulse',
    { decoder: { ...raw, pulses: [{ ...raw.pulses[0]!, holdMs: 86 }, ...raw.pulses.slice(1)] } },
  ],
  ['other directions', { decoder: { ...raw, exclusive: { ...raw.exclusive!, hysteresis: 1.06 } } }],
  ['another lockout', { decoder: { ...raw, clearLockoutMs: 481 } }],
  ['another episode policy', { task: { ...INPUT.task, episodePolicy: 'legacy-ratchet-rollback-v1' } }],
  ['another task', { task: { ...INPUT.task, id: 'other-rounds-v1' } }],
  ['a slot', { task: { ...INPUT.task, slotIds: ['best'] } }],
  ['another build of the world', { environment: { ...ARENA, backendDigest: 'c'.repeat(64) } }],
  ['another content', { environment: { ...ARENA, contentDigest: 'c'.repeat(64) } }],
  ['a world of other determinism', { environment: { ...ARENA, determinism: 'unverified' } }],
])('%s is another composition (session.md 2.4)', (_, change) => {
  expect(canonicalDigest(declareComposition({ ...INPUT, ...change }))).not.toBe(
    canonicalDigest(declareComposition(INPUT)),
  );
});

test('the declared checkpoint format is the one that is written', () => {
  const { checkpointFormatOfRecord } = declareComposition(INPUT) as { checkpointFormatOfRecord: string };
  const file = encodeGroup(exampleCapture(7n), 'ckpt-1', HERE);
  expect(Buffer.from(file.subarray(0, 8)).toString()).toBe(checkpointFormatOfRecord);
});
