import { expect, test } from 'vitest';
import type { ControlBatch, Observation } from '../../../../engine/contract/environment.ts';
import { createNullEnvironment, environmentModule } from '../../../../systems/environment/null/environment.ts';

const OPTIONS = { environmentId: 'null-1', slotIds: ['best'] };

function press(mask: number): ControlBatch {
  const buttons = Array.from({ length: 8 }, (_, bit) => ((mask >> bit) & 1) === 1);
  return { batchId: 'batch-test', ports: [{ portId: 'p1', buttons, axes: [] }] };
}

function snapshot({ engineFrame, views, inspection }: Observation): unknown {
  return { engineFrame, view: views[0]!.slice(), memory: inspection.slice(0xc000, 0xc010) };
}

test('it has the shape and step of a Game Boy and needs neither core nor cartridge', async () => {
  const environment = await environmentModule.open({
    ...OPTIONS,
    contentPath: null,
    coresFolder: '',
    report: () => undefined,
  });
  expect(environment.descriptor.stepDuration).toEqual({ numerator: 8_572_265_625n, denominator: 512n });
  const start = await environment.boot();
  expect(start).toMatchObject({ engineFrame: '1' });
  expect(start.views[0]).toHaveLength(92_160);
  expect(start.inspection).toHaveLength(65_536);
  expect(start.audio[0]).toHaveLength(0);
});

test('a captured world continues exactly, slots included', async () => {
  const environment = createNullEnvironment(OPTIONS);
  await environment.boot();
  await environment.advance(press(3));
  await environment.saveSlot('best');
  const state = await environment.capture();
  const play = async (): Promise<unknown[]> => {
    const seen: unknown[] = [];
    for (let step = 0; step < 20; step++) seen.push(snapshot(await environment.advance(press(step))));
    seen.push(snapshot(await environment.restoreSlot('best')));
    return seen;
  };
  const future = await play();
  const other = createNullEnvironment(OPTIONS);
  await other.restore(state);
  await environment.restore(state);
  expect(await play()).toEqual(future);
  await expect(other.restore(Uint8Array.of(1, 2))).rejects.toMatchObject({ code: 'ENVIRONMENT_STATE' });
});

test('sound follows world time: 8 s of steps carry 8 s of samples to within one', async () => {
  const environment = createNullEnvironment(OPTIONS);
  await environment.boot();
  let frames = 0;
  for (let step = 0; step < 478; step++) frames += (await environment.advance(press(0))).audio[0]!.length / 2;
  // mean of 803.64990234375 frames per step (session.md 12.2)
  expect(frames).toBe(Math.floor(478 * 803.64990234375));
});

test('it refuses what a real one refuses', async () => {
  const environment = createNullEnvironment(OPTIONS);
  await expect(environment.advance(press(0))).rejects.toMatchObject({ code: 'ENVIRONMENT_ORDER' });
  await environment.boot();
  await expect(environment.advance({ batchId: 'none', ports: [] })).rejects.toMatchObject({ code: 'CONTROL_BATCH' });
  await expect(environment.restoreSlot('best')).rejects.toMatchObject({ code: 'SLOT_EMPTY' });
  await expect(environment.saveSlot('other')).rejects.toMatchObject({ code: 'SLOT_UNKNOWN' });
});

test('a death lasts until the restart', async () => {
  const environment = createNullEnvironment(OPTIONS);
  await environment.boot();
  const state = await environment.capture();
  environment.die('was killed by SIGSEGV');
  await expect(environment.advance(press(0))).rejects.toMatchObject({ code: 'ENVIRONMENT_DEAD' });
  await expect(environment.boot()).rejects.toMatchObject({ code: 'ENVIRONMENT_DEAD' });
  await environment.restart();
  await expect(environment.advance(press(0))).rejects.toMatchObject({ code: 'ENVIRONMENT_ORDER' });
  await environment.restore(state);
  expect((await environment.advance(press(0))).engineFrame).toBe('2');
});
