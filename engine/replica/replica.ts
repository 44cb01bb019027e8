import type { SessionDescriptor } from './descriptor.ts';
import { findMismatch } from './find-mismatch.ts';
import type { ShownEvent, Snapshot, Starting } from './snapshot.ts';
import type { Attachment, WireMessage } from './wire.ts';

/** Events a replica remembers for panels; older ones live in the event log. */
const EVENT_CAPACITY = 64;
/** Boundaries that may wait for the descriptor they name (spec: feed-control.md 59). */
const MAX_WAITING = 60;
const NO_SPIKES = new Uint8Array(0);

/**
 * The world as an observer holds it: the newest committed boundary and nothing newer. Scenes draw this and nothing
 * else. `applyMessage` is its only writer.
 */
export type Replica = {
  descriptor: SessionDescriptor | null;
  snapshot: Snapshot | null;
  /** Set while the session is starting; null once a boundary was committed. */
  starting: Starting | null;
  /** RGBA per view, descriptor order. */
  views: Uint8Array[];
  /** Spike bitset per agent of the newest transition; empty when those that came were refused. */
  spikes: Uint8Array[];
  /**
   * Identity of the connectome each agent is drawn on, agent order; null or absent while that is not known. Spikes of
   * another one are not taken: equal numbers of neurons prove nothing (spec: feed-control.md 66).
   */
  readonly geometries: (string | null)[];
  /** Newest last. */
  readonly events: ShownEvent[];
  /** Events the session says this observer will never get. */
  lostEvents: number;
  /** Observer's monotonic time at which the newest snapshot was applied; staleness is measured from here. */
  appliedAtMs: number;
  /** The connection to the session is open. */
  connected: boolean;
  /** Boundaries that name a descriptor which has not come yet, oldest first. */
  readonly waiting: WireMessage[];
  readonly refusals: Refusals;
};

/**
 * Messages that were not taken, by reason: `unknown-revision` waited for a descriptor that did not come, `stale` is older
 * than what is held, `mismatch` disagrees with the descriptor it names, `identity` is another descriptor under the
 * revision of the one held, or spikes of another connectome than the agent is drawn on.
 */
export type RefusalReason = 'unknown-revision' | 'stale' | 'mismatch' | 'identity';

export type Refusals = {
  total: number;
  readonly byReason: Record<RefusalReason, number>;
  /** The newest one in a line; empty before the first. */
  newest: string;
};

export function createReplica(): Replica {
  return {
    descriptor: null,
    snapshot: null,
    starting: null,
    views: [],
    spikes: [],
    geometries: [],
    events: [],
    lostEvents: 0,
    appliedAtMs: 0,
    connected: true,
    waiting: [],
    refusals: {
      total: 0,
      byReason: { 'unknown-revision': 0, stale: 0, mismatch: 0, identity: 0 },
      newest: '',
    },
  };
}

/**
 * Applies one message, or counts why it is refused; nothing else has changed then. A boundary whose descriptor is still to
 * come waits for it. Attachments are kept by reference: the sender of a decoded message gives them away.
 */
export function applyMessage(replica: Replica, message: WireMessage, nowMs: number): void {
  switch (message.header.type) {
    case 'descriptor':
      applyDescriptor(replica, message.header.descriptor as SessionDescriptor, nowMs);
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

function refuse({ refusals }: Replica, reason: RefusalReason, what: string): void {
  refusals.total += 1;
  refusals.byReason[reason] += 1;
  refusals.newest = `${reason}: ${what}`;
}

/** A revision never has two contents, and revisions only grow (spec: session.md 19). */
function applyDescriptor(replica: Replica, next: SessionDescriptor, nowMs: number): void {
  const { descriptor: held } = replica;
  if (held !== null && next.revision < held.revision) {
    refuse(replica, 'stale', `descriptor ${next.revision} came after descriptor ${held.revision}`);
    return;
  }
  if (held?.revision === next.revision && JSON.stringify(held) !== JSON.stringify(next)) {
    refuse(replica, 'identity', `descriptor ${next.revision} of ${next.sessionId} came again with other content`);
    return;
  }
  replica.descriptor = next;
  for (const message of replica.waiting.splice(0)) applySnapshot(replica, message, nowMs);
}

function applySnapshot(replica: Replica, message: WireMessage, nowMs: number): void {
  const snapshot = message.header as unknown as Snapshot;
  const { descriptor, waiting } = replica;
  const name = `boundary ${snapshot.step} of ${snapshot.epoch}, publication ${snapshot.sequence}`;
  if (descriptor === null || descriptor.revision < snapshot.revision) {
    waiting.push(message);
    if (waiting.length <= MAX_WAITING) return;
    const given = waiting.shift()!.header as unknown as Snapshot;
    refuse(replica, 'unknown-revision', `publication ${given.sequence} names descriptor ${given.revision}`);
    return;
  }
  if (descriptor.revision > snapshot.revision) {
    refuse(replica, 'stale', `${name} names descriptor ${snapshot.revision}, held is ${descriptor.revision}`);
    return;
  }
  if (replica.snapshot !== null && replica.snapshot.sequence >= snapshot.sequence) {
    refuse(replica, 'stale', `${name}, held is ${replica.snapshot.sequence}`);
    return;
  }
  const mismatch = findMismatch(descriptor, snapshot, message.attachments);
  if (mismatch !== null) {
    refuse(replica, 'mismatch', `${name}: ${mismatch}`);
    return;
  }
  take(replica, snapshot, message, nowMs);
}

function take(replica: Replica, snapshot: Snapshot, { attachments }: WireMessage, nowMs: number): void {
  // The last picture of the session before stays until the first one of this session: the intermission shows it.
  if (replica.snapshot?.revision !== snapshot.revision) {
    replica.views = [];
    replica.spikes = [];
  }
  replica.snapshot = snapshot;
  replica.starting = null;
  replica.appliedAtMs = nowMs;
  replica.lostEvents += snapshot.droppedBefore;
  replica.events.push(...snapshot.events);
  if (replica.events.length > EVENT_CAPACITY) replica.events.splice(0, replica.events.length - EVENT_CAPACITY);
  for (const attachment of attachments) {
    if (attachment.kind === 'view') replica.views[attachment.index] = attachment.bytes;
    else if (attachment.kind === 'spikes') takeSpikes(replica, attachment);
  }
}

function takeSpikes(replica: Replica, { index, bytes }: Attachment): void {
  const { agentId, connectome } = replica.descriptor!.agents[index]!;
  const drawnOn = replica.geometries[index] ?? connectome.identity;
  if (drawnOn === connectome.identity) {
    replica.spikes[index] = bytes;
    return;
  }
  replica.spikes[index] = NO_SPIKES;
  refuse(replica, 'identity', `spikes of ${agentId} are of connectome ${connectome.identity}, drawn is ${drawnOn}`);
}
