import type { Observation } from '../../engine/contract/environment.ts';
import { blameEnvironment } from '../../engine/blame.ts';
import { InvariantError } from '../../engine/errors.ts';
import type { SessionWorld } from '../../engine/world.ts';

/**
 * Refuses an observation on which nothing may be built (session.md 7, row 12): a view that is missing, of another size
 * or of another boundary than its delay says; sound that is missing, cut, not finite or off its timeline; memory that
 * the boundary before still uses. Sound that does not continue what came before marks the publication of this boundary.
 * @throws InvariantError OBSERVATION, AUDIO_TIMELINE
 */
export function verifyObservation(world: SessionWorld): void {
  try {
    verifyViews(world, world.transition.after!);
    verifyAudio(world, world.transition.after!);
    verifyInspection(world, world.transition.after!);
  } catch (error) {
    blameEnvironment(world);
    throw error;
  }
}

function verifyInspection(world: SessionWorld, { inspection }: Observation): void {
  if (!shareMemory(inspection, world.transition.before!.inspection)) return;
  throw refuse(world, 'the inspection overwrites the one before, which the task has yet to read');
}

function verifyViews(world: SessionWorld, observation: Observation): void {
  const { views } = world.handles.environment.descriptor;
  const boundary = Number(world.phase.step) + 1;
  for (let i = 0; i < views.length; i++) {
    const { viewId, widthPx, heightPx, observationDelaySteps: delay } = views[i]!;
    const pixels = observation.views[i];
    const expected = widthPx * heightPx * 4;
    if (pixels?.byteLength !== expected) {
      throw refuse(world, `view ${viewId} has ${pixels?.byteLength ?? 'no'} bytes, not ${expected}`);
    }
    const due = Math.max(0, boundary - delay);
    const produced = observation.producedSteps === undefined && delay === 0 ? due : observation.producedSteps?.[i];
    if (produced !== due) {
      throw refuse(
        world,
        `view ${viewId} shows boundary ${produced ?? 'unknown'}, with its delay of ${delay} it is ${due}`,
      );
    }
    const isRepeat = due === Math.max(0, boundary - 1 - delay); // before the delay has passed, O[0] is shown again
    if (!isRepeat && shareMemory(pixels, world.transition.before!.views[i])) {
      throw refuse(world, `view ${viewId} overwrites the picture before, which is still being shown`);
    }
  }
}

function verifyAudio(world: SessionWorld, observation: Observation): void {
  const { audio, stepDuration } = world.handles.environment.descriptor;
  for (let i = 0; i < audio.length; i++) {
    const { streamId, channels, sampleRateHz } = audio[i]!;
    const samples = observation.audio[i];
    const isDue = stepDuration.numerator * BigInt(sampleRateHz) >= stepDuration.denominator * 1_000_000_000n;
    if (samples === undefined || samples.length % channels !== 0 || (isDue && samples.length === 0)) {
      throw refuse(world, `stream ${streamId} has ${samples?.length ?? 'no'} samples`);
    }
    for (let n = 0; n < samples.length; n++) {
      if (!Number.isFinite(samples[n]!)) throw refuse(world, `stream ${streamId}, sample ${n} is ${samples[n]!}`);
    }
    const mark = observation.audioMarks?.[i];
    if (observation.audioMarks !== undefined && mark === undefined) {
      throw refuse(world, `stream ${streamId} does not say where its chunk begins`);
    }
    if (world.audio.accept(i, samples.length / channels, mark)) world.transition.discontinuity = true;
  }
}

function shareMemory(a: Uint8Array, b: Uint8Array | undefined): boolean {
  if (b === undefined || a.buffer !== b.buffer) return false;
  return a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;
}

function refuse(world: SessionWorld, what: string): InvariantError {
  return new InvariantError('OBSERVATION', `boundary ${world.phase.step + 1n}: ${what}.`);
}
