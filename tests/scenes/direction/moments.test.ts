import { expect, test } from 'vitest';
import { createNews } from '../../../scenes/direction/news.ts';
import { createParticles } from '../../../scenes/direction/particles.ts';
import { WIPE_MS, paintWipe } from '../../../scenes/direction/wipe.ts';
import { createFrame, packed } from '../../../scenes/raster/frame.ts';
import { HISTORY, fakeDescriptor, fakeEvent, fakeSnapshot, feed, openReplica } from '../fixture.ts';

test('what a replica held when it was first looked at is history, later events are news once (show.md 93)', () => {
  const replica = openReplica(fakeDescriptor());
  const newsOf = createNews();
  expect(newsOf(replica)).toEqual([]);
  feed(replica, fakeSnapshot(1, { events: HISTORY }), 0);
  expect(createNews()(replica)).toEqual([]);
  const late = createNews();
  late(replica);
  const event = fakeEvent(9);
  feed(replica, fakeSnapshot(2, { events: [event] }), 33);
  expect(late(replica)).toEqual([event]);
  expect(late(replica)).toEqual([]);
});

test('sugar grains start at the head, end at the chip, stay inside their clip and are gone after 1,260 ms (show.md 96b)', () => {
  const clip = { x: 0, y: 0, width: 400, height: 300 };
  const particles = createParticles([clip], []);
  const frame = createFrame(400, 300, 1);
  particles.paint(frame, 0);
  particles.drift(24, { x: 60, y: 260 }, { x: 340, y: 40 }, 0xf472a8);
  const lit = (nowMs: number): { x: number; y: number }[] => {
    frame.pixels.fill(packed(0));
    particles.paint(frame, nowMs);
    return [...frame.pixels.keys()]
      .filter((at) => frame.pixels[at] !== packed(0))
      .map((at) => ({ x: at % 400, y: Math.floor(at / 400) }));
  };
  for (const { x, y } of lit(10)) expect(Math.hypot(x - 60, y - 260)).toBeLessThan(64);
  const seen: { x: number; y: number }[] = [];
  for (let nowMs = 40; nowMs <= 1_300; nowMs += 30) {
    const now = lit(nowMs);
    if (now.length > 0) seen.splice(0, seen.length, ...now);
  }
  for (const { x, y } of seen) expect(Math.hypot(x - 340, y - 40)).toBeLessThan(64);
  expect(lit(1_330)).toEqual([]);
});

test('a wipe uncovers the picture from the right in whole game pixels and is over after 400 ms (show.md 90)', () => {
  const picture = { x: 10, y: 10, width: 160, height: 20 };
  const covered = (sinceMs: number): number => {
    const frame = createFrame(200, 40, 1);
    paintWipe(frame, picture, 4, sinceMs);
    return [...frame.pixels.subarray(15 * 200, 16 * 200)].filter((value) => value !== 0).length;
  };
  expect(covered(0)).toBe(160);
  const steps = [0, 50, 100, 200, 399].map(covered);
  expect(steps.toSorted((a, b) => b - a)).toEqual(steps);
  for (const width of steps) expect(width % 4).toBe(0);
  expect(covered(WIPE_MS)).toBe(0);
  expect(covered(-1)).toBe(0);
});
