import { enterPhase } from '../../engine/phase.ts';
import type { SessionWorld } from '../../engine/world.ts';
import { installSensory } from '../kernel/install-sensory.ts';

/** Neural time before the first decision, ms (spec: brain.md 9.2). */
export const WARMUP_MS = 2_500;
/** The warm-up runs in slices so that its progress can be shown. */
const WARMUP_SLICE_TICKS = 125;

export type BootProgress = (step: 'world' | 'warm-up', done: number, total: number) => void;

/**
 * Brings a fresh session to Ready(0): the world runs its set-up scaffold, the task looks at O[0], the brains settle in
 * the dark with learning off, the readout takes the settled rates as rest, and O[0] becomes the first picture seen
 * (spec: session.md 6). No control, reward or world step happens here.
 */
export async function bootSession(world: SessionWorld, onProgress: BootProgress): Promise<void> {
  const { agents, handles, phase, stores, transition } = world;
  onProgress('world', 0, 1);
  transition.after = await handles.environment.boot();
  const view = handles.task.bootstrap(transition.after);
  transition.progress = view.progress;
  onProgress('world', 1, 1);
  for (let i = 0; i < agents.length; i++) transition.contexts[i] = view.contexts[i]!;

  for (const brain of handles.brains) brain.setLearning(false);
  for (let done = 0; done < WARMUP_MS; done += WARMUP_SLICE_TICKS) {
    onProgress('warm-up', done, WARMUP_MS);
    await Promise.all(handles.brains.map((brain) => brain.advance(WARMUP_SLICE_TICKS)));
  }
  onProgress('warm-up', WARMUP_MS, WARMUP_MS);
  for (let i = 0; i < agents.length; i++) {
    const agent = agents[i]!;
    handles.brains[i]!.setLearning(true);
    handles.readouts[i]!.calibrate(handles.brains[i]!.rates);
    stores.AgentClock.ticks[agent] = BigInt(WARMUP_MS);
    stores.AgentClock.warmupTicks[agent] = BigInt(WARMUP_MS);
  }
  installSensory(world);
  enterPhase(phase, 'ready');
  world.lifecycle.emit({ kind: 'booted', epoch: phase.epoch });
}
