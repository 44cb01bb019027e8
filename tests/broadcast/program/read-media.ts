import { AVERROR_EAGAIN, Codec, CodecContext, FormatContext, Frame, Log, Packet } from 'node-av';
import { AV_LOG_QUIET, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';

export type MediaPacket = { readonly ptsMs: number; readonly dtsMs: number; readonly keyframe: boolean };

/** What a player would find in a file. Times are ms from the container's zero. */
export type Media = {
  readonly videoCodec: string;
  readonly audioCodec: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly audioRateHz: number;
  /** Reading order. */
  readonly video: readonly MediaPacket[];
  readonly audio: readonly MediaPacket[];
  /** Decoded pictures, display order: mean luma and the middle pixel's Y, U, V. */
  readonly pictures: readonly { readonly ptsMs: number; readonly luma: number; readonly middle: readonly number[] }[];
  /** Decoded sound, left channel at its own rate; `startMs` belongs to the first sample. */
  readonly sound: { readonly startMs: number; readonly samples: Float32Array };
};

/** Opens and decodes a whole file the way any player does. */
export async function readMedia(path: string): Promise<Media> {
  Log.setLevel(AV_LOG_QUIET);
  const context = new FormatContext();
  check(await context.openInput(path));
  check(await context.findStreamInfo());
  const videoStream = context.streams[context.findBestStream(AVMEDIA_TYPE_VIDEO)]!;
  const audioStream = context.streams[context.findBestStream(AVMEDIA_TYPE_AUDIO)]!;
  const videoDecoder = await openDecoder(videoStream);
  const audioDecoder = await openDecoder(audioStream);
  const video: MediaPacket[] = [];
  const audio: MediaPacket[] = [];
  const pictures: { ptsMs: number; luma: number; middle: number[] }[] = [];
  const chunks: Float32Array[] = [];
  let soundStartMs: number | null = null;
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  const toMs = (value: bigint, base: { num: number; den: number }): number =>
    (Number(value) * 1_000 * base.num) / base.den;

  const drain = async (decoder: CodecContext, isVideo: boolean): Promise<void> => {
    for (;;) {
      const code = await decoder.receiveFrame(frame);
      if (code < 0) return;
      if (isVideo) {
        const { luma, middle } = describePicture(frame);
        pictures.push({ ptsMs: toMs(frame.bestEffortTimestamp, videoStream.timeBase), luma, middle });
      } else {
        soundStartMs ??= toMs(frame.bestEffortTimestamp, audioStream.timeBase);
        const plane = frame.extendedData![0]!;
        chunks.push(Float32Array.from({ length: frame.nbSamples }, (_, i) => plane.readFloatLE(i * 4)));
      }
    }
  };
  const feed = async (decoder: CodecContext, next: Packet | null, isVideo: boolean): Promise<void> => {
    const code = await decoder.sendPacket(next);
    if (code !== AVERROR_EAGAIN) check(code);
    await drain(decoder, isVideo);
  };

  while ((await context.readFrame(packet)) >= 0) {
    const isVideo = packet.streamIndex === videoStream.index;
    const { timeBase } = isVideo ? videoStream : audioStream;
    (isVideo ? video : audio).push({
      ptsMs: toMs(packet.pts, timeBase),
      dtsMs: toMs(packet.dts, timeBase),
      keyframe: packet.isKeyframe,
    });
    await feed(isVideo ? videoDecoder : audioDecoder, packet, isVideo);
    packet.unref();
  }
  await feed(videoDecoder, null, true);
  await feed(audioDecoder, null, false);
  const media: Media = {
    videoCodec: Codec.findDecoder(videoStream.codecpar.codecId)?.name ?? '',
    audioCodec: Codec.findDecoder(audioStream.codecpar.codecId)?.name ?? '',
    widthPx: videoStream.codecpar.width,
    heightPx: videoStream.codecpar.height,
    audioRateHz: audioStream.codecpar.sampleRate,
    video,
    audio,
    pictures,
    sound: { startMs: soundStartMs ?? 0, samples: concat(chunks) },
  };
  packet.free();
  frame.free();
  videoDecoder.freeContext();
  audioDecoder.freeContext();
  await context.closeInput();
  return media;
}

/** Times of keyframes, ms. */
export function keyframeTimes(media: Media): number[] {
  return media.video.filter((packet) => packet.keyframe).map((packet) => packet.ptsMs);
}

/** Where the picture turns bright, ms. */
export function flashTimes(media: Media): number[] {
  const times: number[] = [];
  media.pictures.forEach((picture, i) => {
    if (picture.luma > 120 && (i === 0 || media.pictures[i - 1]!.luma <= 120)) times.push(picture.ptsMs);
  });
  return times;
}

/** Where a sound begins after at least 0.3 s of quiet, ms. */
export function beepTimes(media: Media): number[] {
  const { startMs, samples } = media.sound;
  const times: number[] = [];
  let quiet = 0.3 * media.audioRateHz;
  for (let i = 0; i < samples.length; i++) {
    if (Math.abs(samples[i]!) > 0.1) {
      if (quiet >= 0.3 * media.audioRateHz) times.push(startMs + (i * 1_000) / media.audioRateHz);
      quiet = 0;
    } else quiet++;
  }
  return times;
}

async function openDecoder(stream: FormatContext['streams'][number]): Promise<CodecContext> {
  const codec = Codec.findDecoder(stream.codecpar.codecId)!;
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(stream.codecpar);
  decoder.pktTimebase = stream.timeBase;
  check(await decoder.open2(codec, null));
  return decoder;
}

function describePicture(frame: Frame): { luma: number; middle: number[] } {
  const [y, u, v] = frame.data!;
  const [yStride, cStride] = frame.linesize;
  let sum = 0;
  let count = 0;
  for (let row = 0; row < frame.height; row += 4) {
    for (let column = 0; column < frame.width; column += 4) {
      sum += y![row * yStride! + column]!;
      count++;
    }
  }
  const row = frame.height >> 1;
  const column = frame.width >> 1;
  const chroma = (row >> 1) * cStride! + (column >> 1);
  return { luma: sum / count, middle: [y![row * yStride! + column]!, u![chroma]!, v![chroma]!] };
}

function concat(chunks: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}

function check(code: number): void {
  if (code < 0) throw new Error(`the file does not read (error ${code})`);
}
