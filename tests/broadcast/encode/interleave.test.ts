import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInterleaver } from '../../../broadcast/encode/interleave.ts';
import type { EncodedPacket } from '../../../broadcast/encode/encoded-packet.ts';
import { fakePacket, fakeTracks } from '../outputs/fake-packets.ts';

const tracks = fakeTracks();

test('packets leave in decode order whatever the delays of the two encoders, each exactly once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 25 }), fc.integer({ min: 0, max: 25 }), (videoDelay, audioDelay) => {
      const out: EncodedPacket[] = [];
      const interleaver = createInterleaver((encoded) => out.push(encoded));
      let sounds = 0;
      for (let step = 0; step < 120; step++) {
        if (step >= videoDelay) push(interleaver, 'video', ((step - videoDelay) * 1_000) / 30);
        while (sounds * (1_024 / 48) <= ((step - audioDelay) * 1_000) / 30) {
          push(interleaver, 'audio', sounds++ * (1_024 / 48));
        }
      }
      interleaver.flush();
      expect(out.length).toBe(120 - videoDelay + sounds);
      for (let i = 1; i < out.length; i++) expect(out[i]!.dtsMs).toBeGreaterThanOrEqual(out[i - 1]!.dtsMs);
    }),
  );
});

test('a track that stopped holds the other back for a second and no longer', () => {
  const out: EncodedPacket[] = [];
  const interleaver = createInterleaver((encoded) => out.push(encoded));
  for (let frame = 0; frame < 90; frame++) push(interleaver, 'video', (frame * 1_000) / 30);
  expect(out.length).toBe(90 - 31);
});

function push(interleaver: ReturnType<typeof createInterleaver>, track: 'video' | 'audio', dtsMs: number): void {
  interleaver.push(fakePacket(tracks, { track, keyframe: true, dtsMs }));
}
