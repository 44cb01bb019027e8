import type { Channel } from './channel.ts';
import type { SessionDescriptor } from './descriptor.ts';
import type { SessionStatus, ShownEvent, Snapshot, Starting } from './snapshot.ts';
import type { Attachment, WireMessage } from './wire.ts';

/** A reader this far behind loses its oldest snapshots (spec: feed-control.md 6, 71). */
const MAX_PENDING_BYTES = 8 * 1024 * 1024;
/** Sound held for a slow reader: one second of 48 kHz stereo float. */
const MAX_HELD_AUDIO_BYTES = 48_000 * 2 * 4;

/** Sends committed boundaries to observers. Never waits for one, never fails because of one. */
export type Publisher = {
  readonly hasReaders: boolean;
  /** Remembered, and sent to every reader that comes later. */
  describe(descriptor: SessionDescriptor): void;
  starting(starting: Starting): void;
  /** Says how the session stands while no boundary commits: paused, recovering, failed. */
  health(status: SessionStatus, reason: string): void;
  publish(snapshot: Snapshot, attachments: readonly Attachment[]): void;
  /** Returns the function that removes the reader. */
  addReader(channel: Channel): () => void;
  readonly published: number;
  /** Snapshots that readers lost. Their events and up to a second of their sound still arrive. */
  readonly dropped: number;
  /** The newest committed boundary, for status pages. */
  readonly latest: Snapshot | null;
};

type Reader = { readonly channel: Channel; heldEvents: ShownEvent[]; heldAudio: Attachment[]; heldAudioBytes: number };

export function createPublisher(): Publisher {
  const readers = new Set<Reader>();
  let descriptor: WireMessage | null = null;
  let startingMessage: WireMessage | null = null;
  let latest: Snapshot | null = null;
  let published = 0;
  let dropped = 0;
  const broadcast = (message: WireMessage): void => {
    for (const { channel } of readers) channel.send(message);
  };
  /** A reader that cannot be served is let go: its trouble is never the session's (spec: session.md 19). */
  const offerSafely = (reader: Reader, snapshot: Snapshot, attachments: readonly Attachment[]): boolean => {
    try {
      return offer(reader, snapshot, attachments);
    } catch {
      readers.delete(reader);
      reader.channel.close();
      return false;
    }
  };
  return {
    get hasReaders() {
      return readers.size > 0;
    },
    describe(next) {
      descriptor = { header: { type: 'descriptor', descriptor: next }, attachments: [] };
      broadcast(descriptor);
    },
    starting(starting) {
      startingMessage = { header: starting, attachments: [] };
      broadcast(startingMessage);
    },
    health(status, reason) {
      if (latest !== null) latest = { ...latest, status, statusReason: reason };
      broadcast({ header: { type: 'health', status, statusReason: reason }, attachments: [] });
    },
    publish(snapshot, attachments) {
      startingMessage = null;
      latest = snapshot;
      published += 1;
      for (const reader of readers) if (!offerSafely(reader, snapshot, attachments)) dropped += 1;
    },
    addReader(channel) {
      const reader: Reader = { channel, heldEvents: [], heldAudio: [], heldAudioBytes: 0 };
      readers.add(reader);
      if (descriptor !== null) channel.send(descriptor);
      if (startingMessage !== null) channel.send(startingMessage);
      return () => readers.delete(reader);
    },
    get published() {
      return published;
    },
    get dropped() {
      return dropped;
    },
    get latest() {
      return latest;
    },
  };
}

/** Sends, or holds back what must not be lost. False when the picture was dropped. */
function offer(reader: Reader, snapshot: Snapshot, attachments: readonly Attachment[]): boolean {
  if (reader.channel.pendingBytes() > MAX_PENDING_BYTES) {
    reader.heldEvents.push(...snapshot.events);
    for (const attachment of attachments) if (attachment.kind === 'audio') holdAudio(reader, attachment);
    return false;
  }
  const events = reader.heldEvents.length > 0 ? [...reader.heldEvents, ...snapshot.events] : snapshot.events;
  const held = reader.heldAudio;
  reader.heldEvents = [];
  reader.heldAudio = [];
  reader.heldAudioBytes = 0;
  const header = events === snapshot.events ? snapshot : { ...snapshot, events };
  reader.channel.send({ header, attachments: held.length > 0 ? [...held, ...attachments] : attachments });
  return true;
}

function holdAudio(reader: Reader, attachment: Attachment): void {
  reader.heldAudio.push({ ...attachment, bytes: attachment.bytes.slice() });
  reader.heldAudioBytes += attachment.bytes.byteLength;
  while (reader.heldAudioBytes > MAX_HELD_AUDIO_BYTES || reader.heldAudio.length > 16) {
    reader.heldAudioBytes -= reader.heldAudio.shift()!.bytes.byteLength;
  }
}
