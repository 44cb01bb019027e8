import { isFlyError } from '../errors.ts';
import type { Channel } from './channel.ts';
import type { SessionDescriptor } from './descriptor.ts';
import { createHeldBack } from './held-back.ts';
import type { HeldBack } from './held-back.ts';
import type { SessionStatus, Snapshot, Starting } from './snapshot.ts';
import type { Attachment, WireMessage } from './wire.ts';

/** A reader this far behind loses its oldest snapshots (spec: feed-control.md 6, 71). */
const MAX_PENDING_BYTES = 8 * 1024 * 1024;

/** Sends committed boundaries to observers. Never waits for one, never fails because of one (spec: session.md 19). */
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
  /** What readers lost so far, all of them together. */
  losses(): Losses;
  /** The newest committed boundary, for status pages. */
  readonly latest: Snapshot | null;
};

export type Losses = {
  /** Boundaries a reader was not sent. Their events and sound still arrive, unless they are counted below. */
  readonly snapshots: number;
  readonly events: number;
  /** Pieces of sound of one boundary and stream. */
  readonly soundChunks: number;
  /** Messages beyond a limit of the wire. */
  readonly oversized: number;
  /** Readers let go because they could not be written to. */
  readonly readers: number;
};

type Reader = { readonly channel: Channel; readonly held: HeldBack };

export function createPublisher(): Publisher {
  const readers = new Set<Reader>();
  let descriptor: WireMessage | null = null;
  let startingMessage: WireMessage | null = null;
  let latest: Snapshot | null = null;
  let published = 0;
  const lost = { snapshots: 0, events: 0, soundChunks: 0, oversized: 0, readers: 0 };

  /** A message the wire does not take is let go of; a reader that does not take one is. Neither is the session's trouble. */
  function send(reader: Reader, message: WireMessage): boolean {
    try {
      reader.channel.send(message);
      return true;
    } catch (error) {
      if (isFlyError(error) && error.code === 'WIRE_LIMIT') {
        lost.oversized += 1;
        return false;
      }
      if (readers.delete(reader)) lost.readers += 1;
      reader.channel.close();
      return false;
    }
  }

  function broadcast(message: WireMessage): void {
    for (const reader of readers) send(reader, message);
  }

  function offer(reader: Reader, snapshot: Snapshot, attachments: readonly Attachment[]): void {
    const { channel, held } = reader;
    const before = { events: held.lostEvents, chunks: held.lostChunks };
    if (channel.pendingBytes() > MAX_PENDING_BYTES) {
      held.keep(snapshot, attachments);
      lost.snapshots += 1;
    } else {
      const delivery = held.deliver(snapshot, attachments);
      if (!send(reader, delivery)) {
        held.lose(delivery);
        lost.snapshots += 1;
      }
    }
    lost.events += held.lostEvents - before.events;
    lost.soundChunks += held.lostChunks - before.chunks;
  }

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
      for (const reader of readers) offer(reader, snapshot, attachments);
    },
    addReader(channel) {
      const reader: Reader = { channel, held: createHeldBack() };
      readers.add(reader);
      if (descriptor !== null) send(reader, descriptor);
      if (startingMessage !== null && readers.has(reader)) send(reader, startingMessage);
      return () => readers.delete(reader);
    },
    get published() {
      return published;
    },
    losses: () => ({ ...lost }),
    get latest() {
      return latest;
    },
  };
}
