import type { ControlBatch, Environment } from '../../engine/contract/environment.ts';
import { neutral } from '../../systems/executor/assemble-batch.ts';

export type PixelDelay = {
  /** World steps from the first batch with a button held to the first memory image that differs for it. */
  readonly inputToStateSteps: number | null;
  /** From that image to the first picture that differs. */
  readonly stateToPixelsSteps: number | null;
};

/** Steps played on each side; null is reported when nothing has differed by then. */
const LIMIT_STEPS = 60;

/**
 * Plays the same world on from one saved boundary at rest and with each button of a port held, and finds where memory and
 * picture first part; the button that is seen soonest counts (spec: session.md 26, B1). The world goes on from somewhere
 * else afterwards.
 */
export async function measurePixelDelay(environment: Environment, port: number): Promise<PixelDelay> {
  const saved = await environment.capture();
  const atRest = await play(environment, batchOf(environment, null));
  let soonest: PixelDelay = { inputToStateSteps: null, stateToPixelsSteps: null };
  for (let button = 0; button < environment.descriptor.ports[port]!.buttons.length; button++) {
    await environment.restore(saved);
    const delay = partingOf(await play(environment, batchOf(environment, { port, button })), atRest);
    if (stepsUntilSeen(delay) < stepsUntilSeen(soonest)) soonest = delay;
  }
  return soonest;
}

function partingOf(held: readonly Seen[], atRest: readonly Seen[]): PixelDelay {
  const stateAt = held.findIndex(({ memory }, i) => Buffer.compare(memory, atRest[i]!.memory) !== 0);
  const pixelsAt = held.findIndex(({ picture }, i) => Buffer.compare(picture, atRest[i]!.picture) !== 0);
  return {
    inputToStateSteps: stateAt < 0 ? null : stateAt + 1,
    stateToPixelsSteps: stateAt < 0 || pixelsAt < 0 ? null : pixelsAt - stateAt,
  };
}

/** Ordered so that a delay that is not known comes last. */
function stepsUntilSeen({ inputToStateSteps, stateToPixelsSteps }: PixelDelay): number {
  return (inputToStateSteps ?? 2 * LIMIT_STEPS) + (stateToPixelsSteps ?? 2 * LIMIT_STEPS);
}

type Seen = { readonly memory: Uint8Array; readonly picture: Uint8Array };

async function play(environment: Environment, batch: ControlBatch): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (let step = 0; step < LIMIT_STEPS; step++) {
    const { inspection, views } = await environment.advance(batch);
    seen.push({ memory: inspection.slice(), picture: Buffer.concat(views) });
  }
  return seen;
}

function batchOf({ descriptor }: Environment, held: { port: number; button: number } | null): ControlBatch {
  const ports = descriptor.ports.map((port, index) => {
    const rest = neutral(port);
    return index === held?.port ? { ...rest, buttons: rest.buttons.map((_, i) => i === held.button) } : rest;
  });
  return { batchId: 'bench', ports };
}
