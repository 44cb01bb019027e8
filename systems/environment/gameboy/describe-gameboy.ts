import type { EnvironmentDescriptor } from '../../../engine/contract/environment.ts';
import { canonicalDigest } from '../../../engine/identity/digest.ts';
import { rationalNs } from '../../../engine/rational.ts';
import type { RationalNs } from '../../../engine/rational.ts';
import type { Cartridge } from './read-cartridge.ts';
import { coreOptions } from './core-options.ts';
import { SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX } from './screen-colours.ts';
import type { LcdPalette } from './screen-colours.ts';

/** One LCD frame: 70,224 clocks of 4,194,304 Hz (spec: session.md 4). */
export const GAME_BOY_STEP: RationalNs = rationalNs(8_572_265_625n, 512n);
/** Order of `PortControl.buttons` (spec: session.md 9.4, `gameboy-joypad-v1`). */
export const GAME_BOY_BUTTONS: readonly string[] = ['up', 'down', 'left', 'right', 'a', 'b', 'start', 'select'];
export const GAME_BOY_PORT = 'p1';
export const INSPECTION_SCHEMA = 'gameboy-memory-inspection-v1';

const AUDIO_CHANNELS = 2;

export type GameboyBackend = {
  /** SHA-256 of the core library. */
  readonly backendDigest: string;
  readonly cartridge: Cartridge;
  readonly palette: LcdPalette;
  readonly slotIds: readonly string[];
  readonly sampleRateHz: number;
  /** Room for one frame of sound. */
  readonly bufferFrames: number;
};

export function describeGameboy(backend: GameboyBackend): EnvironmentDescriptor {
  const { cartridge, sampleRateHz } = backend;
  return {
    kind: 'gameboy',
    backendDigest: backend.backendDigest,
    contentDigest: cartridge.sha256,
    configurationDigest: canonicalDigest(backendConfiguration(backend)),
    stepDuration: GAME_BOY_STEP,
    ports: [{ portId: GAME_BOY_PORT, buttons: GAME_BOY_BUTTONS, axes: [] }],
    inspectionSchema: INSPECTION_SCHEMA,
    views: [
      {
        viewId: 'lcd',
        widthPx: SCREEN_WIDTH_PX,
        heightPx: SCREEN_HEIGHT_PX,
        pixelAspect: { numerator: 1, denominator: 1 },
        observationDelaySteps: 0,
      },
    ],
    audio: [{ streamId: 'gameboy', sampleRateHz, channels: AUDIO_CHANNELS }],
    recovery: 'exact-checkpoint',
    // A cartridge clock reads the wall clock of the machine, which no run repeats.
    determinism: cartridge.timer ? 'unverified' : 'fixed-build',
  };
}

/** Form `gameboy-backend-config-v1` (spec: session.md 13), with what our core adds to it. */
function backendConfiguration(backend: GameboyBackend): unknown {
  return {
    form: 'gameboy-backend-config-v1',
    romDigest: backend.cartridge.sha256,
    portId: GAME_BOY_PORT,
    slots: backend.slotIds,
    audio: { sampleRate: backend.sampleRateHz, channels: AUDIO_CHANNELS, bufferFrames: backend.bufferFrames },
    setupFrames: 1,
    view: 'lcd',
    controllerSchema: 'gameboy-joypad-v1',
    inspectionSchema: INSPECTION_SCHEMA,
    palette: backend.palette.map((colour) => `#${colour.toString(16).padStart(6, '0')}`),
    coreOptions: coreOptions(backend.cartridge),
  };
}
