import { Codec, CodecContext, Frame, Packet, Rational } from 'node-av';
import {
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_SAMPLE_FMT_FLTP,
  FF_ENCODER_AAC,
} from 'node-av/constants';
import { DeviceError, InvariantError } from '../../engine/errors.ts';
import { AAC_FRAME_SAMPLES, AUDIO_RATE_HZ } from './encode-options.ts';

/** Turns 48 kHz stereo into AAC-LC packets. */
export type AudioEncoder = {
  readonly context: CodecContext;
  /** Appends interleaved stereo samples. Copies them; a frame is encoded for every 1,024. */
  append(interleaved: Float32Array): void;
  /** Sample frames appended so far. */
  samples(): number;
  /** Resolves once everything appended so far is encoded. @throws DeviceError ENCODER_FAILED */
  settled(): Promise<void>;
  /** Pads the last frame with silence and hands out what is left. */
  flush(): Promise<void>;
  close(): void;
};

/** @param onPacket called with each packet, timestamps in samples; the packet is reused after the call */
export async function createAudioEncoder(audioKbps: number, onPacket: (packet: Packet) => void): Promise<AudioEncoder> {
  const codec = Codec.findEncoderByName(FF_ENCODER_AAC);
  if (codec === null) throw new DeviceError('ENCODER_NONE', 'no AAC encoder in this media library; reinstall node-av.');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.sampleRate = AUDIO_RATE_HZ;
  context.sampleFormat = AV_SAMPLE_FMT_FLTP;
  context.channelLayout = AV_CHANNEL_LAYOUT_STEREO;
  context.bitRate = BigInt(audioKbps) * 1_000n;
  context.timeBase = new Rational(1, AUDIO_RATE_HZ);
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  const opened = await context.open2(codec, null);
  if (opened < 0) {
    context.freeContext();
    throw new DeviceError('ENCODER_NONE', `AAC at ${audioKbps} kbit/s did not open (error ${opened}); use 160.`);
  }
  const packet = new Packet();
  packet.alloc();
  // Left half, then right half: the planar layout the encoder takes.
  let filling = new Float32Array(2 * AAC_FRAME_SAMPLES);
  let fill = 0;
  let appended = 0;
  let framed = 0;
  let chain: Promise<void> = Promise.resolve();
  let failed: DeviceError | null = null;

  function take(): void {
    while (context.receivePacketSync(packet) >= 0) {
      onPacket(packet);
      packet.unref();
    }
  }

  async function encodeFrame(planar: Float32Array, pts: bigint): Promise<void> {
    if (failed !== null) return;
    const frame = Frame.fromAudioBuffer(Buffer.from(planar.buffer, planar.byteOffset, planar.byteLength), {
      nbSamples: AAC_FRAME_SAMPLES,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate: AUDIO_RATE_HZ,
      channelLayout: AV_CHANNEL_LAYOUT_STEREO,
    });
    frame.pts = pts;
    const code = await context.sendFrame(frame);
    frame.free();
    if (code < 0) {
      failed = new DeviceError('ENCODER_FAILED', `AAC refused samples at ${pts} (error ${code}); restart the stage.`);
      return;
    }
    take();
  }

  function queueFrame(): void {
    const planar = filling;
    const pts = BigInt(framed);
    framed += AAC_FRAME_SAMPLES;
    filling = new Float32Array(2 * AAC_FRAME_SAMPLES); // 47 a second; the encoder reads the old one in its thread
    fill = 0;
    chain = chain.then(() => encodeFrame(planar, pts));
  }

  return {
    context,
    append(interleaved) {
      if (interleaved.length % 2 !== 0) {
        throw new InvariantError('AUDIO_SHAPE', `${interleaved.length} floats are not stereo sample pairs.`);
      }
      for (let i = 0; i < interleaved.length; i += 2) {
        filling[fill] = interleaved[i]!;
        filling[AAC_FRAME_SAMPLES + fill] = interleaved[i + 1]!;
        fill++;
        if (fill === AAC_FRAME_SAMPLES) queueFrame();
      }
      appended += interleaved.length / 2;
    },
    samples: () => appended,
    async settled() {
      await chain;
      if (failed !== null) throw failed;
    },
    async flush() {
      if (fill > 0) queueFrame();
      await chain;
      if (failed !== null) return;
      await context.sendFrame(null);
      take();
    },
    close() {
      packet.free();
      context.freeContext();
    },
  };
}
