import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDecoder } from '../../../systems/readout/decoder.ts';
import { JOYPAD_BUTTONS, createJoypadPacker, packJoypad, unpackJoypad } from '../../../systems/readout/joypad-mask.ts';
import { decoderPreset } from '../../../systems/readout/presets.ts';

test('buttons carry the published bits (brain.md 8.3)', () => {
  const bits = Object.fromEntries(JOYPAD_BUTTONS.map((button) => [button, packJoypad([button])]));
  expect(bits).toEqual({ up: 1, down: 2, left: 4, right: 8, a: 16, b: 32, start: 64, select: 128 });
});

test('bit i of the mask is button i of the port (session.md 9.3)', () => {
  expect(JOYPAD_BUTTONS).toEqual(['up', 'down', 'left', 'right', 'a', 'b', 'start', 'select']);
});

test('names that are no button add nothing (brain.md 8.3)', () => {
  expect(packJoypad(['macro_talk', 'toString', 'a', 'a'])).toBe(16);
});

test('unpacking a mask and packing it again gives the mask', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 255 }), (mask) => packJoypad(unpackJoypad(mask)) === mask));
});

test('the packer reads channels by name, so the platformer order gives the same bits', () => {
  const { channels } = createDecoder(decoderPreset('platformer'), []);
  const active = Uint8Array.from(channels, ({ channel }) => (['right', 'b'].includes(channel) ? 1 : 0));
  expect(createJoypadPacker(channels)(active)).toBe(40);
});

test('macro channels have no bit', () => {
  const { channels } = createDecoder(decoderPreset('gameboy-macros'), []);
  expect(createJoypadPacker(channels)(new Uint8Array(channels.length).fill(1))).toBe(255);
});
