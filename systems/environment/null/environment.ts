import type {
  ControlBatch,
  Environment,
  EnvironmentDescriptor,
  EnvironmentModule,
  Observation,
  OpenEnvironmentOptions,
} from '../../../engine/contract/environment.ts';
import { DataError, DeviceError, InvariantError } from '../../../engine/errors.ts';
import { canonicalDigest, sha256Hex } from '../../../engine/identity/digest.ts';
import { parseStrictJson } from '../../../engine/identity/strict-json.ts';
import { multiplyRational } from '../../../engine/rational.ts';
import { notBegun, requireSlot } from '../refusals.ts';
import { GAME_BOY_BUTTONS, GAME_BOY_PORT, GAME_BOY_STEP, INSPECTION_SCHEMA } from '../gameboy/describe-gameboy.ts';

/**
 * A world without a core or a cartridge, for tests of everything around an environment. It has a Game Boy's shape and
 * step; its whole state is two counters, which its memory image and picture show:
 *
 *     $C000  u32 little-endian, steps since boot
 *     $C004  u32 little-endian, FNV-1a hash of every joypad mask so far
 *     $C008  the joypad mask of the newest step
 */
export type NullEnvironment = Environment & {
  /** What a crash of a real backend looks like from here on, until `restart`. */
  die(cause: string): void;
};

export const environmentModule: EnvironmentModule = {
  kind: 'null',
  open: (options) => Promise.resolve(createNullEnvironment(options)),
};

const WIDTH_PX = 160;
const HEIGHT_PX = 144;
const IMAGE_BYTES = 65_536;
const SAMPLE_RATE_HZ = 48_000;
const CHANNELS = 2;
const MAX_AUDIO_FRAMES = 805;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

type NullState = { readonly steps: number; readonly hash: number; readonly mask: number };
type Saved = { readonly form: 'null-state-v1'; readonly world: NullState; readonly slots: Record<string, NullState> };

export function createNullEnvironment(
  options: Pick<OpenEnvironmentOptions, 'environmentId' | 'slotIds'>,
): NullEnvironment {
  const { environmentId, slotIds } = options;
  const descriptor = describe(slotIds);
  const buffers = [createBuffers(), createBuffers()] as const;
  let turn = 0;
  let state: NullState | null = null;
  let slots: Record<string, NullState> = {};
  let death: DeviceError | null = null;

  const observe = (isPlayed: boolean): Observation => {
    turn ^= 1;
    return fillObservation(buffers[turn]!, begun(), isPlayed);
  };
  const alive = (): void => {
    if (death !== null) throw death;
  };
  const begun = (): NullState => {
    alive();
    if (state !== null) return state;
    throw notBegun(environmentId);
  };
  const declaredSlot = (slotId: string): string => requireSlot(environmentId, slotIds, slotId);

  return {
    descriptor,
    boot: () =>
      settle(() => {
        alive();
        state = { steps: 0, hash: FNV_OFFSET, mask: 0 };
        slots = {};
        return observe(false);
      }),
    advance: (batch) =>
      settle(() => {
        const { steps, hash } = begun();
        const mask = buttonMask(batch);
        state = { steps: steps + 1, hash: Math.imul(hash ^ mask, FNV_PRIME) >>> 0, mask };
        return observe(true);
      }),
    capture: () =>
      settle(() => {
        const saved: Saved = { form: 'null-state-v1', world: begun(), slots: { ...slots } };
        return new TextEncoder().encode(JSON.stringify(saved));
      }),
    restore: (bytes) =>
      settle(() => {
        alive();
        const saved = parseSaved(bytes);
        state = saved.world;
        slots = { ...saved.slots };
        return observe(false);
      }),
    saveSlot: (slotId) =>
      settle(() => {
        slots[declaredSlot(slotId)] = begun();
      }),
    restoreSlot: (slotId) =>
      settle(() => {
        const { steps } = begun();
        const slot = slots[declaredSlot(slotId)];
        if (slot === undefined) {
          throw new DataError(
            'SLOT_EMPTY',
            `${environmentId}: slot ${slotId} holds nothing yet; restore a checkpoint.`,
          );
        }
        state = { ...slot, steps, mask: 0 }; // the engine's own counter continues (spec: session.md 13)
        return observe(false);
      }),
    restart: () =>
      settle(() => {
        death = null;
        state = null;
        slots = {};
      }),
    close: () =>
      settle(() => {
        death ??= new DeviceError('ENVIRONMENT_DEAD', `${environmentId} was closed.`);
      }),
    die(cause) {
      death = new DeviceError('ENVIRONMENT_DEAD', `${environmentId} ${cause}; restart it and restore a checkpoint.`);
    },
  };
}

/** What `run` returns or throws, as a promise: a real world answers no sooner. */
function settle<T>(run: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(run());
  });
}

function describe(slotIds: readonly string[]): EnvironmentDescriptor {
  return {
    kind: 'null',
    backendDigest: sha256Hex('null-environment-v1'),
    contentDigest: sha256Hex(''),
    configurationDigest: canonicalDigest({ form: 'null-config-v1', slots: slotIds }),
    stepDuration: GAME_BOY_STEP,
    ports: [{ portId: GAME_BOY_PORT, buttons: GAME_BOY_BUTTONS, axes: [] }],
    inspectionSchema: INSPECTION_SCHEMA,
    views: [
      {
        viewId: 'lcd',
        widthPx: WIDTH_PX,
        heightPx: HEIGHT_PX,
        pixelAspect: { numerator: 1, denominator: 1 },
        observationDelaySteps: 0,
      },
    ],
    audio: [{ streamId: 'gameboy', sampleRateHz: SAMPLE_RATE_HZ, channels: CHANNELS }],
    recovery: 'exact-checkpoint',
    determinism: 'fixed-build',
  };
}

function buttonMask(batch: ControlBatch): number {
  const [port] = batch.ports;
  if (batch.ports.length !== 1 || port!.portId !== GAME_BOY_PORT || port!.buttons.length !== GAME_BOY_BUTTONS.length) {
    throw new InvariantError('CONTROL_BATCH', `${batch.batchId}: the null world takes one whole Game Boy joypad.`);
  }
  return port!.buttons.reduce((mask, isDown, bit) => (isDown ? mask | (1 << bit) : mask), 0);
}

type Buffers = { readonly frame: Uint8Array; readonly image: Uint8Array; readonly audio: Float32Array };

function createBuffers(): Buffers {
  return {
    frame: new Uint8Array(WIDTH_PX * HEIGHT_PX * 4),
    image: new Uint8Array(IMAGE_BYTES).fill(0xff),
    audio: new Float32Array(MAX_AUDIO_FRAMES * CHANNELS),
  };
}

/** A flat grey whose brightness counts steps; a quiet square wave whose length follows the world's time exactly. */
function fillObservation({ frame, image, audio }: Buffers, state: NullState, isPlayed: boolean): Observation {
  const { steps, hash, mask } = state;
  frame.fill(steps & 0xff);
  for (let at = 3; at < frame.length; at += 4) frame[at] = 255;
  const view = new DataView(image.buffer);
  view.setUint32(0xc000, steps, true);
  view.setUint32(0xc004, hash, true);
  image[0xc008] = mask;
  const first = isPlayed ? samplesUntil(steps - 1) : 0;
  const frames = isPlayed ? samplesUntil(steps) - first : 0;
  for (let i = 0; i < frames * CHANNELS; i++) audio[i] = ((first + (i >> 1)) & 64) === 0 ? 0.1 : -0.1;
  return {
    engineFrame: String(steps + 1),
    views: [frame],
    audio: [audio.subarray(0, frames * CHANNELS)],
    inspection: image,
  };
}

function samplesUntil(steps: number): number {
  const { numerator, denominator } = multiplyRational(GAME_BOY_STEP, BigInt(steps));
  return Number((numerator * BigInt(SAMPLE_RATE_HZ)) / (denominator * 1_000_000_000n));
}

function parseSaved(bytes: Uint8Array): Saved {
  try {
    const saved = parseStrictJson(bytes) as Partial<Saved> | null;
    if (saved?.form === 'null-state-v1' && saved.world !== undefined && saved.slots !== undefined)
      return saved as Saved;
  } catch (cause) {
    throw refused(cause);
  }
  throw refused(undefined);
}

function refused(cause: unknown): DataError {
  return new DataError('ENVIRONMENT_STATE', 'environment state: not one of the null world; take another checkpoint.', {
    cause,
  });
}
