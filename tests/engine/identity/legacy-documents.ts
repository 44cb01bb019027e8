import { MACRO_ROLES } from '../../../systems/readout/presets.ts';

// The published Game Boy documents: session.md 3.1, 3.2 and 28, field by field.

export const FINGERPRINT: string = [
  '75ba5d3536a2862fdb9f4ef1a76b96fe099a7201ac737f0cf53fe4c5ad4183f3',
  '1657ba7716494c9db95a13b1527bc129226363f99b395774de1f76ff28571f0e',
  '63b1acb26272edccdcfacf3c2ff58069e0cefaa84451429c989258bafaeae1d5',
  'f567d7f07227e71c0df2ab4e6510f3a3f79e51b675095792e16d216d74b7b5b7',
  'ece0b5e76d1884dd2f3ff6e0362bc284febe205ac1ce07fdab5009942ddffb62',
  'b8c33144d4cec31c3ac4b6091ef1f4207f567c4f710f7c13fd2dc47c44c2b634',
  'dbbafc044cd50aad7b792615988ff6d9991c846cc3d8b2eafc86b7c357b5eefc',
].join(':');

const POKERED = '0cd19d3b877b7dc66d12c7050bed9a7f38154d4b';

export const COMPATIBILITY_V8: string = [
  'lif-1ms-f64-v2',
  'pokered-unique8-v8',
  FINGERPRINT,
  'fly-kc-mbon-rstdp-v2',
  'binjgb:c60e138da5a795ebb55e56b11b7e90024e41112c',
  `pokered:${POKERED}`,
  'statefmt:199616-x86_64-unknown-linux-gnu',
].join('/');

type Ref = { readonly id: string; readonly version: number; readonly digest: string };
const ref = (id: string, digest: string): Ref => ({ id, version: 1, digest });

export const PROFILE: unknown = {
  profileId: 'gameboy-legacy-fafb-v783-v1',
  datasetId: 'fafb-v783',
  fingerprintSchema: 1,
  datasetFingerprint: FINGERPRINT,
  kernelVersion: 'lif-1ms-f64-v2',
  plasticityVersion: 'fly-kc-mbon-rstdp-v2',
  tickDuration: { numerator: '1000000', denominator: '1' },
  warmupMs: 2_500,
  view: { viewId: 'lcd', width: 160, height: 144 },
  supportedStimuli: ['reward-pulse'],
  readoutContextSchema: ref(
    'gameboy-readout-context-v1',
    '78a5312f8608a1399e7a16549a1b95a43b87137618d59815b9b06c1bb184014d',
  ),
  decisionSchema: ref('gameboy-channels-v1', '28bd89bfa41ec73fb2785959a64d9975b4a932e10cd9e51dc4bc29020c823595'),
  legacyExceptions: ['macro-roles-outside-fingerprint'],
};

export const DECLARATION: unknown = {
  compositionId: 'pokered-live',
  scheduler: 'lockstep-v1',
  profile: {
    id: 'gameboy-legacy-fafb-v783-v1',
    digest: '41e5d1ac62ab23f1b2d7252d52faac08b269c85e6b4c9ed7a370c74032c60878',
    byteLength: '1137',
    format: 'fly-profile-v1',
  },
  executor: {
    id: 'pokered-macros-v1',
    rom: {
      id: 'pokered-rom',
      format: 'gb-rom',
      byteLength: '1048576',
      digest: 'c840ea493f9bf41505f26cf5b1db26815dd588e7ec91d5fd6f1ad4d363dc4f20',
    },
    adapter: 'pokered-unique8-v8',
    symbolProvenance: POKERED,
    mode: 'macros',
    macroChannels: MACRO_ROLES,
  },
  decoderConfigDigest: '82b6601f0390b742a67eca44ef935b49e16a73315db70f5644f1cbd21f7c8a52',
  environment: {
    extensions: ['gameboy-slots-v1'],
    slots: ['best'],
    stepDuration: { numerator: '8572265625', denominator: '512' },
    inspectionSchema: ref(
      'gameboy-memory-inspection-v1',
      'd6cb62248bfdac2ffdf00290ffbebf9a101b1fe28f7be766d24db28ede8da3e6',
    ),
    controllerSchema: ref('gameboy-joypad-v1', '1bde5fa114b99824ad608fba4ea85706cb0cebc6123a778dc1e5f89791d2a05e'),
    setupFrames: 1,
    audio: { sampleRate: 48_000, channels: 2 },
  },
  episodePolicy: 'legacy-ratchet-rollback-v1',
  restore: 'legacy-transient-reset',
  checkpointFormatOfRecord: 'FLYSIM01',
  flysimCompatibility: COMPATIBILITY_V8,
};
