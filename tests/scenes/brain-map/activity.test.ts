import { expect, test } from 'vitest';
import { GRID_COLUMNS, GRID_ROWS, SPRITE_CAPACITY, createActivity } from '../../../scenes/brain-map/activity.ts';
import { project } from '../../../scenes/brain-map/project.ts';
import { Tint, tintsOf } from '../../../scenes/brain-map/tint.ts';
import { fakeGeometry, fakeSpikes } from '../fixture.ts';

const WIDTH = 1_004;
const HEIGHT = 368;

function open(): ReturnType<typeof createActivity> {
  const geometry = fakeGeometry();
  return createActivity(project(geometry.viewer.positions, WIDTH, HEIGHT, 40, 12), tintsOf(geometry), WIDTH, HEIGHT);
}

test('the grid has 251 x 184 cells (show.md 54) and counts every set bit once', () => {
  expect([GRID_COLUMNS, GRID_ROWS]).toEqual([251, 184]);
  const activity = open();
  const bits = fakeSpikes(fakeGeometry(), 1);
  activity.add(bits);
  const spikes = activity.value.reduce((sum, value) => sum + value, 0);
  expect(spikes).toBe(bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0));
});

test('a cell fades by e in 110 ms (show.md 54)', () => {
  const activity = open();
  activity.decay(0);
  activity.add(fakeSpikes(fakeGeometry(), 1));
  const cell = activity.value.indexOf(Math.max(...activity.value));
  const before = activity.value[cell]!;
  activity.decay(110);
  expect(activity.value[cell]! / before).toBeCloseTo(Math.exp(-1), 5);
});

test('at most 256 sprites, only on cells of 3 or more, and every class gets its own (show.md 55; mockups, proposal 4)', () => {
  const activity = open();
  for (let step = 0; step < 6; step++) activity.add(fakeSpikes(fakeGeometry(), step));
  const cells = [...activity.spriteCells.subarray(0, activity.spriteCount())];
  expect(cells.length).toBeLessThanOrEqual(SPRITE_CAPACITY);
  expect(new Set(cells).size).toBe(cells.length);
  for (const cell of cells) expect(activity.value[cell]).toBeGreaterThanOrEqual(3);
  const kinds = new Set(cells.map((cell) => activity.tint[cell]));
  for (const tint of [Tint.sensory, Tint.dopamine, Tint.output]) expect(kinds).toContain(tint);
});

test('a bitset of another length lights nothing it does not name', () => {
  const activity = open();
  activity.add(new Uint8Array(30_000).fill(0));
  expect(activity.spriteCount()).toBe(0);
});
