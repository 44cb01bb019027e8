import { expect, test } from 'vitest';
import { createAfterglow } from '../../../scenes/direction/afterglow.ts';

test('an 85 ms pulse is visible for at least 335 ms (show.md 81)', () => {
  const glow = createAfterglow(2);
  glow.step([true, false], 0);
  glow.step([true, false], 85);
  glow.step([false, false], 90);
  expect(glow.state(0, 90)).toBe('glow');
  expect(glow.state(0, 335)).toBe('glow');
  expect(glow.state(0, 336)).toBe('up');
  expect(glow.state(1, 90)).toBe('up');
});

test('boundary 0, where nothing was applied, lights nothing', () => {
  const glow = createAfterglow(1);
  glow.step(null, 0);
  expect(glow.state(0, 0)).toBe('up');
});
