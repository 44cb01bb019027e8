import type { CodecParameters, Packet } from 'node-av';

/** How the two tracks of the running encoders are described in a container. A new object means new headers. */
export type Tracks = {
  readonly video: CodecParameters;
  readonly audio: CodecParameters;
  /** Video timestamps count frames of 1/fps s; audio timestamps count samples of 1/48000 s. */
  readonly fps: number;
  readonly videoKbps: number;
  readonly audioKbps: number;
};

export type TrackKind = 'video' | 'audio';

/**
 * One compressed access unit on its way to the outputs. Whoever receives it may read it during the call; to keep it,
 * take `retainPacket` and give it back with `releasePacket`.
 */
export type EncodedPacket = {
  readonly track: TrackKind;
  readonly tracks: Tracks;
  /** Timestamps in the track's own timebase. */
  readonly packet: Packet;
  /** Decode time on the media timeline, ms; never falls inside a delivery order. */
  readonly dtsMs: number;
  readonly ptsMs: number;
  readonly keyframe: boolean;
  readonly bytes: number;
  /** Unix time at which the picture was handed in, ms; 0 for audio. */
  readonly submittedUnixMs: number;
};

/** A second reference to the same bytes (nothing is copied). */
export function retainPacket(encoded: EncodedPacket): EncodedPacket {
  const copy = encoded.packet.clone();
  return copy === null ? encoded : { ...encoded, packet: copy };
}

export function releasePacket(encoded: EncodedPacket): void {
  encoded.packet.free();
}
