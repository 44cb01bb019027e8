import { Codec, CodecContext, Rational } from 'node-av';
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
} from 'node-av/constants';
import type { AVPixelFormat, FFVideoEncoder } from 'node-av/constants';
import type { Opened } from './open-encoder.ts';
import type { EncodeOptions } from './encode-options.ts';
import { gopFrames, h264Level, vbvKbit } from './encode-options.ts';
import { captureNativeLog } from './native-log.ts';

/** An opened H.264 encoder of the library, and what it wants to be fed. */
export type VideoCodec = {
  readonly name: 'nvenc' | 'x264';
  readonly context: CodecContext;
  readonly pixelFormat: AVPixelFormat;
};

/** Refusals that mean "not on this machine" (spec: broadcast.md 27); every other one is an option we got wrong. */
const NO_DRIVER =
  /cannot load|libcuda|nvcuda|cannot init cuda|cuda_error|no such device|not found|version mismatch|driver/i;
const NO_SESSION =
  /openencodesession|no capable devices|unavailable|not support|unsupported|out of memory|initializeencoder|no nvenc/i;

/**
 * Opens one library encoder with the settings both share: CBR, fixed GOP, High profile, BT.709 limited range.
 * @param privateOptions the encoder's own names and values; one it does not know is a bad option
 */
export async function openVideoCodec(
  name: 'nvenc' | 'x264',
  libraryName: FFVideoEncoder,
  pixelFormat: AVPixelFormat,
  options: EncodeOptions,
  privateOptions: Readonly<Record<string, string>>,
): Promise<Opened> {
  const codec = Codec.findEncoderByName(libraryName);
  if (codec === null)
    return { kind: 'refused', cause: 'no-driver', detail: `${String(libraryName)} is not in this build` };
  const context = new CodecContext();
  context.allocContext3(codec);
  const rate = BigInt(options.videoKbps) * 1_000n;
  context.width = options.widthPx;
  context.height = options.heightPx;
  context.timeBase = new Rational(1, options.fps);
  context.framerate = new Rational(options.fps, 1);
  context.sampleAspectRatio = new Rational(1, 1);
  context.pixelFormat = pixelFormat;
  context.gopSize = gopFrames(options);
  context.maxBFrames = 2; // spec: broadcast.md 3
  context.bitRate = rate;
  context.rcMinRate = rate;
  context.rcMaxRate = rate;
  context.rcBufferSize = vbvKbit(options) * 1_000;
  context.threadCount = 2; // one thread per frame leaves 1080p no slack; more only adds delay
  context.colorRange = AVCOL_RANGE_MPEG;
  context.colorSpace = AVCOL_SPC_BT709;
  context.colorPrimaries = AVCOL_PRI_BT709;
  context.colorTrc = AVCOL_TRC_BT709;
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  const level = h264Level(options);
  if (level !== null) context.level = level;
  for (const [key, value] of Object.entries(privateOptions)) {
    const code = context.setOption(key, value);
    if (code < 0) {
      context.freeContext();
      return { kind: 'refused', cause: 'bad-option', detail: `${key}=${value}` };
    }
  }
  const { result, lines } = await captureNativeLog(() => context.open2(codec, null));
  if (result >= 0) return { kind: 'open', codec: { name, context, pixelFormat } };
  context.freeContext();
  const detail = lines.join(' / ') || `error ${result} with ${describeOptions(privateOptions)}`;
  return { kind: 'refused', cause: classifyRefusal(detail), detail };
}

/** Why an encoder did not open, from what it logged (spec: broadcast.md 27, 28). */
export function classifyRefusal(detail: string): 'no-driver' | 'no-session' | 'bad-option' {
  if (NO_DRIVER.test(detail)) return 'no-driver';
  if (NO_SESSION.test(detail)) return 'no-session';
  return 'bad-option';
}

function describeOptions(options: Readonly<Record<string, string>>): string {
  return Object.entries(options)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}
