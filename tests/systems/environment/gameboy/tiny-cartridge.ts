/**
 * A cartridge written by hand, byte by byte, so that no test depends on a game. It counts frames at $C000, copies the
 * joypad to $C001 (low nibble directions, high nibble buttons, 1 = down) and $FF81, and scrolls a striped picture.
 */
export type TinyCartridgeOptions = {
  readonly title?: string;
  readonly type?: number;
  readonly romCode?: number;
  readonly ramCode?: number;
  /** Bytes put at $0150 instead of the joypad program. */
  readonly program?: readonly number[];
  readonly cgbFlag?: number;
};

export function createTinyCartridge(options: TinyCartridgeOptions = {}): Uint8Array {
  const { title = 'TINY', type = 0x00, romCode = 0, ramCode = 0, program = JOYPAD_PROGRAM, cgbFlag = 0 } = options;
  const rom = new Uint8Array(0x8000 << romCode);
  for (let bank = 1; bank * 0x4000 < rom.length; bank++) rom.fill(bank, bank * 0x4000, (bank + 1) * 0x4000);
  rom.set([0xd9], 0x40); // VBlank interrupt: RETI
  rom.set([0x00, 0xc3, 0x50, 0x01], 0x100); // NOP; JP $0150
  rom.set(new TextEncoder().encode(title), 0x134);
  if (cgbFlag !== 0) rom[0x143] = cgbFlag;
  rom[0x147] = type;
  rom[0x148] = romCode;
  rom[0x149] = ramCode;
  rom.set(program, 0x150);
  return sealHeader(rom);
}

/** Writes both checksums. */
export function sealHeader(rom: Uint8Array): Uint8Array {
  let header = 0;
  for (let at = 0x134; at <= 0x14c; at++) header = (header - rom[at]! - 1) & 0xff;
  rom[0x14d] = header;
  let global = 0;
  for (let at = 0; at < rom.length; at++) if (at !== 0x14e && at !== 0x14f) global = (global + rom[at]!) & 0xffff;
  rom[0x14e] = global >> 8;
  rom[0x14f] = global & 0xff;
  return rom;
}

// prettier-ignore
const JOYPAD_PROGRAM: readonly number[] = [
  0x31, 0xfe, 0xff,       // LD SP,$FFFE
  0xaf, 0xe0, 0x40,       // XOR A; LDH (LCDC),A       screen off
  0x21, 0x00, 0xc0,       // LD HL,$C000
  0x77, 0x23, 0x77,       // LD (HL),A; INC HL; LD (HL),A
  0x21, 0x00, 0x80,       // LD HL,$8000               two tiles of stripes in four shades
  0x06, 0x10,             // LD B,16
  0x3e, 0x33, 0x22,       // LD A,$33; LD (HL+),A
  0x3e, 0x0f, 0x22,       // LD A,$0F; LD (HL+),A
  0x05, 0x20, 0xf7,       // DEC B; JR NZ,-9
  0x3e, 0xe4, 0xe0, 0x47, // LD A,$E4; LDH (BGP),A
  0x3e, 0x80, 0xe0, 0x26, // LD A,$80; LDH (NR52),A    sound on
  0x3e, 0x77, 0xe0, 0x24, // LD A,$77; LDH (NR50),A
  0x3e, 0xff, 0xe0, 0x25, // LD A,$FF; LDH (NR51),A
  0x3e, 0x80, 0xe0, 0x11, // LD A,$80; LDH (NR11),A
  0x3e, 0xf0, 0xe0, 0x12, // LD A,$F0; LDH (NR12),A
  0x3e, 0x83, 0xe0, 0x13, // LD A,$83; LDH (NR13),A
  0x3e, 0x87, 0xe0, 0x14, // LD A,$87; LDH (NR14),A
  0x3e, 0x01, 0xe0, 0xff, // LD A,1; LDH (IE),A
  0x3e, 0x91, 0xe0, 0x40, // LD A,$91; LDH (LCDC),A    screen on
  0xfb,                   // EI
  // loop:
  0x76, 0x00,             // HALT; NOP
  0x21, 0x00, 0xc0, 0x34, // LD HL,$C000; INC (HL)
  0x7e, 0xe0, 0x43,       // LD A,(HL); LDH (SCX),A
  0x3e, 0x20, 0xe0, 0x00, // LD A,$20; LDH (JOYP),A    directions
  0xf0, 0x00, 0xf0, 0x00, // LDH A,(JOYP) twice
  0x2f, 0xe6, 0x0f, 0x47, // CPL; AND $0F; LD B,A
  0x3e, 0x10, 0xe0, 0x00, // LD A,$10; LDH (JOYP),A    buttons
  0xf0, 0x00, 0xf0, 0x00,
  0x2f, 0xe6, 0x0f,       // CPL; AND $0F
  0xcb, 0x37, 0xb0,       // SWAP A; OR B
  0x23, 0x77, 0xe0, 0x81, // INC HL; LD (HL),A; LDH ($81),A
  0x18, 0xd7,             // JR loop
];
