import { isId } from '../../../engine/identity/scalars.ts';
import { packCapture, refuseCapture, unpackCapture } from '../capture-container.ts';
import type { CaptureIdentity } from '../capture-container.ts';

/** A whole console: the core's save state, the cartridge RAM beside it, and the picture that was on screen. */
export type MachineState = { readonly core: Uint8Array; readonly ram: Uint8Array; readonly frame: Uint8Array };

export type Capture = {
  readonly engineFrame: string;
  readonly world: MachineState;
  /** Filled slots by their id. */
  readonly slots: ReadonlyMap<string, MachineState>;
};

/** Of the header; its blocks are core state, cartridge RAM and RGBA picture of each machine. */
type ConsoleFields = {
  /** The world (`slotId` null), then the filled slots in id order. */
  readonly machines: readonly { slotId: string | null; coreBytes: number; ramBytes: number; frameBytes: number }[];
};

const FORMAT = {
  magic: 'FLYEMU01',
  name: 'an emulator capture',
  meaning: {
    backendDigest: 'the emulator core',
    contentDigest: 'the cartridge',
    configurationDigest: 'the configuration',
  },
} as const;

export function encodeCapture(identity: CaptureIdentity, { engineFrame, world, slots }: Capture): Uint8Array {
  const inOrder = [...slots].sort(([a], [b]) => (a < b ? -1 : 1));
  const machines: [string | null, MachineState][] = [[null, world], ...inOrder];
  const fields: ConsoleFields & { engineFrame: string } = {
    engineFrame,
    machines: machines.map(([slotId, { core, ram, frame }]) => ({
      slotId,
      coreBytes: core.byteLength,
      ramBytes: ram.byteLength,
      frameBytes: frame.byteLength,
    })),
  };
  return packCapture(
    FORMAT,
    identity,
    fields,
    machines.flatMap(([, { core, ram, frame }]) => [core, ram, frame]),
  );
}

/** The machines' arrays are views into `bytes`. @throws DataError ENVIRONMENT_STATE, naming what disagrees */
export function decodeCapture(identity: CaptureIdentity, bytes: Uint8Array): Capture {
  const { header, blocks } = unpackCapture<ConsoleFields>(
    FORMAT,
    identity,
    bytes,
    ({ machines }) => Array.isArray(machines) && machines.every(isMachineHeader),
  );
  let at = 0;
  const take = (byteLength: number): Uint8Array => blocks.subarray(at, (at += byteLength));
  let world: MachineState | null = null;
  const slots = new Map<string, MachineState>();
  for (const { slotId, coreBytes, ramBytes, frameBytes } of header.machines) {
    const machine = { core: take(coreBytes), ram: take(ramBytes), frame: take(frameBytes) };
    if (slotId === null) world = machine;
    else slots.set(slotId, machine);
  }
  if (world === null || at !== blocks.byteLength) throw refuseCapture('its header disagrees with its length');
  return { engineFrame: header.engineFrame, world, slots };
}

function isMachineHeader(machine: unknown): boolean {
  const { slotId, coreBytes, ramBytes, frameBytes } = (machine ?? {}) as Record<string, unknown>;
  const areLengths = [coreBytes, ramBytes, frameBytes].every(
    (length) => Number.isSafeInteger(length) && Number(length) >= 0,
  );
  return (slotId === null || isId(slotId)) && areLengths;
}
