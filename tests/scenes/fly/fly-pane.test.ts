import { expect, test } from 'vitest';
import { createDrives } from '../../../scenes/fly/drives.ts';
import { createFlyPane } from '../../../scenes/fly/fly-pane.ts';
import { createFlyRig } from '../../../scenes/fly/rig.ts';
import { box } from '../../../scenes/layout.ts';
import { createFrame } from '../../../scenes/raster/frame.ts';
import { fakeDescriptor, fakeSnapshot, feed, openReplica } from '../fixture.ts';

const STILL = {
  forward: 0,
  backward: 0,
  steerLeft: 0,
  steerRight: 0,
  wings: 0,
  proboscis: 0,
  glow: 0,
  breathing: 0,
  eyes: 0,
};

test('the body stays under 1,600 triangles and is visible at once (show.md 109, 112)', () => {
  const pane = createFlyPane(1, fakeDescriptor(), 0, box.fly);
  expect(pane.triangles).toBeLessThan(1_600);
  expect(pane.triangles).toBeGreaterThan(1_000);
  const frame = createFrame(1_920, 1_080, 1);
  const replica = openReplica(fakeDescriptor());
  feed(replica, fakeSnapshot(1), 0);
  pane.paint(frame, replica, 0);
  const values: number[] = [];
  for (let y = box.fly.y; y < box.fly.y + box.fly.height; y++) {
    for (let x = box.fly.x; x < box.fly.x + box.fly.width; x++) {
      const pixel = frame.pixels[y * 1_920 + x]!;
      values.push((0.2126 * (pixel & 255) + 0.7152 * ((pixel >> 8) & 255) + 0.0722 * ((pixel >> 16) & 255)) / 255);
    }
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)).toBeGreaterThan(0.02);
});

test('without drive the legs stand still, with drive the tripods alternate (show.md 106, 111)', () => {
  const rig = createFlyRig();
  rig.step(STILL, 0);
  const rest = [...rig.legs];
  rig.step(STILL, 100);
  expect([...rig.legs]).toEqual(rest);
  rig.step({ ...STILL, forward: 1 }, 200);
  const foot = (leg: number): number => rig.legs[(leg * 4 + 3) * 3 + 2]! - rest[(leg * 4 + 3) * 3 + 2]!;
  expect(Math.sign(foot(0))).toBe(Math.sign(foot(4)));
  expect(Math.sign(foot(0))).toBe(-Math.sign(foot(1)));
});

test('the fly moves on the brain clock: when that stops, so does it (show.md 110)', () => {
  const rig = createFlyRig();
  const walking = { ...STILL, forward: 1 };
  rig.step(walking, 0);
  rig.step(walking, 50);
  const before = [...rig.legs];
  rig.step(walking, 50);
  expect([...rig.legs]).toEqual(before);
  rig.step(walking, 100);
  expect([...rig.legs]).not.toEqual(before);
});

test('a running sugar pulse extends the proboscis, nothing else does without a rate (show.md 106)', () => {
  const descriptor = fakeDescriptor();
  const measure = createDrives(descriptor, 0);
  const replica = openReplica(descriptor);
  const silent = fakeSnapshot(1).agents[0]!;
  const agents = [{ ...silent, ratesHz: silent.ratesHz.map(() => 0), populationRateHz: 0, stimulusRemainingMs: 400 }];
  feed(
    replica,
    fakeSnapshot(1, {
      agents,
      sugar: { active: true, remainingMs: 400, cooldownMs: 0, windowMs: 60_000, lastBy: null, todayCount: 1 },
    }),
    0,
  );
  measure(replica, 0);
  const drives = measure(replica, 2_000);
  expect(drives.proboscis).toBeGreaterThan(0.99);
  expect({ ...drives, proboscis: 0 }).toEqual(STILL);
});
