import { expect, test } from 'vitest';
import { createDcBlocker } from '../../../broadcast/mix/dc-blocker.ts';

test('MED-04: the DC blocker gives the published f32 values (session.md 12.2)', () => {
  const samples = Float32Array.from([255, 255, 255, 255, 0, 0, 40], (value) => value / 255);
  createDcBlocker().run(samples, 0, 1);
  expect(Array.from(samples)).toEqual([
    1, 0.9950000047683716, 0.990024983882904, 0.9850748777389526, -0.019850492477416992, -0.01975123956799507,
    0.13721026480197906,
  ]);
});

test('channels are filtered apart and state is kept over chunks', () => {
  const whole = Float32Array.from({ length: 400 }, (_, i) => ((i * 37) % 101) / 101);
  const once = whole.slice();
  const pieces = whole.slice();
  const left = createDcBlocker();
  left.run(once, 0, 2);
  const again = createDcBlocker();
  again.run(pieces.subarray(0, 150), 0, 2);
  again.run(pieces.subarray(150), 0, 2);
  expect(pieces).toEqual(once);
  expect(once[1]).toBe(whole[1]);
});
