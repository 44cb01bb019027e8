import { isId } from '../../../engine/identity/scalars.ts';
import { packCapture, refuseCapture, unpackCapture } from '../capture-container.ts';
import type { CaptureIdentity } from '../capture-container.ts';
import { STATE_BYTES, STATE_MAGIC, WORD, readState } from './state-map.ts';

export type ArenaCapture = {
  /** Steps since the arena was opened, over all its matches; as decimal text. */
  readonly engineFrame: string;
  readonly world: Int32Array;
  readonly slots: ReadonlyMap<string, Int32Array>;
};

/** Of the header; its blocks are the state block (state-map.ts), and one more per slot. */
type ArenaFields = {
  /** Ids of the filled slots in id order. */
  readonly slots: readonly string[];
};

const FORMAT = {
  magic: 'FLYARENA',
  name: 'a capture of the arena',
  meaning: {
    backendDigest: 'the arena build',
    contentDigest: 'the content',
    configurationDigest: 'the configuration (players, slots)',
  },
} as const;

export function encodeArena(identity: CaptureIdentity, { engineFrame, world, slots }: ArenaCapture): Uint8Array {
  const inOrder = [...slots].sort(([a], [b]) => (a < b ? -1 : 1));
  const blocks = [world, ...inOrder.map(([, state]) => state)];
  return packCapture(
    FORMAT,
    identity,
    { engineFrame, slots: inOrder.map(([slotId]) => slotId) },
    blocks.map(({ buffer, byteOffset }) => new Uint8Array(buffer, byteOffset, STATE_BYTES)),
  );
}

/** The blocks are copies. @throws DataError ENVIRONMENT_STATE, naming what disagrees */
export function decodeArena(identity: CaptureIdentity, bytes: Uint8Array): ArenaCapture {
  const { header, blocks } = unpackCapture<ArenaFields>(
    FORMAT,
    identity,
    bytes,
    ({ slots }) => Array.isArray(slots) && slots.every(isId),
  );
  if (blocks.byteLength !== (1 + header.slots.length) * STATE_BYTES) {
    throw refuseCapture('its header disagrees with its length');
  }
  const block = (index: number): Int32Array => {
    const state = readState(blocks.slice(index * STATE_BYTES, (index + 1) * STATE_BYTES));
    if (state[WORD.magic] !== STATE_MAGIC) throw refuseCapture(`block ${index} is not a state of the arena`);
    return state;
  };
  return {
    engineFrame: header.engineFrame,
    world: block(0),
    slots: new Map(header.slots.map((slotId, i) => [slotId, block(i + 1)])),
  };
}
