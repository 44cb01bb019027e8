import { rationalToMs } from '../../engine/rational.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** The real-time factor looks back this far. */
const WINDOW_MS = 1_000;

/** Measures this process; reads the world and changes only what it measures (session.md 7, row 31). */
export function createHealthMeter(): (world: SessionWorld) => void {
  let windowStartMs = -1;
  let stepsInWindow = 0;
  return (world) => {
    const now = world.clock.nowMs();
    world.stepMs.record(now - world.stepStartedMs);
    if (windowStartMs < 0) windowStartMs = now;
    stepsInWindow += 1;
    const elapsed = now - windowStartMs;
    if (elapsed < WINDOW_MS) return;
    world.realTimeFactor = (stepsInWindow * rationalToMs(world.stepDuration)) / elapsed;
    windowStartMs = now;
    stepsInWindow = 0;
  };
}
