import { AVERROR_EAGAIN, Codec, CodecContext, Frame, Rational } from 'node-av';
import type { CodecParameters, Packet } from 'node-av';
import { DeviceError } from '../../engine/errors.ts';
import { AUDIO_RATE_HZ } from '../encode/encode-options.ts';
import type { EncodedPacket } from '../encode/encoded-packet.ts';
import { levelDb } from '../mix/level.ts';
import type { Luma } from './compare-pictures.ts';
import { isBlackPicture, isSamePicture } from './compare-pictures.ts';

export type PictureCount = {
  readonly decodedFrames: number;
  /** Frames that look like the one before them. */
  readonly identicalFrames: number;
  readonly blackFrames: number;
};

/** Decodes the pictures among `packets` (from a keyframe) and judges the last `lastFrames` of them. */
export async function countPictures(packets: readonly EncodedPacket[], lastFrames: number): Promise<PictureCount> {
  const video = packets.filter((encoded) => encoded.track === 'video');
  const first = video[0];
  if (first === undefined) return { decodedFrames: 0, identicalFrames: 0, blackFrames: 0 };
  const skip = Math.max(0, video.length - lastFrames);
  // Two frames in turn: the one before stays alive while the next is decoded.
  const frames = [new Frame(), new Frame()];
  for (const frame of frames) frame.alloc();
  let index = 0;
  let decodedFrames = 0;
  let identicalFrames = 0;
  let blackFrames = 0;
  let before: Luma | null = null;
  const take = (): Frame => frames[index & 1]!;
  const judge = (frame: Frame): void => {
    const luma: Luma = {
      bytes: frame.data![0]!,
      strideBytes: frame.linesize[0]!,
      widthPx: frame.width,
      heightPx: frame.height,
    };
    if (index++ >= skip) {
      decodedFrames++;
      if (isBlackPicture(luma)) blackFrames++;
      if (before !== null && isSamePicture(before, luma)) identicalFrames++;
    }
    before = luma;
  };
  try {
    await decode(first.tracks.video, new Rational(1, first.tracks.fps), video, take, judge);
  } finally {
    for (const frame of frames) frame.free();
  }
  return { decodedFrames, identicalFrames, blackFrames };
}

/** Level of the sound in `packets`, dB below full scale; -120 for digital silence, null when there is none. */
export async function measureRmsDb(packets: readonly EncodedPacket[]): Promise<number | null> {
  const audio = packets.filter((encoded) => encoded.track === 'audio');
  const first = audio[0];
  if (first === undefined) return null;
  const frame = new Frame();
  frame.alloc();
  let squares = 0;
  let count = 0;
  const add = (): void => {
    const samples = frame.nbSamples;
    for (let channel = 0; channel < frame.channels; channel++) {
      const plane = frame.extendedData![channel]!;
      for (let i = 0; i < samples; i++) {
        const value = plane.readFloatLE(i * 4);
        squares += value * value;
      }
      count += samples;
    }
  };
  try {
    await decode(first.tracks.audio, new Rational(1, AUDIO_RATE_HZ), audio, () => frame, add);
  } finally {
    frame.free();
  }
  return count === 0 ? null : levelDb(squares / count);
}

/** Decodes in the library's threads, one packet at a time, so the live path keeps its share of the core. */
async function decode(
  parameters: CodecParameters,
  timeBase: Rational,
  packets: readonly EncodedPacket[],
  take: () => Frame,
  onFrame: (frame: Frame) => void,
): Promise<void> {
  const codec = Codec.findDecoder(parameters.codecId);
  if (codec === null) throw new DeviceError('PROBE_DECODER', 'this media library cannot decode what it encodes.');
  const context = new CodecContext();
  context.allocContext3(codec);
  try {
    context.parametersToContext(parameters);
    context.pktTimebase = timeBase;
    context.threadCount = 1;
    check(await context.open2(codec, null));
    for (const encoded of packets) await feed(encoded.packet);
    await feed(null);
  } finally {
    context.freeContext();
  }

  async function feed(packet: Packet | null): Promise<void> {
    check(await context.sendPacket(packet));
    for (;;) {
      const frame = take();
      const code = await context.receiveFrame(frame);
      if (code < 0) return; // EAGAIN or the end
      onFrame(frame);
    }
  }
}

function check(code: number): void {
  if (code < 0 && code !== AVERROR_EAGAIN) {
    throw new DeviceError('PROBE_DECODER', `what was encoded does not decode (error ${code}); restart the stage.`);
  }
}
