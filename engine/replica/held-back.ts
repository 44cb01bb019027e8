import { timelineOf } from './snapshot.ts';
import type { ShownEvent, Snapshot } from './snapshot.ts';
import type { Attachment } from './wire.ts';

/** Events one message may carry (spec: session.md 19). */
export const MAX_EVENTS = 64;
/** Sound kept of one stream: one second of 48 kHz stereo float. */
const MAX_SOUND_BYTES = 48_000 * 2 * 4;

/**
 * What one reader still has to get when it was too slow for pictures: the newest events and the newest second of sound,
 * of the present timeline alone. A new epoch or session lets go of everything of the one before it (spec: session.md
 * 12.2, 19, PER-09). What was let go of is counted, and its reader learns of it with the next message it gets.
 */
export type HeldBack = {
  /** Takes the events and the sound of a boundary that is not sent. */
  keep(snapshot: Snapshot, attachments: readonly Attachment[]): void;
  /**
   * The message of this boundary with what was kept in front of it: one attachment per stream, whose last sample belongs
   * to this boundary. Nothing is kept afterwards.
   */
  deliver(snapshot: Snapshot, attachments: readonly Attachment[]): Delivery;
  /** This delivery could not be sent. */
  lose(delivery: Delivery): void;
  readonly lostEvents: number;
  readonly lostChunks: number;
};

export type Delivery = { readonly header: Snapshot; readonly attachments: readonly Attachment[] };

export function createHeldBack(): HeldBack {
  const sound = new Map<number, { chunks: Uint8Array[]; bytes: number }>();
  let timeline = '';
  let events: ShownEvent[] = [];
  let droppedBefore = 0;
  let discontinuity = false;
  let lostEvents = 0;
  let lostChunks = 0;

  function dropEvents(count: number): void {
    events = events.slice(count);
    droppedBefore += count;
    lostEvents += count;
  }

  function dropSound(): void {
    for (const { chunks } of sound.values()) lostChunks += chunks.length;
    sound.clear();
  }

  /** Sound of before a jump is never put in front of sound behind it; the jump is told with the next message. */
  function enter(snapshot: Snapshot): void {
    const present = timelineOf(snapshot);
    if (present !== timeline) dropEvents(events.length);
    if (present !== timeline || snapshot.discontinuity) {
      dropSound();
      discontinuity = true;
    }
    timeline = present;
    events = events.concat(snapshot.events);
    if (events.length > MAX_EVENTS) dropEvents(events.length - MAX_EVENTS);
  }

  function holdSound({ index, bytes }: Attachment): void {
    const held = sound.get(index) ?? { chunks: [], bytes: 0 };
    sound.set(index, held);
    held.chunks.push(bytes.slice()); // the world writes its buffers again
    held.bytes += bytes.byteLength;
    while (held.bytes > MAX_SOUND_BYTES) {
      held.bytes -= held.chunks.shift()!.byteLength;
      lostChunks += 1;
      discontinuity = true;
    }
  }

  function withSound(attachments: readonly Attachment[]): readonly Attachment[] {
    if (sound.size === 0) return attachments;
    const whole = attachments.map((attachment) => {
      const held = attachment.kind === 'audio' ? sound.get(attachment.index) : undefined;
      if (held === undefined) return attachment;
      sound.delete(attachment.index);
      return { ...attachment, bytes: join([...held.chunks, attachment.bytes]) };
    });
    dropSound();
    return whole;
  }

  return {
    keep(snapshot, attachments) {
      enter(snapshot);
      for (const attachment of attachments) if (attachment.kind === 'audio') holdSound(attachment);
    },
    deliver(snapshot, attachments) {
      enter(snapshot);
      const delivery = {
        header: { ...snapshot, events, droppedBefore, discontinuity },
        attachments: withSound(attachments),
      };
      events = [];
      droppedBefore = 0;
      discontinuity = false;
      return delivery;
    },
    lose({ header, attachments }) {
      droppedBefore = header.droppedBefore + header.events.length;
      lostEvents += header.events.length;
      for (const { kind } of attachments) if (kind === 'audio') lostChunks += 1;
      discontinuity = true;
    },
    get lostEvents() {
      return lostEvents;
    },
    get lostChunks() {
      return lostChunks;
    },
  };
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((bytes, chunk) => bytes + chunk.byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
