import type { Mixer } from '../../broadcast/mix/mixer.ts';
import type { SessionDescriptor } from '../../engine/replica/descriptor.ts';
import { timelineOf } from '../../engine/replica/snapshot.ts';
import type { Snapshot } from '../../engine/replica/snapshot.ts';
import type { WireMessage } from '../../engine/replica/wire.ts';

/**
 * Takes sound out of the replica protocol as it arrives, before the picture that waits for it, and hands it to the
 * mixer. Whatever is buffered of an epoch that has ended is dropped: a restore, a rollback and a new episode all begin
 * one (spec: session.md 12.2).
 */
export type SoundFeed = { receive(message: WireMessage): void };

export function createSoundFeed(mixer: Mixer): SoundFeed {
  let descriptor: SessionDescriptor | null = null;
  let timeline = '';

  function take(snapshot: Snapshot, { attachments }: WireMessage): void {
    const present = timelineOf(snapshot);
    if (present !== timeline || snapshot.discontinuity) mixer.reset();
    timeline = present;
    if (descriptor?.revision !== snapshot.revision) return; // its streams are unknown here: the replica counts it
    for (const { kind, index, bytes } of attachments) {
      const stream = kind === 'audio' ? descriptor.environment.audio[index] : undefined;
      if (stream === undefined || bytes.byteLength % (4 * stream.channels) !== 0) continue;
      const samples = new Float32Array(bytes.slice().buffer); // the wire does not align it
      const lengthMs = (samples.length / stream.channels / stream.sampleRateHz) * 1_000;
      mixer.push(index, samples, snapshot.worldMs - lengthMs); // the last sample belongs to the boundary
    }
  }

  return {
    receive(message) {
      if (message.header.type === 'descriptor') {
        descriptor = message.header.descriptor as SessionDescriptor;
        mixer.configure(descriptor.environment.audio);
      } else if (message.header.type === 'snapshot') take(message.header as unknown as Snapshot, message);
    },
  };
}
