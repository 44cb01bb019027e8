import { expect, test } from 'vitest';
import { createFakeClock } from '../../../../engine/clock.ts';
import type { FakeClock } from '../../../../engine/clock.ts';
import { openEmulatorProcess } from '../../../../systems/environment/libretro/emulator-process.ts';
import type { EmulatorProcess } from '../../../../systems/environment/libretro/emulator-process.ts';
import { closedAfterEach } from '../../../fixture/closed-after-each.ts';

const open = closedAfterEach<FakeClock, EmulatorProcess>((clock = createFakeClock()) =>
  Promise.resolve(
    openEmulatorProcess({
      environmentId: 'liar',
      program: new URL('./lying-child.ts', import.meta.url),
      clock,
    }),
  ),
);

test('failure injection: cached result replayed for the next request ends the child, and nobody gets it', async () => {
  const child = await open();
  expect((await child.request('honest')).header['value']).toBe('true');
  await expect(child.request('cached')).rejects.toMatchObject({
    code: 'ENVIRONMENT_DEAD',
    message: expect.stringContaining('answered request 1, which nobody asked, and was ended during cached') as string,
  });
  await expect(child.request('honest')).rejects.toMatchObject({ code: 'ENVIRONMENT_DEAD' });
});

test('failure injection: old participant answers a second time: the next request is not answered with it', async () => {
  const child = await open();
  expect((await child.request('twice')).header['value']).toBe('first');
  await expect(child.request('honest')).rejects.toMatchObject({
    code: 'ENVIRONMENT_DEAD',
    message: expect.stringContaining('answered request 1, which nobody asked') as string,
  });
});

test('an answer to a request that was never made ends the child', async () => {
  const child = await open();
  await expect(child.request('other')).rejects.toMatchObject({
    code: 'ENVIRONMENT_DEAD',
    message: expect.stringContaining('answered request 8, which nobody asked') as string,
  });
});

test('a child that is silent for ten seconds is killed and rejects by name (session.md 20)', async () => {
  const clock = createFakeClock();
  const child = await open(clock);
  await child.request('honest');
  const pending = child.request('silent').catch((error: unknown) => error);
  for (let second = 0; second < 12; second++) {
    clock.advanceMs(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const outcome = await pending;
  expect(outcome).toMatchObject({ code: 'ENVIRONMENT_DEAD' });
  expect(String(outcome)).toContain('gave no answer for 10 s and was killed during silent');
});
