import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPacketQueue } from '../../../broadcast/outputs/packet-queue.ts';
import { fakePacket, fakeTracks } from './fake-packets.ts';

const tracks = fakeTracks();

test('whatever is pushed and taken, what comes out is in order, starts at keyframes and adds up (broadcast.md 44)', async () => {
  const step = fc.oneof(
    fc.record({ push: fc.constantFrom('key', 'frame', 'sound') }),
    fc.constant({ take: true } as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 8 }), async (steps, limit) => {
      const queue = createPacketQueue(limit);
      let next = 0;
      let frames = 0;
      let beforeFirst = 0;
      let started = false;
      let last = -1;
      let lastFrame = -1;
      let taken = 0;
      const pushedFrames: { number: number; keyframe: boolean }[] = [];
      for (const action of steps) {
        if ('push' in action) {
          const keyframe = action.push === 'key';
          const track = action.push === 'sound' ? 'audio' : 'video';
          if (track === 'video') {
            started ||= keyframe;
            if (started) frames++;
            else beforeFirst++;
            pushedFrames.push({ number: next, keyframe });
          }
          const encoded = fakePacket(tracks, { track, keyframe: keyframe || track === 'audio', dtsMs: next++ });
          queue.push(encoded);
          encoded.packet.free();
          expect(queue.fill()).toBeLessThanOrEqual(1);
        } else if (queue.fill() > 0) {
          const encoded = (await queue.take())!;
          expect(encoded.dtsMs).toBeGreaterThan(last);
          last = encoded.dtsMs;
          if (encoded.track === 'video') {
            const at = pushedFrames.findIndex((frame) => frame.number === encoded.dtsMs);
            // a frame whose predecessor is missing must be a keyframe
            if (at === 0 || pushedFrames[at - 1]!.number !== lastFrame) expect(encoded.keyframe).toBe(true);
            lastFrame = encoded.dtsMs;
            taken++;
          }
          encoded.packet.free();
        }
      }
      queue.close();
      for (let rest = await queue.take(); rest !== null; rest = await queue.take()) {
        if (rest.track === 'video') taken++;
        rest.packet.free();
      }
      expect(taken + queue.droppedFrames()).toBe(frames);
      expect(beforeFirst + frames).toBe(pushedFrames.length);
    }),
    { numRuns: 200 },
  );
});

test('a reader that waits gets the packet at once, and null when the queue closes', async () => {
  const queue = createPacketQueue(4);
  const first = queue.take();
  const encoded = fakePacket(tracks, { track: 'video', keyframe: true, dtsMs: 7 });
  queue.push(encoded);
  expect((await first)?.dtsMs).toBe(7);
  const second = queue.take();
  queue.close();
  expect(await second).toBeNull();
});
