import { readFile } from 'node:fs/promises';
import type {
  ControlBatch,
  Environment,
  EnvironmentModule,
  Observation,
  OpenEnvironmentOptions,
} from '../../../engine/contract/environment.ts';
import { systemClock } from '../../../engine/clock.ts';
import type { Clock } from '../../../engine/clock.ts';
import { ConfigError, DataError, DeviceError, InvariantError } from '../../../engine/errors.ts';
import { sha256Hex } from '../../../engine/identity/digest.ts';
import type { WireMessage } from '../../../engine/replica/wire.ts';
import { notBegun, requireSlot } from '../refusals.ts';
import { decodeCapture, encodeCapture } from '../libretro/capture-format.ts';
import { openEmulatorProcess } from '../libretro/emulator-process.ts';
import type { EmulatorProcess } from '../libretro/emulator-process.ts';
import { provideCore } from '../libretro/fetch-core.ts';
import { captureToWire, wireToCapture } from '../libretro/machine-wire.ts';
import { GAME_BOY_BUTTONS, GAME_BOY_PORT, describeGameboy } from './describe-gameboy.ts';
import { MAX_AUDIO_FRAMES } from './emulator.ts';
import { MEMORY_IMAGE_BYTES } from './memory-image.ts';
import { readCartridge } from './read-cartridge.ts';
import { DEFAULT_LCD_PALETTE, FRAME_BYTES } from './screen-colours.ts';
import type { LcdPalette } from './screen-colours.ts';

/** `Environment` with what only a test or an operator's page needs. */
export type GameboyEnvironment = Environment & { readonly emulatorPid: () => number };

export type GameboyDevices = {
  readonly clock: Clock;
  /** Shades of the LCD, lightest first. */
  readonly palette: LcdPalette;
};

export const environmentModule: EnvironmentModule = {
  kind: 'gameboy',
  open: (options) => openGameboy(options, { clock: systemClock, palette: DEFAULT_LCD_PALETTE }),
};

const CHILD_PROGRAM = new URL('./emulator-child.ts', import.meta.url);
/** Spec: session.md 13. */
const MAX_SLOTS = 4;

/**
 * A Game Boy with one cartridge, running in a child process of its own.
 * @throws DataError ROM_* for the cartridge, CORE_REFUSED; ConfigError CONTENT_PATH, SLOTS, CORE_PATH; DeviceError
 * CORE_MISSING, CORE_LOAD, CORE_LAYOUT
 */
export async function openGameboy(
  options: OpenEnvironmentOptions,
  devices: GameboyDevices,
): Promise<GameboyEnvironment> {
  const { environmentId, contentPath, slotIds, report } = options;
  if (contentPath === null) {
    throw new ConfigError('CONTENT_PATH', `${environmentId}: a Game Boy needs a cartridge; set its path in the show.`);
  }
  if (slotIds.length > MAX_SLOTS || new Set(slotIds).size !== slotIds.length) {
    throw new ConfigError(
      'SLOTS',
      `${environmentId}: slots ${slotIds.join(', ')}; name at most ${MAX_SLOTS}, each once.`,
    );
  }
  const cartridge = await readCartridge(contentPath);
  for (const warning of cartridge.warnings) report(warning);
  const core = await provideCore({ coresFolder: options.coresFolder, report });
  const backendDigest = sha256Hex(await readFile(core.path));

  const start = async (): Promise<{ emulator: EmulatorProcess; sampleRateHz: number; coreName: string }> => {
    const emulator = openEmulatorProcess({ environmentId, program: CHILD_PROGRAM, clock: devices.clock });
    try {
      const { header } = await emulator.request('open', { corePath: core.path, palette: devices.palette }, [
        { kind: 'state', index: 0, bytes: cartridge.bytes },
      ]);
      return { emulator, sampleRateHz: Number(header.sampleRateHz), coreName: String(header.coreName) };
    } catch (error) {
      await emulator.close();
      throw error;
    }
  };
  const first = await start();
  report(`${environmentId}: ${cartridge.title || 'untitled cartridge'} on ${first.coreName} (${core.path})`);
  const descriptor = describeGameboy({
    backendDigest,
    cartridge,
    palette: devices.palette,
    slotIds,
    sampleRateHz: first.sampleRateHz,
    bufferFrames: MAX_AUDIO_FRAMES,
  });

  let { emulator } = first;
  let engineFrame: bigint | null = null; // null until `boot` or `restore`
  const buffers = [createBuffers(), createBuffers()] as const;
  let turn = 0;

  const observe = (message: WireMessage): Observation => {
    turn ^= 1;
    return readObservation(message, String(engineFrame), buffers[turn]!);
  };
  const begun = (): bigint => {
    if (engineFrame !== null) return engineFrame;
    throw notBegun(environmentId);
  };
  const declaredSlot = (slotId: string): string => requireSlot(environmentId, slotIds, slotId);

  return {
    descriptor,
    emulatorPid: () => emulator.pid,
    async boot() {
      const answer = await emulator.request('boot');
      engineFrame = 1n; // the set-up frame (spec: session.md 6)
      return observe(answer);
    },
    async advance(batch) {
      const mask = buttonMask(batch);
      const frame = begun();
      const answer = await emulator.request('step', { mask });
      engineFrame = frame + 1n;
      return observe(answer);
    },
    async capture() {
      const frame = begun();
      const capture = wireToCapture(await emulator.request('capture'), String(frame));
      return encodeCapture(descriptor, capture);
    },
    async restore(state) {
      const capture = decodeCapture(descriptor, state);
      const undeclared = [...capture.slots.keys()].find((slotId) => !slotIds.includes(slotId));
      if (undeclared !== undefined) {
        throw new DataError('ENVIRONMENT_STATE', `environment state: slot ${undeclared} is not declared by this show.`);
      }
      const { fields, attachments } = captureToWire(capture);
      const answer = await emulator.request('restore', fields, attachments);
      engineFrame = BigInt(capture.engineFrame);
      return observe(answer);
    },
    async saveSlot(slotId) {
      begun();
      await emulator.request('saveSlot', { slotId: declaredSlot(slotId) });
    },
    async restoreSlot(slotId) {
      begun();
      const answer = await emulator.request('restoreSlot', { slotId: declaredSlot(slotId) });
      if (answer.header.isEmpty !== true) return observe(answer);
      throw new DataError(
        'SLOT_EMPTY',
        `${environmentId}: slot ${slotId} holds nothing yet; restore a checkpoint instead.`,
      );
    },
    async restart() {
      await emulator.close();
      engineFrame = null;
      ({ emulator } = await start());
      report(`${environmentId}: emulator started afresh (pid ${emulator.pid})`);
    },
    close: () => emulator.close(),
  };
}

/** @throws InvariantError CONTROL_BATCH unless it is one complete joypad: a world never fills in a press */
function buttonMask(batch: ControlBatch): number {
  const [port] = batch.ports;
  const isComplete =
    batch.ports.length === 1 &&
    port!.portId === GAME_BOY_PORT &&
    port!.buttons.length === GAME_BOY_BUTTONS.length &&
    port!.axes.length === 0;
  if (!isComplete) {
    throw new InvariantError(
      'CONTROL_BATCH',
      `${batch.batchId}: a Game Boy takes port ${GAME_BOY_PORT} with ${GAME_BOY_BUTTONS.length} buttons and no axis, ` +
        `got ${batch.ports.map(({ portId, buttons, axes }) => `${portId} ${buttons.length}/${axes.length}`).join(', ')}.`,
    );
  }
  let mask = 0;
  for (let i = 0; i < GAME_BOY_BUTTONS.length; i++) if (port!.buttons[i] === true) mask |= 1 << i;
  return mask;
}

/** One of two sets: what boundary k returned stays as it is until boundary k + 2 is read. */
type Buffers = { readonly frame: Uint8Array; readonly memory: Uint8Array; readonly audio: Float32Array };

function createBuffers(): Buffers {
  return {
    frame: new Uint8Array(FRAME_BYTES),
    memory: new Uint8Array(MEMORY_IMAGE_BYTES),
    audio: new Float32Array(MAX_AUDIO_FRAMES * 2),
  };
}

function readObservation(message: WireMessage, engineFrame: string, buffers: Buffers): Observation {
  const [view, memory, audio] = message.attachments;
  if (
    view?.bytes.byteLength !== FRAME_BYTES ||
    memory?.bytes.byteLength !== MEMORY_IMAGE_BYTES ||
    audio === undefined
  ) {
    throw new DeviceError(
      'ENVIRONMENT_ANSWER',
      'the emulator child answered without a whole picture and memory image.',
    );
  }
  buffers.frame.set(view.bytes);
  buffers.memory.set(memory.bytes);
  new Uint8Array(buffers.audio.buffer).set(audio.bytes); // the wire does not align it
  return {
    engineFrame,
    views: [buffers.frame],
    audio: [buffers.audio.subarray(0, audio.bytes.byteLength / 4)],
    inspection: buffers.memory,
  };
}
