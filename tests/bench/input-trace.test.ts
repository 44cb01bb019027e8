import { expect, test } from 'vitest';
import { HELD_STEPS, createTracePlayer, heldButton } from './input-trace.ts';

const PORT = {
  portId: 'p1',
  buttons: ['a', 'b', 'up', 'down'],
  axes: [{ id: 'x', range: 'unit', neutral: 0.5 }],
} as const;
const decision = { active: ['a'], macro: null };

function played(port: number, steps: number): number[] {
  const player = createTracePlayer(port);
  return Array.from({ length: steps }, () => player.apply(decision, PORT).buttons.indexOf(true));
}

test('two runs get the same batches, whatever a readout decides, and two ports get different ones', () => {
  expect(played(0, 600)).toEqual(played(0, 600));
  expect(played(0, 600)).not.toEqual(played(1, 600));
  expect(createTracePlayer(0).apply(decision, PORT).axes).toEqual([0.5]);
});

test('every button and none is held sometimes, each for whole segments, never two at once', () => {
  const steps = played(0, HELD_STEPS * 100);
  expect(new Set(steps)).toEqual(new Set([-1, 0, 1, 2, 3]));
  for (let step = 0; step < steps.length; step++) {
    expect(steps[step]).toBe(steps[step - (step % HELD_STEPS)]);
    expect(heldButton(0, step, PORT.buttons.length)).toBe(steps[step]);
  }
});
