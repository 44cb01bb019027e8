import { InvariantError } from '../../../engine/errors.ts';
import type { Attachment, WireMessage } from '../../../engine/replica/wire.ts';
import type { Capture, MachineState } from './capture-format.ts';

/** How machines travel between an emulator child and its parent: three attachments each, in the order of `slotIds`. */
export type MachineWire = {
  /** One entry a machine: null is the world, the rest are slots. */
  readonly fields: { readonly slotIds: readonly (string | null)[] };
  readonly attachments: readonly Attachment[];
};

export function captureToWire({ world, slots }: Pick<Capture, 'world' | 'slots'>): MachineWire {
  const machines: [string | null, MachineState][] = [[null, world], ...slots];
  return {
    fields: { slotIds: machines.map(([slotId]) => slotId) },
    attachments: machines.flatMap(([, { core, ram, frame }], index) =>
      [core, ram, frame].map((bytes) => ({ kind: 'state' as const, index, bytes })),
    ),
  };
}

/** @throws InvariantError EMULATOR_REQUEST when an attachment is missing */
export function wireToCapture(message: WireMessage, engineFrame: string): Capture {
  const slotIds = message.header.slotIds as readonly (string | null)[];
  const slots = new Map<string, MachineState>();
  let world: MachineState | null = null;
  for (const [index, slotId] of slotIds.entries()) {
    const [core, ram, frame] = message.attachments.slice(index * 3, index * 3 + 3);
    if (core === undefined || ram === undefined || frame === undefined) break;
    const machine = { core: core.bytes, ram: ram.bytes, frame: frame.bytes };
    if (slotId === null) world = machine;
    else slots.set(slotId, machine);
  }
  if (world !== null && slots.size === slotIds.length - 1) return { engineFrame, world, slots };
  throw new InvariantError('EMULATOR_REQUEST', `${message.header.type}: a machine state is missing.`);
}
