import { expect, test } from 'vitest';
import { createScreenConverter } from '../../../../systems/environment/gameboy/screen-colours.ts';
import { DEFAULT_LCD_PALETTE } from '../../../../systems/environment/gameboy/screen-colours.ts';

const WIDTH_PX = 160;
const HEIGHT_PX = 144;

test('the four greys become the four shades of the show, whatever the pixel format', () => {
  const shades = [0xe8efc4ff, 0xa3bf6cff, 0x4a7a58ff, 0x16291fff];
  const greys = [255, 170, 85, 0];
  const rgb565 = greys.map((grey) => ((grey >> 3) << 11) | ((grey >> 2) << 5) | (grey >> 3));
  const rgb1555 = greys.map((grey) => ((grey >> 3) << 10) | ((grey >> 3) << 5) | (grey >> 3));
  const xrgb8888 = greys.map((grey) => (grey << 16) | (grey << 8) | grey);
  expect(convert16('rgb565', rgb565)).toEqual(shades);
  expect(convert16('rgb1555', rgb1555)).toEqual(shades);
  const wide = new Uint32Array(WIDTH_PX * HEIGHT_PX);
  wide.set(xrgb8888);
  const frame = new Uint32Array(WIDTH_PX * HEIGHT_PX);
  createScreenConverter('xrgb8888', DEFAULT_LCD_PALETTE)(new Uint8Array(wide.buffer), WIDTH_PX * 4, frame);
  expect(rgba(frame, 4)).toEqual(shades);
});

test('without a palette, colours widen to eight bits and full stays full', () => {
  const pixels = new Uint16Array(256 * HEIGHT_PX);
  pixels.set([0xffff, 0xf800, 0x07e0, 0x001f, 0x8410]);
  const frame = new Uint32Array(WIDTH_PX * HEIGHT_PX);
  createScreenConverter('rgb565', null)(new Uint8Array(pixels.buffer), 512, frame);
  expect(rgba(frame, 5)).toEqual([0xffffffff, 0xff0000ff, 0x00ff00ff, 0x0000ffff, 0x848284ff]);
});

test('rows are cut at the pitch: padding never reaches the picture', () => {
  const pixels = new Uint16Array(256 * HEIGHT_PX).fill(0xffff);
  for (let y = 0; y < HEIGHT_PX; y++) pixels.fill(0, y * 256 + WIDTH_PX, (y + 1) * 256);
  const frame = new Uint32Array(WIDTH_PX * HEIGHT_PX);
  createScreenConverter('rgb565', DEFAULT_LCD_PALETTE)(new Uint8Array(pixels.buffer), 512, frame);
  expect(new Set(rgba(frame, frame.length))).toEqual(new Set([0xe8efc4ff]));
});

function convert16(format: 'rgb565' | 'rgb1555', values: readonly number[]): number[] {
  const pixels = new Uint16Array(256 * HEIGHT_PX);
  pixels.set(values);
  const frame = new Uint32Array(WIDTH_PX * HEIGHT_PX);
  createScreenConverter(format, DEFAULT_LCD_PALETTE)(new Uint8Array(pixels.buffer), 512, frame);
  return rgba(frame, values.length);
}

/** Bytes R, G, B, A as one number, most significant first. */
function rgba(frame: Uint32Array, count: number): number[] {
  const view = new DataView(frame.buffer);
  return Array.from({ length: count }, (_, i) => view.getUint32(i * 4, false));
}
