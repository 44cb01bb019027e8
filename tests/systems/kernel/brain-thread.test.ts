import { expect, test } from 'vitest';
import { createFakeClock } from '../../../engine/clock.ts';
import type { FakeClock } from '../../../engine/clock.ts';
import { openBrainThread } from '../../../systems/kernel/brain-thread.ts';
import type { BrainThread, BrainThreadOptions, BrainWorkerData } from '../../../systems/kernel/brain-thread.ts';
import { loadKernelModule, openKernelInstance } from '../../../systems/kernel/kernel-module.ts';
import { createLinearMemory } from '../../../systems/kernel/linear-memory.ts';
import { resolveKernelParameters } from '../../../systems/kernel/parameters.ts';
import { createWasmKernel, flyBytes } from '../../../systems/kernel/wasm-kernel.ts';
import { estimateTopologyBytes, loadTopology } from '../../../systems/kernel/wasm-topology.ts';
import { syntheticConnectome } from './test-graphs.ts';

/** Says that it is up, and nothing after that. */
const MUTE = program("parentPort.on('message', (ticks) => { if (ticks === 0) parentPort.postMessage(0); });");
/** Never says anything. */
const STUCK = program('for (;;) ;');

function openThread(pointer: number, changes: Partial<BrainThreadOptions> = {}): BrainThread {
  const data: BrainWorkerData = { module: loadKernelModule(), memory: createLinearMemory(0).memory, pointer };
  return openBrainThread('fly-c', { data, progress: () => 0, clock: createFakeClock(), ...changes });
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

test('SCH-10 a brain silent for ten seconds is ended and rejects by name (session.md 20)', async () => {
  const clock = createFakeClock();
  const thread = openThread(0, { clock, program: MUTE });
  await thread.start();
  const pending = thread.advance(17);
  const outcome = pending.catch((error: unknown) => error);
  await pass(clock, 10);
  expect(thread.worker.threadId).toBeGreaterThan(0); // it still runs
  await pass(clock, 1);
  const rejection = await outcome;
  expect(rejection).toMatchObject({ code: 'BRAIN_DEAD' });
  expect(String(rejection)).toContain('fly-c: the brain thread ended (it gave no answer and ran no tick');
  expect(thread.worker.threadId).toBe(-1); // gone before the epoch hears of it
  await expect(thread.advance(1)).rejects.toBe(rejection);
});

test('SCH-10 a slow brain is never ended: as long as it ticks, and when steps keep being answered', async () => {
  const clock = createFakeClock();
  let ticks = 0;
  const thread = openThread(0, { clock, program: MUTE, progress: () => ticks });
  await thread.start();
  for (let step = 0; step < 30; step++) {
    await pass(clock, 1);
    await thread.advance(0); // thirty short answers, one second apart
  }
  let isOver = false;
  const outcome = thread.advance(17).catch(() => (isOver = true));
  for (let second = 0; second < 600; second++) {
    if (second % 9 === 0) ticks += 1; // one tick in nine seconds
    await pass(clock, 1);
  }
  expect(isOver).toBe(false);
  await pass(clock, 20);
  await outcome;
  expect(isOver).toBe(true);
});

test('a thread that never comes up is ended after a minute, not after ten seconds', async () => {
  const clock = createFakeClock();
  const thread = openThread(0, { clock, program: STUCK });
  const starting = thread.start().catch((error: unknown) => error);
  await pass(clock, 60);
  expect(thread.worker.threadId).toBeGreaterThan(0);
  await pass(clock, 1);
  expect(await starting).toMatchObject({ code: 'BRAIN_DEAD' });
});

test('the tick counter of a brain moves while its thread is in the middle of an advance', async () => {
  const connectome = syntheticConnectome();
  const parameters = resolveKernelParameters();
  const module = loadKernelModule();
  const slots = parameters.plasticity.budget;
  const memory = createLinearMemory(estimateTopologyBytes(connectome) + flyBytes(connectome, slots));
  const exports = openKernelInstance(module, memory.memory);
  const topology = loadTopology(memory, connectome, parameters);
  const kernel = createWasmKernel({ memory, exports, topology, connectome, parameters, seed: 1 });
  const data = { module, memory: memory.memory, pointer: kernel.pointer };
  const thread = openThread(0, { data, progress: kernel.ticks });
  await thread.start();
  const pending = thread.advance(2_000_000_000).catch((error: unknown) => error);
  for (let seen = 0; seen < 5; seen++) {
    const before = kernel.ticks();
    while (kernel.ticks() === before) await new Promise((resolve) => setImmediate(resolve));
  }
  await thread.close();
  expect(await pending).toMatchObject({ code: 'BRAIN_DEAD' });
});

/** Lets the clock go on second by second, with time for messages in between. */
async function pass(clock: FakeClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    clock.advanceMs(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function program(body: string): URL {
  return new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; ${body}`)}`,
  );
}
