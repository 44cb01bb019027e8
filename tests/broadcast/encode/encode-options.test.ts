import { expect, test } from 'vitest';
import {
  checkEncodeOptions,
  defaultEncodeOptions,
  gopFrames,
  h264Level,
  vbvKbit,
} from '../../../broadcast/encode/encode-options.ts';

test('defaults follow the picture size and the cores (broadcast.md 2, 9, 22)', () => {
  expect(defaultEncodeOptions(1_280, 720, 30, 2)).toMatchObject({ videoKbps: 4_500, x264Preset: 'superfast' });
  expect(defaultEncodeOptions(1_280, 720, 30, 4)).toMatchObject({ videoKbps: 4_500, x264Preset: 'veryfast' });
  expect(defaultEncodeOptions(1_920, 1_080, 30, 4)).toMatchObject({ videoKbps: 6_000, x264Preset: 'superfast' });
  expect(defaultEncodeOptions(1_920, 1_080, 30, 6)).toMatchObject({ audioKbps: 160, x264Preset: 'veryfast' });
});

test('buffer and GOP are derived from rate and fps (broadcast.md 2, 3, 5)', () => {
  const options = defaultEncodeOptions(1_920, 1_080, 30);
  expect(vbvKbit(options)).toBe(12_000);
  expect(gopFrames(options)).toBe(60);
  expect(gopFrames({ ...options, fps: 25 })).toBe(50);
});

test('1080p30 fits level 4.1 and 1080p60 needs 4.2 (broadcast.md 6)', () => {
  expect(h264Level(defaultEncodeOptions(1_920, 1_080, 30))).toBe(41);
  expect(h264Level(defaultEncodeOptions(1_920, 1_080, 60))).toBe(42);
  expect(h264Level(defaultEncodeOptions(3_840, 2_160, 30))).toBeNull();
});

test.each([
  { widthPx: 1_281 },
  { heightPx: 0 },
  { fps: 29.97 },
  { videoKbps: 0 },
  { audioKbps: 400 }, // above what the ingest takes (broadcast.md 10)
])('%o is refused', (change) => {
  expect(() => checkEncodeOptions({ ...defaultEncodeOptions(1_280, 720, 30), ...change })).toThrow(
    expect.objectContaining({ code: 'ENCODER_OPTION' }),
  );
});
