import { InvariantError } from '../../../engine/errors.ts';
import type { Attachment, WireMessage } from '../../../engine/replica/wire.ts';
import type { MachineState } from '../libretro/capture-format.ts';
import { captureToWire, wireToCapture } from '../libretro/machine-wire.ts';
import { serveRequests } from '../libretro/serve-requests.ts';
import type { Answer } from '../libretro/serve-requests.ts';
import { parseCartridgeHeader } from './cartridge-header.ts';
import { openEmulator } from './emulator.ts';
import type { Emulator } from './emulator.ts';
import type { LcdPalette } from './screen-colours.ts';

/**
 * The emulator child of one Game Boy: a native core runs here, so that its crash takes nothing else down.
 * Requests, all answered in order: open, boot, step, capture, restore, saveSlot, restoreSlot.
 */
const environmentId = process.argv[2] ?? 'unnamed';
let opened: Emulator | null = null;
let slots: ReadonlyMap<string, MachineState> = new Map();

serveRequests(`fly-emulator-${environmentId}`, {
  open(message) {
    const { corePath, palette } = message.header as unknown as { corePath: string; palette: LcdPalette };
    const bytes = attachment(message, 0);
    const cartridge = { ...parseCartridgeHeader(bytes, 'cartridge'), bytes };
    opened = openEmulator({ corePath, cartridge, palette });
    return { fields: { coreName: opened.coreName, sampleRateHz: opened.sampleRateHz } };
  },
  boot() {
    slots = new Map();
    const emulator = present();
    emulator.reset();
    emulator.runFrame(0); // the declared set-up frame (spec: session.md 6)
    return observe(emulator, false);
  },
  step(message) {
    const emulator = present();
    emulator.runFrame(message.header.mask as number);
    return observe(emulator, true);
  },
  capture: () => captureToWire({ world: present().save(), slots }),
  restore(message) {
    const emulator = present();
    const { world, slots: restored } = wireToCapture(message, '');
    emulator.load(world);
    slots = restored;
    return observe(emulator, false);
  },
  saveSlot(message) {
    slots = new Map([...slots, [String(message.header.slotId), present().save()]]);
    return {};
  },
  restoreSlot(message) {
    const emulator = present();
    const machine = slots.get(String(message.header.slotId));
    if (machine === undefined) return { fields: { isEmpty: true } };
    emulator.load(machine);
    return observe(emulator, false);
  },
});

function present(): Emulator {
  if (opened !== null) return opened;
  throw new InvariantError(
    'ENVIRONMENT_ORDER',
    'the emulator child was asked to play before it was given a cartridge.',
  );
}

/** Picture, memory image and, for a played frame, its sound. */
function observe(emulator: Emulator, isPlayed: boolean): Answer {
  const audioFrames = isPlayed ? emulator.audioFrames() : 0;
  const attachments: Attachment[] = [
    { kind: 'view', index: 0, bytes: emulator.frame },
    { kind: 'state', index: 0, bytes: emulator.memory },
    { kind: 'audio', index: 0, bytes: new Uint8Array(emulator.audio.buffer, 0, audioFrames * 8) },
  ];
  return { attachments };
}

function attachment(message: WireMessage, index: number): Uint8Array {
  const found = message.attachments[index];
  if (found !== undefined) return found.bytes;
  throw new InvariantError('EMULATOR_REQUEST', `${message.header.type}: attachment ${index} is missing.`);
}
