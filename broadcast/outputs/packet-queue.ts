import type { EncodedPacket } from '../encode/encoded-packet.ts';
import { releasePacket, retainPacket } from '../encode/encoded-packet.ts';

/**
 * Packets between the encoder and one output. Bounded: when it is full everything in it is dropped and nothing is taken
 * until the next keyframe, so what comes out always decodes (spec: broadcast.md 44, 54).
 */
export type PacketQueue = {
  push(encoded: EncodedPacket): void;
  /** The next packet, which the caller releases; null once closed and empty. */
  take(): Promise<EncodedPacket | null>;
  /** Drops what waits and skips to the next keyframe. Not counted as a loss. */
  restart(): void;
  /** Drops what waits and skips to the next keyframe, counting every frame on the way. */
  overflow(): void;
  /** Refuses packets from now on; `take` still hands out what waits. */
  close(): void;
  /** Drops what waits. */
  clear(): void;
  /** 0 empty .. 1 full. */
  fill(): number;
  droppedFrames(): number;
};

export function createPacketQueue(limitPackets: number): PacketQueue {
  let waiting: EncodedPacket[] = [];
  let taker: ((encoded: EncodedPacket | null) => void) | null = null;
  let needKeyframe = true;
  let counting = false; // frames skipped before the first keyframe are not losses
  let closed = false;
  let dropped = 0;

  function dropAll(count: boolean): void {
    for (const encoded of waiting) {
      if (count && encoded.track === 'video') dropped++;
      releasePacket(encoded);
    }
    waiting = [];
  }

  function skipToKeyframe(count: boolean): void {
    dropAll(count);
    needKeyframe = true;
    counting = count;
  }

  return {
    push(encoded) {
      if (closed) return;
      if (needKeyframe) {
        if (encoded.track !== 'video' || !encoded.keyframe) {
          if (counting && encoded.track === 'video') dropped++;
          return;
        }
        needKeyframe = false;
      } else if (waiting.length >= limitPackets) {
        skipToKeyframe(true);
        if (encoded.track !== 'video' || !encoded.keyframe) {
          if (encoded.track === 'video') dropped++;
          return;
        }
        needKeyframe = false;
      }
      const kept = retainPacket(encoded);
      if (taker !== null) {
        const hand = taker;
        taker = null;
        hand(kept);
      } else waiting.push(kept);
    },
    take() {
      const next = waiting.shift();
      if (next !== undefined) return Promise.resolve(next);
      if (closed) return Promise.resolve(null);
      return new Promise((resolve) => {
        taker = resolve;
      });
    },
    restart: () => skipToKeyframe(false),
    overflow: () => skipToKeyframe(true),
    close() {
      closed = true;
      if (taker === null) return;
      const hand = taker;
      taker = null;
      hand(null);
    },
    clear: () => dropAll(false),
    fill: () => waiting.length / limitPackets,
    droppedFrames: () => dropped,
  };
}
