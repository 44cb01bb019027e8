import { InvariantError } from '../../engine/errors.ts';
import type { SessionWorld } from '../../engine/world.ts';

/** Refuses an observation that lacks a declared view, stream or whole sample frames (session.md 7, row 12). */
export function verifyObservation(world: SessionWorld): void {
  const { audio, views } = world.handles.environment.descriptor;
  const observation = world.transition.after!;
  for (let i = 0; i < views.length; i++) {
    const expected = views[i]!.widthPx * views[i]!.heightPx * 4;
    const got = observation.views[i]?.byteLength;
    if (got !== expected) throw refuse(world, `view ${views[i]!.viewId} has ${got ?? 'no'} bytes, not ${expected}`);
  }
  for (let i = 0; i < audio.length; i++) {
    const samples = observation.audio[i];
    if (samples === undefined || samples.length % audio[i]!.channels !== 0) {
      throw refuse(world, `stream ${audio[i]!.streamId} has ${samples?.length ?? 'no'} samples`);
    }
  }
}

function refuse(world: SessionWorld, what: string): InvariantError {
  return new InvariantError('OBSERVATION', `boundary ${world.phase.step + 1n}: ${what}.`);
}
