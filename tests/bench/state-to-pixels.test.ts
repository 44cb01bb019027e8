import { expect, test } from 'vitest';
import type { Environment } from '../../engine/contract/environment.ts';
import { createNullEnvironment } from '../../systems/environment/null/environment.ts';
import { measurePixelDelay } from './state-to-pixels.ts';

async function nullWorld(): Promise<Environment> {
  const world = createNullEnvironment({ environmentId: 'null', slotIds: [] });
  await world.boot();
  return world;
}

/** The same world with a picture that shows its joypad byte, so many steps late. */
function showing(world: Environment, steps: number): Environment {
  let pictures: Uint8Array[] = [];
  return {
    ...world,
    async advance(batch) {
      const observation = await world.advance(batch);
      pictures.push(observation.inspection.slice(0xc008, 0xc009));
      pictures = pictures.slice(-steps - 1);
      return { ...observation, views: [pictures.length > steps ? pictures[0]! : Uint8Array.of(0)] };
    },
    restore(state) {
      pictures = [];
      return world.restore(state);
    },
  };
}

test('a world that shows its input in the same step has a state after one step and no delay to the picture', async () => {
  const delay = await measurePixelDelay(showing(await nullWorld(), 0), 0);
  expect(delay).toEqual({ inputToStateSteps: 1, stateToPixelsSteps: 0 });
});

test('a picture that comes two steps late is two steps behind its state', async () => {
  const delay = await measurePixelDelay(showing(await nullWorld(), 2), 0);
  expect(delay).toEqual({ inputToStateSteps: 1, stateToPixelsSteps: 2 });
});

test('a world that takes no notice of the button has no delay to report', async () => {
  const world = await nullWorld();
  const deaf: Environment = {
    ...world,
    advance: ({ batchId, ports }) =>
      world.advance({ batchId, ports: ports.map((port) => ({ ...port, buttons: port.buttons.map(() => false) })) }),
  };
  expect(await measurePixelDelay(deaf, 0)).toEqual({ inputToStateSteps: null, stateToPixelsSteps: null });
});

test('the button that is seen soonest counts: most have no effect in most places of a game', async () => {
  const world = await nullWorld();
  const down = 6;
  const oneButton: Environment = {
    ...world,
    advance: ({ batchId, ports }) =>
      world.advance({
        batchId,
        ports: ports.map((port) => ({ ...port, buttons: port.buttons.map((held, i) => held && i === down) })),
      }),
  };
  const delay = await measurePixelDelay(showing(oneButton, 1), 0);
  expect(delay).toEqual({ inputToStateSteps: 1, stateToPixelsSteps: 1 });
});
