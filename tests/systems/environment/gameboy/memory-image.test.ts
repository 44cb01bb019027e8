import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../../engine/identity/digest.ts';
import { parseCartridgeHeader } from '../../../../systems/environment/gameboy/cartridge-header.ts';
import { coreOptions } from '../../../../systems/environment/gameboy/core-options.ts';
import { openEmulator } from '../../../../systems/environment/gameboy/emulator.ts';
import type { Emulator } from '../../../../systems/environment/gameboy/emulator.ts';
import { MEMORY_IMAGE_BYTES, createMemoryReader } from '../../../../systems/environment/gameboy/memory-image.ts';
import type { MemoryReader } from '../../../../systems/environment/gameboy/memory-image.ts';
import { LibretroButton, openCore } from '../../../../systems/environment/libretro/open-core.ts';
import type { LibretroCore } from '../../../../systems/environment/libretro/open-core.ts';
import { DEFAULT_LCD_PALETTE } from '../../../../systems/environment/gameboy/screen-colours.ts';
import { provideTestCore, titleWithCore } from '../provide-test-core.ts';
import { createTinyCartridge } from './tiny-cartridge.ts';
import type { TinyCartridgeOptions } from './tiny-cartridge.ts';

const core = await provideTestCore();

/** Byte steps of a program: each waits about 26 frames, then stores one byte. */
// prettier-ignore
const store = (value: number, address: number): number[] =>
  [0x3e, value, 0xea, address & 0xff, address >> 8]; // LD A,value; LD (address),A
const WAIT: readonly number[] = [0x01, 0, 0, 0x0b, 0x78, 0xb1, 0x20, 0xfb]; // LD BC,0; DEC BC; LD A,B; OR C; JR NZ,-5
const STOP: readonly number[] = [0x18, 0xfe]; // JR -2
const WAIT_FRAMES = 27;

function openWith(rom: TinyCartridgeOptions): Emulator {
  const bytes = createTinyCartridge(rom);
  const cartridge = { ...parseCartridgeHeader(bytes, 'tiny.gb'), bytes };
  const emulator = openEmulator({ corePath: core.path!, cartridge, palette: DEFAULT_LCD_PALETTE });
  emulator.reset();
  return emulator;
}

type Machine = {
  readonly core: LibretroCore;
  /** Everything heard since the start. */
  readonly samples: number[];
  /** A cold start. */
  begin(): void;
  reader(): MemoryReader;
  /** Digest of the exported state. */
  save(): string;
  /** Digest of pictures and sound since it was last asked. */
  takeOutput(): string;
};

/** The bare core with a reader beside it, so that a read can be left out. One core lives in a process at a time. */
function openMachine(rom: TinyCartridgeOptions): Machine {
  const content = createTinyCartridge(rom);
  const cartridge = parseCartridgeHeader(content, 'tiny.gb');
  content.set([0xce, 0xed, 0x66, 0x66], 0x104); // what mGBA knows a Game Boy cartridge by
  const samples: number[] = [];
  let output = Buffer.alloc(0);
  const machine = openCore({
    corePath: core.path!,
    content,
    contentName: 'cartridge.gb',
    coreOptions: coreOptions(cartridge),
    onVideo: (pixels) => (output = Buffer.concat([output, pixels])),
    onAudio: (heard) => {
      samples.push(...heard);
      output = Buffer.concat([output, new Uint8Array(heard.slice().buffer)]);
    },
  });
  let reader: MemoryReader | null = null;
  return {
    core: machine,
    samples,
    begin() {
      machine.loadGame();
      machine.serialize();
      reader = createMemoryReader(machine, cartridge);
      samples.length = 0;
      output = Buffer.alloc(0);
    },
    reader: () => reader!,
    save: () => sha256Hex(machine.serialize()),
    takeOutput() {
      const digest = sha256Hex(output);
      output = Buffer.alloc(0);
      return digest;
    },
  };
}

function wait(emulator: Emulator): Uint8Array {
  for (let frame = 0; frame < WAIT_FRAMES; frame++) emulator.runFrame(0);
  return emulator.memory;
}

describe.skipIf(core.missing !== null)(titleWithCore('the memory image (session.md 10)', core), () => {
  test('follows ROM and RAM banks, and reads $FF from RAM that is switched off', () => {
    const emulator = openWith({
      type: 0x1b,
      romCode: 3,
      ramCode: 3,
      program: [
        ...store(0x0a, 0x0000), // RAM on
        ...store(0x11, 0xa000),
        ...store(0x05, 0x2000), // ROM bank 5
        ...WAIT,
        ...store(0x02, 0x4000), // RAM bank 2
        ...store(0x22, 0xa000),
        ...store(0x0f, 0x2000),
        ...WAIT,
        ...store(0x00, 0x0000), // RAM off
        ...WAIT,
        ...STOP,
      ],
    });
    expect(emulator.memory[0x4000]).toBe(1);
    expect(emulator.memory[0xa000]).toBe(0xff);
    emulator.runFrame(0);
    emulator.runFrame(0);
    expect([emulator.memory[0x4000], emulator.memory[0x7fff], emulator.memory[0xa000]]).toEqual([5, 5, 0x11]);
    const second = wait(emulator);
    expect([second[0x4000], second[0x7fff], second[0xa000], second[0xa001]]).toEqual([15, 15, 0x22, 0xff]);
    const third = wait(emulator);
    expect([third[0x4000], third[0xa000]]).toEqual([15, 0xff]);
  });

  test('shows the upper ROM area at $0000 when an MBC1 cartridge maps it there', () => {
    const emulator = openWith({
      type: 0x01,
      romCode: 5, // 1 MiB: bank $20 can sit at $0000
      // runs from work RAM, because the bank it came from goes away
      program: [
        ...[0x21, 0x70, 0x01, 0x11, 0x00, 0xc0, 0x06, 0x20], // LD HL,$0170; LD DE,$C000; LD B,32
        ...[0x2a, 0x12, 0x13, 0x05, 0x20, 0xfa, 0xc3, 0x00, 0xc0], // copy; JP $C000
        ...new Array<number>(0x20 - 17).fill(0),
        ...store(0x01, 0x4000),
        ...store(0x01, 0x6000),
        ...STOP,
      ],
    });
    expect(emulator.memory[0x0100]).toBe(0x00);
    expect(emulator.memory[0x0150]).toBe(0x21);
    for (let frame = 0; frame < 3; frame++) emulator.runFrame(0);
    expect([emulator.memory[0x0100], emulator.memory[0x0104], emulator.memory[0x4000]]).toEqual([0x20, 0x20, 0x21]);
  });

  test('holds work RAM and its echo, high RAM and IE; video RAM, sprites and registers read $FF', () => {
    const emulator = openWith({
      program: [
        ...store(0x12, 0xc123),
        ...store(0x34, 0xdd00),
        ...store(0x56, 0xdfff),
        ...store(0x78, 0xff80),
        ...store(0x9a, 0xfffe),
        ...store(0x04, 0xffff),
        ...store(0x00, 0xff40), // screen off: video RAM and sprites take writes
        ...store(0x55, 0x8000),
        ...store(0x55, 0xfe00),
        ...STOP,
      ],
    });
    for (let frame = 0; frame < 3; frame++) emulator.runFrame(0);
    const { memory } = emulator;
    expect([memory[0xc123], memory[0xe123]]).toEqual([0x12, 0x12]);
    expect([memory[0xdd00], memory[0xfd00]]).toEqual([0x34, 0x34]);
    expect(memory[0xdfff]).toBe(0x56);
    expect([memory[0xff80], memory[0xfffe], memory[0xffff]]).toEqual([0x78, 0x9a, 0x04]);
    const uncaptured = [...memory.subarray(0x8000, 0xa000), ...memory.subarray(0xfe00, 0xfea0)];
    expect(new Set([...uncaptured, ...memory.subarray(0xff00, 0xff80)])).toEqual(new Set([0xff]));
    expect(new Set(memory.subarray(0xfea0, 0xff00))).toEqual(new Set([0]));
  });

  test('follows the work RAM bank of colour hardware', () => {
    const emulator = openWith({
      cgbFlag: 0xc0,
      program: [...store(0x11, 0xd000), ...store(0x03, 0xff70), ...store(0x33, 0xd000), ...STOP],
    });
    emulator.runFrame(0);
    expect([emulator.memory[0xd000], emulator.memory[0xf000]]).toEqual([0x33, 0x33]);
  });

  test('shows the cartridge as its file is, boot picture bytes included', () => {
    const bytes = createTinyCartridge();
    const emulator = openWith({});
    emulator.runFrame(0);
    expect(emulator.memory.slice(0, 0x8000)).toEqual(bytes);
  });

  test('MED-05 a read between two saves changes no byte of them', () => {
    const machine = openMachine({ type: 0x1b, ramCode: 3 });
    machine.begin();
    const image = new Uint8Array(MEMORY_IMAGE_BYTES);
    for (let frame = 0; frame < 60; frame++) {
      machine.core.runFrame(frame % 3 === 0 ? 1 << LibretroButton.a : 0);
      const before = machine.save();
      machine.reader().readInto(image);
      expect(machine.save()).toBe(before);
    }
    expect(image[0xc000]).toBe(60); // it is memory of this machine that was read: the cartridge counts frames there
  });

  test('MED-05 frames with reads equal frames without, in state, picture and sound', () => {
    const machine = openMachine({ type: 0x1b, ramCode: 3 });
    const image = new Uint8Array(MEMORY_IMAGE_BYTES);
    const play = (reads: number): string[] => {
      machine.begin();
      return Array.from({ length: 120 }, (_, frame) => {
        machine.core.runFrame((frame * 37) & 0x1ff);
        for (let read = 0; read < reads; read++) machine.reader().readInto(image);
        return `${machine.save()} ${machine.takeOutput()}`;
      });
    };
    const without = play(0);
    expect(new Set(without).size).toBe(120);
    expect(play(3)).toEqual(without);
  });

  test("MED-04 the core's signed 16-bit samples become sample / 32768, unfiltered (docs/decisions/0011)", () => {
    const emulator = openWith({});
    const converted: number[] = [];
    for (let frame = 0; frame < 30; frame++) {
      emulator.runFrame(0);
      converted.push(...emulator.audio.subarray(0, emulator.audioFrames() * 2));
    }
    const machine = openMachine({});
    machine.begin();
    for (let frame = 0; frame < 30; frame++) machine.core.runFrame(0);
    expect(machine.samples.some((sample) => sample !== 0)).toBe(true);
    expect(converted).toEqual(machine.samples.map((sample) => sample / 32_768));
  });

  test('cartridge RAM goes back with a state, is live afterwards, and is erased by a cold start', () => {
    const count = [0x21, 0x00, 0xa0, 0x34, 0x18, 0xfd]; // LD HL,$A000; INC (HL); JR -3
    const emulator = openWith({ type: 0x1b, ramCode: 3, program: [...store(0x0a, 0x0000), ...count] });
    emulator.runFrame(0);
    const state = emulator.save();
    const then = emulator.memory[0xa000]!;
    const play = (): (number | undefined)[] =>
      Array.from({ length: 20 }, () => {
        emulator.runFrame(0);
        return emulator.memory[0xa000];
      });
    const future = play();
    expect(new Set(future).size).toBeGreaterThan(10);
    emulator.load(state);
    expect(emulator.memory[0xa000]).toBe(then);
    expect(play()).toEqual(future);
    emulator.reset();
    emulator.runFrame(0);
    expect(emulator.memory[0xa000]).toBe(then);
  });

  test('a state of another size is refused and the machine goes on as before', () => {
    const emulator = openWith({ type: 0x1b, ramCode: 3 });
    for (let frame = 0; frame < 5; frame++) emulator.runFrame(0);
    const state = emulator.save();
    const memory = emulator.memory.slice();
    for (const wrong of [
      { ...state, core: state.core.slice(1) },
      { ...state, ram: new Uint8Array(3) },
      { ...state, core: new Uint8Array(state.core.byteLength) },
    ]) {
      expect(() => emulator.load(wrong)).toThrow(expect.objectContaining({ code: 'ENVIRONMENT_STATE' }) as Error);
    }
    expect(emulator.memory).toEqual(memory);
    expect(sha256Hex(emulator.save().core)).toBe(sha256Hex(state.core));
  });
});
