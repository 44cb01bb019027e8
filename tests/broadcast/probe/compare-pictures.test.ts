import { expect, test } from 'vitest';
import type { Luma } from '../../../broadcast/probe/compare-pictures.ts';
import { isBlackPicture, isSamePicture } from '../../../broadcast/probe/compare-pictures.ts';

test('0.5 % of pixels may differ by 8 or more, any number by less (broadcast.md 39)', () => {
  const before = picture(100, 100, 120, 128);
  expect(isSamePicture(before, picture(100, 100, 127, 128))).toBe(true);
  expect(isSamePicture(before, changed(before, 50, 8))).toBe(true);
  expect(isSamePicture(before, changed(before, 51, 8))).toBe(false);
  expect(isSamePicture(before, changed(before, 51, -8))).toBe(false);
});

test('row padding is not part of the picture', () => {
  expect(isSamePicture(picture(100, 100, 120, 100), picture(100, 100, 120, 160))).toBe(true);
});

test('a picture is black when 98 % of it is below 32', () => {
  const black = picture(100, 100, 16, 128);
  expect(isBlackPicture(black)).toBe(true);
  expect(isBlackPicture(changed(black, 200, 100))).toBe(true);
  expect(isBlackPicture(changed(black, 201, 100))).toBe(false);
});

function picture(widthPx: number, heightPx: number, value: number, strideBytes: number): Luma {
  const bytes = new Uint8Array(strideBytes * heightPx).fill(strideBytes % 7);
  for (let y = 0; y < heightPx; y++) bytes.fill(value, y * strideBytes, y * strideBytes + widthPx);
  return { bytes, strideBytes, widthPx, heightPx };
}

function changed(luma: Luma, pixels: number, by: number): Luma {
  const bytes = luma.bytes.slice();
  for (let i = 0; i < pixels; i++) {
    const at = Math.floor(i / luma.widthPx) * luma.strideBytes + (i % luma.widthPx);
    bytes[at] = bytes[at]! + by;
  }
  return { ...luma, bytes };
}
