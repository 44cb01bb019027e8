import { CodecParameters, Packet } from 'node-av';
import type { EncodedPacket, Tracks } from '../../../broadcast/encode/encoded-packet.ts';
import type { OutputLeg } from '../../../broadcast/outputs/output.ts';

/** Tracks that no container ever sees. */
export function fakeTracks(): Tracks {
  const video = new CodecParameters();
  const audio = new CodecParameters();
  video.alloc();
  audio.alloc();
  return { video, audio, fps: 30, videoKbps: 4_500, audioKbps: 160 };
}

export type PacketShape = { readonly track: 'video' | 'audio'; readonly keyframe: boolean; readonly dtsMs: number };

/** A packet of a few bytes whose DTS is `dtsMs` in its own timebase. */
export function fakePacket(tracks: Tracks, shape: PacketShape): EncodedPacket {
  const packet = new Packet();
  packet.alloc();
  packet.data = Buffer.from([0, 0, 1, 0]);
  const units = shape.track === 'video' ? 30 : 48_000;
  packet.dts = BigInt(Math.round((shape.dtsMs * units) / 1_000));
  packet.pts = packet.dts;
  return {
    track: shape.track,
    tracks,
    packet,
    dtsMs: shape.dtsMs,
    ptsMs: shape.dtsMs,
    keyframe: shape.keyframe,
    bytes: 4,
    submittedUnixMs: 1_700_000_000_000 + shape.dtsMs,
  };
}

/** Hands `leg` video frames `from` to `to` (exclusive), a keyframe every 60. */
export function pushFrames(leg: Pick<OutputLeg, 'push'>, tracks: Tracks, from: number, to: number): void {
  for (let frame = from; frame < to; frame++) {
    const encoded = fakePacket(tracks, { track: 'video', keyframe: frame % 60 === 0, dtsMs: (frame * 1_000) / 30 });
    leg.push(encoded);
    encoded.packet.free();
  }
}

/** Lets everything that can run without time passing run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}
