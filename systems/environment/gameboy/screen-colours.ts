import type { PixelFormat } from '../libretro/environment-calls.ts';

/** The four shades of the LCD, lightest first, as 0xRRGGBB. */
export type LcdPalette = readonly [number, number, number, number];

/** The show's game shades (design/mockups, game shades). Part of the environment's configuration. */
export const DEFAULT_LCD_PALETTE: LcdPalette = [0xe8efc4, 0xa3bf6c, 0x4a7a58, 0x16291f];

export const SCREEN_WIDTH_PX = 160;
export const SCREEN_HEIGHT_PX = 144;
export const FRAME_BYTES: number = SCREEN_WIDTH_PX * SCREEN_HEIGHT_PX * 4;

/**
 * Converts the core's pixels to RGBA.
 * @param pixels `pitchBytes * 144` bytes of the core
 * @param frame out, `FRAME_BYTES`, every byte is written
 */
export type ConvertScreen = (pixels: Uint8Array<ArrayBuffer>, pitchBytes: number, frame: Uint32Array) => void;

/**
 * With a palette, each pixel becomes the shade whose grey is nearest, so that exactly four colours come out whatever
 * greys a core draws. Without one (colour hardware), five and six bits widen to eight by repeating their top bits.
 */
export function createScreenConverter(format: PixelFormat, palette: LcdPalette | null): ConvertScreen {
  if (format === 'xrgb8888') {
    const lookup = createLookup((key) => rgb565(key), palette);
    return (pixels, pitchBytes, frame) => {
      const source = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.byteLength >> 2);
      const pitch = pitchBytes >> 2;
      for (let y = 0, out = 0; y < SCREEN_HEIGHT_PX; y++) {
        for (let x = 0, at = y * pitch; x < SCREEN_WIDTH_PX; x++, at++, out++) {
          const pixel = source[at]!;
          frame[out] = lookup[((pixel >> 8) & 0xf800) | ((pixel >> 5) & 0x07e0) | ((pixel >> 3) & 0x1f)]!;
        }
      }
    };
  }
  const lookup = createLookup(format === 'rgb565' ? rgb565 : rgb1555, palette);
  return (pixels, pitchBytes, frame) => {
    const source = new Uint16Array(pixels.buffer, pixels.byteOffset, pixels.byteLength >> 1);
    const pitch = pitchBytes >> 1;
    for (let y = 0, out = 0; y < SCREEN_HEIGHT_PX; y++) {
      for (let x = 0, at = y * pitch; x < SCREEN_WIDTH_PX; x++, at++, out++) frame[out] = lookup[source[at]!]!;
    }
  };
}

/** The unlit screen, as one word of a frame. */
export function lcdBlank(palette: LcdPalette): number {
  return rgbaWord(palette[0] >> 16, (palette[0] >> 8) & 0xff, palette[0] & 0xff);
}

type Rgb = readonly [red: number, green: number, blue: number];

/** RGBA in memory order, as little-endian words, for each of the 65,536 pixel values. */
function createLookup(widen: (pixel: number) => Rgb, palette: LcdPalette | null): Uint32Array {
  const lookup = new Uint32Array(65_536);
  for (let pixel = 0; pixel < lookup.length; pixel++) {
    const [red, green, blue] = widen(pixel);
    if (palette === null) {
      lookup[pixel] = rgbaWord(red, green, blue);
      continue;
    }
    const brightness = (red + green + blue) / (3 * 255);
    const colour = palette[3 - Math.round(brightness * 3)]!;
    lookup[pixel] = rgbaWord(colour >> 16, (colour >> 8) & 0xff, colour & 0xff);
  }
  return lookup;
}

function rgb565(pixel: number): Rgb {
  const green = (pixel >> 5) & 0x3f;
  return [widenFive(pixel >> 11), (green << 2) | (green >> 4), widenFive(pixel & 0x1f)];
}

function rgb1555(pixel: number): Rgb {
  return [widenFive((pixel >> 10) & 0x1f), widenFive((pixel >> 5) & 0x1f), widenFive(pixel & 0x1f)];
}

function widenFive(bits: number): number {
  return (bits << 3) | (bits >> 2);
}

function rgbaWord(red: number, green: number, blue: number): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
