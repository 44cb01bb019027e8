import type { SessionDescriptor } from './descriptor.ts';
import type { ShownEvent, Snapshot, Starting } from './snapshot.ts';
import type { WireMessage } from './wire.ts';

/** Events a replica remembers for panels; older ones live in the event log. */
const EVENT_CAPACITY = 64;

/**
 * The world as an observer holds it: the newest committed boundary and nothing newer. Scenes draw this and nothing
 * else. `apply` is its only writer.
 */
export type Replica = {
  descriptor: SessionDescriptor | null;
  snapshot: Snapshot | null;
  /** Set while the session is starting; null once a boundary was committed. */
  starting: Starting | null;
  /** RGBA per view, descriptor order. */
  views: Uint8Array[];
  /** Spike bitset per agent of the newest transition. */
  spikes: Uint8Array[];
  /** Newest last. */
  readonly events: ShownEvent[];
  /** Observer's monotonic time at which the newest snapshot was applied; staleness is measured from here. */
  appliedAtMs: number;
  /** The connection to the session is open. */
  connected: boolean;
};

export function createReplica(): Replica {
  return {
    descriptor: null,
    snapshot: null,
    starting: null,
    views: [],
    spikes: [],
    events: [],
    appliedAtMs: 0,
    connected: true,
  };
}

/**
 * Applies one message. A snapshot of an unknown descriptor revision, or one already seen, is ignored.
 * Attachments are kept by reference: the sender of a decoded message gives them away.
 */
export function applyMessage(replica: Replica, message: WireMessage, nowMs: number): void {
  switch (message.header.type) {
    case 'descriptor':
      replica.descriptor = message.header.descriptor as SessionDescriptor;
      return;
    case 'starting':
      replica.starting = message.header as unknown as Starting;
      replica.appliedAtMs = nowMs;
      return;
    case 'health':
      if (replica.snapshot === null) return;
      replica.snapshot = withHealth(replica.snapshot, message.header as unknown as SessionHealth);
      replica.appliedAtMs = nowMs;
      return;
    case 'snapshot':
      applySnapshot(replica, message, nowMs);
      return;
    default:
      return; // unknown optional messages are skipped (spec: feed-control.md 75)
  }
}

type SessionHealth = Pick<Snapshot, 'status' | 'statusReason'>;

function withHealth(snapshot: Snapshot, { status, statusReason }: SessionHealth): Snapshot {
  return { ...snapshot, status, statusReason };
}

function applySnapshot(replica: Replica, message: WireMessage, nowMs: number): void {
  const snapshot = message.header as unknown as Snapshot;
  if (replica.descriptor?.revision !== snapshot.revision) return;
  if (replica.snapshot !== null && replica.snapshot.sequence >= snapshot.sequence) return;
  // The last picture of the session before stays until the first one of this session: the intermission shows it.
  if (replica.snapshot?.revision !== snapshot.revision) {
    replica.views = [];
    replica.spikes = [];
  }
  replica.snapshot = snapshot;
  replica.starting = null;
  replica.appliedAtMs = nowMs;
  replica.events.push(...snapshot.events);
  if (replica.events.length > EVENT_CAPACITY) replica.events.splice(0, replica.events.length - EVENT_CAPACITY);
  for (const attachment of message.attachments) {
    if (attachment.kind === 'view') replica.views[attachment.index] = attachment.bytes;
    else if (attachment.kind === 'spikes') replica.spikes[attachment.index] = attachment.bytes;
  }
}
