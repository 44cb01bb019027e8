import type { EncodedPacket } from '../encode/encoded-packet.ts';
import { releasePacket, retainPacket } from '../encode/encoded-packet.ts';

/** The last seconds of what was encoded, always starting at a keyframe. */
export type PacketStore = {
  offer(encoded: EncodedPacket): void;
  /** References of the caller's own, oldest first; release each one. */
  copy(): EncodedPacket[];
  /** The same from the newest keyframe on. */
  newestGop(): EncodedPacket[];
  clear(): void;
};

/** @param keepMs the store always holds at least this much once it was encoded, and at most one GOP more */
export function createPacketStore(keepMs: number): PacketStore {
  let kept: EncodedPacket[] = [];

  function dropBefore(index: number): void {
    for (let i = 0; i < index; i++) releasePacket(kept[i]!);
    kept = kept.slice(index);
  }

  return {
    offer(encoded) {
      const start = encoded.track === 'video' && encoded.keyframe;
      const first = kept[0];
      if (first !== undefined && first.tracks !== encoded.tracks) dropBefore(kept.length);
      if (kept.length === 0 && !start) return;
      kept.push(retainPacket(encoded));
      if (!start) return;
      // The newest keyframe that still leaves keepMs behind it becomes the beginning.
      let from = 0;
      for (let i = 1; i < kept.length; i++) {
        const candidate = kept[i]!;
        if (candidate.track !== 'video' || !candidate.keyframe) continue;
        if (encoded.dtsMs - candidate.dtsMs >= keepMs) from = i;
      }
      if (from > 0) dropBefore(from);
    },
    copy: () => kept.map(retainPacket),
    newestGop() {
      const from = kept.findLastIndex(({ track, keyframe }) => track === 'video' && keyframe);
      return from < 0 ? [] : kept.slice(from).map(retainPacket);
    },
    clear: () => dropBefore(kept.length),
  };
}
