import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Codec, CodecContext, Dictionary, FFmpegError, FormatContext, Frame, Log, Packet, Rational } from 'node-av';
import {
  AVFMT_NOFILE,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_ERROR,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';

/** A short real H.264 + AAC stream cut the way a live preview is: one init segment and half-second fragments. */
export type PreviewFixture = {
  readonly mimeType: string;
  readonly init: Uint8Array;
  /** Every second one starts with a keyframe. */
  readonly fragments: readonly Uint8Array[];
};

export type PreviewPicture = { readonly widthPx: number; readonly heightPx: number; readonly seconds: number };

const FPS = 20;
const SAMPLE_RATE_HZ = 48_000;
const AAC_FRAME = 1_024;
const FRAGMENT_US = 500_000;

/** Encodes a moving bar and a quiet 440 Hz tone in this process. */
export async function createPreviewFixture({ widthPx, heightPx, seconds }: PreviewPicture): Promise<PreviewFixture> {
  Log.setLevel(AV_LOG_ERROR);
  const folder = await mkdtemp(join(tmpdir(), 'fly-preview-'));
  const path = join(folder, 'preview.mp4');
  try {
    await encodeTo(path, widthPx, heightPx, seconds);
    return cutFragments(await readFile(path));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function encodeTo(path: string, widthPx: number, heightPx: number, seconds: number): Promise<void> {
  const video = await openVideo(widthPx, heightPx);
  const audio = await openAudio();
  const container = new FormatContext();
  check(container.allocOutputContext2(null, 'mp4', path), 'container');
  const streams = [video, audio].map((codec) => {
    const stream = container.newStream(null);
    check(stream.codecpar.fromContext(codec), 'parameters');
    stream.timeBase = codec.timeBase;
    return stream;
  });
  if (!((container.oformat?.flags ?? 0) & AVFMT_NOFILE)) check(await container.openOutput(), 'file');
  const movflags = '+empty_moov+default_base_moof+frag_keyframe';
  const options = Dictionary.fromObject({ movflags, frag_duration: String(FRAGMENT_US) });
  check(await container.writeHeader(options), 'header');

  const packet = new Packet();
  packet.alloc();
  const drain = async (codec: CodecContext, index: number): Promise<void> => {
    while ((await codec.receivePacket(packet)) >= 0) {
      packet.streamIndex = index;
      if (packet.duration === 0n) packet.duration = index === 0 ? 1n : BigInt(AAC_FRAME);
      packet.rescaleTs(codec.timeBase, streams[index]!.timeBase);
      check(await container.interleavedWriteFrame(packet), 'packet');
    }
  };
  let audioPts = 0;
  for (let n = 0; n < seconds * FPS; n++) {
    const picture = drawPicture(widthPx, heightPx, n);
    check(await video.sendFrame(picture), 'picture');
    picture.free();
    await drain(video, 0);
    for (; audioPts < ((n + 1) * SAMPLE_RATE_HZ) / FPS; audioPts += AAC_FRAME) {
      const sound = drawTone(audio, audioPts);
      check(await audio.sendFrame(sound), 'sound');
      sound.free();
      await drain(audio, 1);
    }
  }
  check(await video.sendFrame(null), 'flush');
  await drain(video, 0);
  check(await audio.sendFrame(null), 'flush');
  await drain(audio, 1);
  check(await container.writeTrailer(), 'trailer');
  await container.closeOutput();
  container.freeContext();
  packet.free();
  video.freeContext();
  audio.freeContext();
}

async function openVideo(widthPx: number, heightPx: number): Promise<CodecContext> {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (codec === null) throw new Error('libx264 is missing from node-av');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = widthPx;
  context.height = heightPx;
  context.timeBase = new Rational(1, FPS);
  context.framerate = new Rational(FPS, 1);
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.gopSize = FPS;
  context.maxBFrames = 0;
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  const options = Dictionary.fromObject({ preset: 'ultrafast', tune: 'zerolatency', profile: 'high', level: '4.0' });
  check(await context.open2(codec, options), 'libx264');
  return context;
}

async function openAudio(): Promise<CodecContext> {
  const codec = Codec.findEncoderByName(FF_ENCODER_AAC);
  if (codec === null) throw new Error('aac is missing from node-av');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.sampleRate = SAMPLE_RATE_HZ;
  context.sampleFormat = AV_SAMPLE_FMT_FLTP;
  context.channelLayout = AV_CHANNEL_LAYOUT_STEREO;
  context.bitRate = 96_000n;
  context.timeBase = new Rational(1, SAMPLE_RATE_HZ);
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  check(await context.open2(codec, null), 'aac');
  return context;
}

/** Dark ground, a bright bar that crosses it in four seconds, and the four game shades as a strip below. */
function drawPicture(widthPx: number, heightPx: number, n: number): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.format = AV_PIX_FMT_YUV420P;
  frame.width = widthPx;
  frame.height = heightPx;
  frame.pts = BigInt(n);
  check(frame.getBuffer(), 'picture buffer');
  const [luma, u, v] = frame.data!;
  const [lumaStride = 0, uStride = 0, vStride = 0] = frame.linesize;
  const bar = Math.round(((n % (4 * FPS)) / (4 * FPS)) * widthPx);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const inStrip = y > heightPx * 0.75;
      const inBar = Math.abs(x - bar) < widthPx / 32;
      luma![y * lumaStride + x] = inBar ? 220 : inStrip ? 60 + 40 * Math.floor((4 * x) / widthPx) : 30;
    }
  }
  for (let y = 0; y < heightPx / 2; y++) {
    u!.fill(110, y * uStride, y * uStride + widthPx / 2);
    v!.fill(112, y * vStride, y * vStride + widthPx / 2);
  }
  return frame;
}

function drawTone(audio: CodecContext, pts: number): Frame {
  const planes = new Float32Array(2 * AAC_FRAME);
  for (let i = 0; i < AAC_FRAME; i++) {
    planes[i] = planes[AAC_FRAME + i] = 0.1 * Math.sin((2 * Math.PI * 440 * (pts + i)) / SAMPLE_RATE_HZ);
  }
  const frame = Frame.fromAudioBuffer(Buffer.from(planes.buffer), {
    nbSamples: AAC_FRAME,
    format: AV_SAMPLE_FMT_FLTP,
    sampleRate: SAMPLE_RATE_HZ,
    channelLayout: audio.channelLayout,
  });
  frame.pts = BigInt(pts);
  return frame;
}

/** `ftyp` + `moov` is the init segment; each `moof` + `mdat` a fragment. What follows (`mfra`) is for files only. */
function cutFragments(file: Buffer): PreviewFixture {
  let init: Uint8Array = file.subarray(0, 0);
  const fragments: Uint8Array[] = [];
  let fragmentStart = 0;
  for (let at = 0; at < file.length;) {
    const size = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const end = at + size;
    if (type === 'moov') init = file.subarray(0, end);
    if (type === 'moof') fragmentStart = at;
    if (type === 'mdat') fragments.push(file.subarray(fragmentStart, end));
    at = end;
  }
  return { mimeType: 'video/mp4; codecs="avc1.640028,mp4a.40.2"', init, fragments };
}

function check(result: number, what: string): void {
  FFmpegError.throwIfError(result, what);
}
