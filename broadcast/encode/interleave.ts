import type { EncodedPacket } from './encoded-packet.ts';
import { releasePacket } from './encoded-packet.ts';

/** Puts the packets of two encoders with different delays into one decode order. */
export type Interleaver = {
  /** Takes over `encoded`; it is released after delivery. */
  push(encoded: EncodedPacket): void;
  /** Delivers everything that waits, in order. */
  flush(): void;
};

/** A track that delivered nothing for this long no longer holds the other one back, ms (spec: broadcast.md 52). */
export const MAX_WAIT_MS = 1_000;

/** @param deliver gets every packet exactly once, lowest decode time first; video wins a tie */
export function createInterleaver(deliver: (encoded: EncodedPacket) => void): Interleaver {
  const video: EncodedPacket[] = [];
  const audio: EncodedPacket[] = [];

  function hand(queue: EncodedPacket[]): void {
    const encoded = queue.shift()!;
    deliver(encoded);
    releasePacket(encoded);
  }

  function drain(all: boolean): void {
    for (;;) {
      const nextVideo = video[0];
      const nextAudio = audio[0];
      if (nextVideo !== undefined && nextAudio !== undefined) {
        hand(nextVideo.dtsMs <= nextAudio.dtsMs ? video : audio);
      } else if (nextVideo !== undefined && (all || waits(video))) hand(video);
      else if (nextAudio !== undefined && (all || waits(audio))) hand(audio);
      else return;
    }
  }

  return {
    push(encoded) {
      (encoded.track === 'video' ? video : audio).push(encoded);
      drain(false);
    },
    flush: () => drain(true),
  };
}

function waits(queue: readonly EncodedPacket[]): boolean {
  return queue[queue.length - 1]!.dtsMs - queue[0]!.dtsMs > MAX_WAIT_MS;
}
