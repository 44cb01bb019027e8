import { expect, test } from 'vitest';
import type { PortDescriptor } from '../../../engine/contract/environment.ts';
import { identityExecutor } from '../../../systems/executor/identity-executor.ts';

const PAD: PortDescriptor = {
  portId: 'p1',
  buttons: ['start', 'b', 'right', 'a', 'up'],
  axes: [
    { id: 'main-x', range: 'bipolar', neutral: 0 },
    { id: 'trigger-l', range: 'unit', neutral: 0.25 },
  ],
};

test('buttons are pressed by name, so a pad in any order gets the right ones, in its own order (session.md 9.4)', () => {
  const decision = { active: ['up', 'b'], macro: null };
  expect(identityExecutor.apply(decision, PAD)).toEqual({
    portId: 'p1',
    buttons: [false, true, false, false, true],
    axes: [0, 0.25],
  });
  const turned = { ...PAD, buttons: [...PAD.buttons].reverse() };
  expect(identityExecutor.apply(decision, turned).buttons).toEqual([true, false, false, true, false]);
});

test('a fly that decides nothing presses nothing, and its sticks rest (session.md 11)', () => {
  const { buttons, axes } = identityExecutor.apply({ active: [], macro: null }, PAD);
  expect(buttons).toEqual([false, false, false, false, false]);
  expect(axes).toEqual([0, 0.25]);
});
