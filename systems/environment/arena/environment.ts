import type {
  ControlBatch,
  Environment,
  EnvironmentModule,
  Observation,
  OpenEnvironmentOptions,
} from '../../../engine/contract/environment.ts';
import { ConfigError, DataError, DeviceError, InvariantError } from '../../../engine/errors.ts';
import { notBegun, requireSlot } from '../refusals.ts';
import { createMatch } from './begin-match.ts';
import { decodeArena, encodeArena } from './capture-format.ts';
import {
  ARENA_BUTTONS,
  ARENA_PORTS,
  HEIGHT_PX,
  WIDTH_PX,
  describeArena,
  digestArenaSources,
} from './describe-arena.ts';
import { createArenaPicture } from './draw-arena.ts';
import { MAX_SAMPLES, playStep } from './sound.ts';
import { STATE_BYTES, WORD } from './state-map.ts';
import { stepArena } from './step-arena.ts';

/**
 * An orchard for two to four flies, without a cartridge. It runs in this process: nothing native can crash.
 * `boot` begins the next match; the first is match 1.
 */
export const environmentModule: EnvironmentModule = {
  kind: 'arena',
  open: async (options) => createArena(options, await digestArenaSources()),
};

/** Spec: session.md 13. */
const MAX_SLOTS = 4;
/** Without word from the show, a duel. */
const DUEL_PORTS = ARENA_PORTS.slice(0, 2);

/** @throws ConfigError CONTENT_PATH, SLOTS, ARENA_PORTS */
export function createArena(
  options: Pick<OpenEnvironmentOptions, 'environmentId' | 'contentPath' | 'slotIds' | 'portIds'>,
  backendDigest: string,
): Environment {
  const { environmentId, slotIds } = options;
  refuseBadOptions(options);
  const players = (options.portIds ?? DUEL_PORTS).length;
  const descriptor = describeArena({ backendDigest, players, slotIds });
  const picture = createArenaPicture(players);
  const buffers = [createBuffers(), createBuffers()] as const;
  const buttons = new Int32Array(players);
  let turn = 0;
  let state: Int32Array | null = null;
  let matchesBegun = 0;
  let engineFrame = 0n;
  let slots = new Map<string, Int32Array>();
  let isClosed = false;

  const begun = (): Int32Array => {
    if (isClosed) throw new DeviceError('ENVIRONMENT_DEAD', `${environmentId} was closed.`);
    if (state !== null) return state;
    throw notBegun(environmentId);
  };
  const declaredSlot = (slotId: string): string => requireSlot(environmentId, slotIds, slotId);
  /** Everything handed out is a copy: the world goes on while the receiver still reads it. */
  const observe = (world: Int32Array, isPlayed: boolean): Observation => {
    turn ^= 1;
    const { frame, words, block, audio } = buffers[turn]!;
    const frames = isPlayed ? playStep(world, audio) : 0;
    picture.draw(world, words);
    block.set(world);
    return {
      engineFrame: String(engineFrame),
      views: [frame],
      audio: [audio.subarray(0, 2 * frames)],
      inspection: new Uint8Array(block.buffer),
    };
  };

  return {
    descriptor,
    boot: () =>
      settle(() => {
        if (isClosed) begun();
        matchesBegun += 1;
        state = createMatch(players, matchesBegun);
        return observe(state, false);
      }),
    advance: (batch) =>
      settle(() => {
        const world = begun();
        readButtons(batch, players, buttons);
        stepArena(world, buttons);
        engineFrame += 1n;
        return observe(world, true);
      }),
    capture: () => settle(() => encodeArena(descriptor, { engineFrame: String(engineFrame), world: begun(), slots })),
    restore: (bytes) =>
      settle(() => {
        if (isClosed) begun();
        const capture = decodeArena(descriptor, bytes);
        state = capture.world;
        slots = new Map(capture.slots);
        engineFrame = BigInt(capture.engineFrame);
        matchesBegun = state[WORD.matchNumber]!;
        return observe(state, false);
      }),
    saveSlot: (slotId) =>
      settle(() => {
        slots.set(declaredSlot(slotId), begun().slice());
      }),
    restoreSlot: (slotId) =>
      settle(() => {
        begun();
        const slot = slots.get(declaredSlot(slotId));
        if (slot === undefined) {
          throw new DataError(
            'SLOT_EMPTY',
            `${environmentId}: slot ${slotId} holds nothing yet; restore a checkpoint.`,
          );
        }
        state = slot.slice();
        return observe(state, false);
      }),
    restart: () =>
      settle(() => {
        isClosed = false;
        state = null;
        slots = new Map();
        matchesBegun = 0;
        engineFrame = 0n;
      }),
    close: () =>
      settle(() => {
        isClosed = true;
      }),
  };
}

/** What `run` returns or throws, as a promise. */
function settle<T>(run: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(run());
  });
}

function refuseBadOptions({
  environmentId,
  contentPath,
  slotIds,
  portIds = DUEL_PORTS,
}: Pick<OpenEnvironmentOptions, 'environmentId' | 'contentPath' | 'slotIds' | 'portIds'>): void {
  if (contentPath !== null) {
    throw new ConfigError(
      'CONTENT_PATH',
      `${environmentId}: the arena needs no file, the show names ${contentPath}; remove environment.content.`,
    );
  }
  if (slotIds.length > MAX_SLOTS || new Set(slotIds).size !== slotIds.length) {
    throw new ConfigError(
      'SLOTS',
      `${environmentId}: slots ${slotIds.join(', ')}; name at most ${MAX_SLOTS}, each once.`,
    );
  }
  const expected = ARENA_PORTS.slice(0, portIds.length);
  if (portIds.length < 2 || [...portIds].sort().join() !== expected.join()) {
    throw new ConfigError(
      'ARENA_PORTS',
      `${environmentId}: agents play on ${portIds.join(', ') || 'no port'}; the arena has two to four players, on ` +
        `player-1, player-2 and so on without a gap. Correct agents.port in the show.`,
    );
  }
}

/** @throws InvariantError CONTROL_BATCH unless every port comes whole and in order: a world never fills in a press */
function readButtons(batch: ControlBatch, players: number, buttons: Int32Array): void {
  const { ports } = batch;
  let isComplete = ports.length === players;
  for (let i = 0; isComplete && i < players; i++) {
    const port = ports[i]!;
    isComplete =
      port.portId === ARENA_PORTS[i] && port.buttons.length === ARENA_BUTTONS.length && port.axes.length === 0;
  }
  if (!isComplete) {
    const got = ports.map(({ portId, buttons: held, axes }) => `${portId} ${held.length}/${axes.length}`).join(', ');
    throw new InvariantError(
      'CONTROL_BATCH',
      `${batch.batchId}: the arena takes ${players} whole joypads in port order, got ${got || 'none'}.`,
    );
  }
  for (let i = 0; i < players; i++) {
    const held = ports[i]!.buttons;
    let mask = 0;
    for (let bit = 0; bit < held.length; bit++) if (held[bit] === true) mask |= 1 << bit;
    buttons[i] = mask;
  }
}

/** One of two sets: what boundary k returned stays as it is until boundary k + 2 is read. */
type Buffers = {
  readonly frame: Uint8Array;
  /** The same bytes as `frame`. */
  readonly words: Uint32Array;
  readonly block: Int32Array;
  readonly audio: Float32Array;
};

function createBuffers(): Buffers {
  const frame = new Uint8Array(WIDTH_PX * HEIGHT_PX * 4);
  return {
    frame,
    words: new Uint32Array(frame.buffer),
    block: new Int32Array(STATE_BYTES / 4),
    audio: new Float32Array(2 * MAX_SAMPLES),
  };
}
