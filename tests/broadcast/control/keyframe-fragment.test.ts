import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { isKeyframeFragment, readPreviewTracks } from '../../../broadcast/control/keyframe-fragment.ts';
import { createPreviewFixture } from '../../browser/preview-fixture.ts';
import type { PreviewFixture } from '../../browser/preview-fixture.ts';

let fixture: PreviewFixture;

beforeAll(async () => {
  fixture = await createPreviewFixture({ widthPx: 64, heightPx: 48, seconds: 4 });
});

test('the picture track of a stream written by libavformat is found', () => {
  expect(readPreviewTracks(fixture.init).videoTrackId).toBe(1);
});

test('with a keyframe a second and two fragments a second, every other fragment is a start', () => {
  const tracks = readPreviewTracks(fixture.init);
  const starts = fixture.fragments.map((fragment) => isKeyframeFragment(fragment, tracks));
  expect(starts.slice(0, 6)).toEqual([true, false, true, false, true, false]);
});

test('a stream without a picture can be entered at any fragment', () => {
  expect(isKeyframeFragment(fixture.fragments[1]!, { videoTrackId: null, defaultSampleFlags: 0 })).toBe(true);
});

test('a fragment of another track is no start', () => {
  expect(isKeyframeFragment(fixture.fragments[0]!, { videoTrackId: 9, defaultSampleFlags: 0 })).toBe(false);
});

test('damaged bytes never throw', () => {
  const tracks = readPreviewTracks(fixture.init);
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat(), (at, value, length) => {
      const damaged = Uint8Array.from(fixture.fragments[0]!);
      damaged[at % damaged.length] = value;
      isKeyframeFragment(damaged.subarray(0, length % damaged.length), tracks);
      const init = Uint8Array.from(fixture.init);
      init[at % init.length] = value;
      readPreviewTracks(init.subarray(0, length % init.length));
    }),
    { numRuns: 300 },
  );
});
