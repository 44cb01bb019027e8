import { expect, test } from 'vitest';
import { openBrainThread } from '../../../systems/kernel/brain-thread.ts';
import { loadKernelModule } from '../../../systems/kernel/kernel-module.ts';
import { createLinearMemory } from '../../../systems/kernel/linear-memory.ts';

function openThread(pointer: number): ReturnType<typeof openBrainThread> {
  return openBrainThread('fly-c', { module: loadKernelModule(), memory: createLinearMemory(0).memory, pointer });
}

test('a thread that ends while it advances rejects the advance with BRAIN_DEAD and the agent', async () => {
  const thread = openThread(1_024);
  const pending = thread.advance(2_000_000_000);
  await thread.worker.terminate();
  const rejection = await pending.catch((error: unknown) => error);
  expect(rejection).toMatchObject({ code: 'BRAIN_DEAD' });
  expect(String(rejection)).toContain('fly-c');
});

test('a kernel that faults rejects its advance and every later one', async () => {
  const beyondTheMemory = 0x7fff_0000;
  const thread = openThread(beyondTheMemory);
  await expect(thread.advance(1)).rejects.toMatchObject({ code: 'BRAIN_DEAD', cause: { name: 'RuntimeError' } });
  await expect(thread.advance(1)).rejects.toMatchObject({ code: 'BRAIN_DEAD' });
  await thread.close();
});
