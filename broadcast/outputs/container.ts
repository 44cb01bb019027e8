import { Dictionary, FFmpegError, FormatContext, IOContext, Rational } from 'node-av';
import type { Stream } from 'node-av';
import { DeviceError } from '../../engine/errors.ts';
import type { EncodedPacket, Tracks } from '../encode/encoded-packet.ts';
import { AUDIO_RATE_HZ } from '../encode/encode-options.ts';

/** One file or connection being written. Its timeline starts at 0 with the first packet, a video keyframe. */
export type Container = {
  /** Takes over `encoded` and releases it. @throws DeviceError CONTAINER */
  write(encoded: EncodedPacket): Promise<void>;
  /** Ends a fragment (fragmented MP4 only). */
  cut(): Promise<void>;
  /**
   * Writes the trailer unless `abandon`, then frees everything; no write may be pending.
   * @throws DeviceError CONTAINER when the last bytes could not be written; everything is freed all the same
   */
  close(abandon: boolean): Promise<void>;
};

/** Bytes of the library's write buffer; a fragment or a burst of TS packets goes out in pieces of this size. */
const BUFFER_BYTES = 65_536;

/**
 * A container whose bytes go to `sink`, in order. The sink may be slow: the next write waits for it.
 * @throws DeviceError CONTAINER when the format refuses the tracks
 */
export async function openMemoryContainer(
  format: 'mpegts' | 'mp4',
  tracks: Tracks,
  options: Readonly<Record<string, string>>,
  sink: (bytes: Uint8Array) => Promise<void> | void,
): Promise<Container> {
  const context = allocate(format, null);
  const io = new IOContext();
  let sinkError: unknown = null;
  io.allocContextWithCallbacks(BUFFER_BYTES, 1, null, async (bytes) => {
    try {
      await sink(new Uint8Array(bytes)); // the library reuses its buffer
      return bytes.length;
    } catch (error) {
      sinkError = error;
      return -5; // EIO
    }
  });
  context.pb = io;
  const free = (): Promise<void> => {
    context.pb = null;
    context.freeContext();
    io.freeContext();
    return Promise.resolve();
  };
  return start(context, tracks, options, free, () => sinkError);
}

/** A container written straight to a network address of this machine (see `broadcast/relay`). */
export async function openUrlContainer(
  format: 'flv',
  url: string,
  tracks: Tracks,
  options: Readonly<Record<string, string>>,
): Promise<Container> {
  const context = allocate(format, url);
  const code = await context.openOutput();
  if (code < 0) {
    context.freeContext();
    throw containerError('open', code, null);
  }
  const free = async (): Promise<void> => {
    await context.closeOutput();
    context.freeContext();
  };
  return start(context, tracks, options, free, () => null);
}

async function start(
  context: FormatContext,
  tracks: Tracks,
  options: Readonly<Record<string, string>>,
  free: () => Promise<void>,
  sinkError: () => unknown,
): Promise<Container> {
  const videoBase = new Rational(1, tracks.fps);
  const audioBase = new Rational(1, AUDIO_RATE_HZ);
  const video = addStream(context, tracks.video, videoBase);
  video.avgFrameRate = new Rational(tracks.fps, 1);
  const audio = addStream(context, tracks.audio, audioBase);
  const header = await context.writeHeader(Dictionary.fromObject({ ...options }));
  if (header < 0) {
    await free();
    throw containerError('write the header of', header, sinkError());
  }
  const videoOut = video.timeBase;
  const audioOut = audio.timeBase;
  let originFrames: bigint | null = null;
  let originSamples = 0n;
  let lastAudioDts = -1n;

  return {
    async write(encoded) {
      const { packet } = encoded;
      try {
        if (originFrames === null) {
          originFrames = packet.dts;
          originSamples = (packet.dts * BigInt(AUDIO_RATE_HZ)) / BigInt(tracks.fps);
        }
        if (encoded.track === 'video') {
          packet.streamIndex = 0;
          packet.pts -= originFrames;
          packet.dts -= originFrames;
          packet.rescaleTs(videoBase, videoOut);
        } else {
          packet.streamIndex = 1;
          packet.pts -= originSamples;
          packet.dts -= originSamples;
          if (packet.dts < 0n || packet.dts <= lastAudioDts) return; // sound from before the first picture
          lastAudioDts = packet.dts;
          packet.rescaleTs(audioBase, audioOut);
        }
        const code = await context.writeFrame(packet);
        const failed = sinkError();
        if (code < 0 || failed !== null) throw containerError('write to', code, failed);
      } finally {
        packet.free();
      }
    },
    async cut() {
      const code = await context.writeFrame(null);
      await context.flush();
      const failed = sinkError();
      if (code < 0 || failed !== null) throw containerError('write to', code, failed);
    },
    async close(abandon) {
      const code = abandon ? 0 : await context.writeTrailer();
      const failed = sinkError();
      await free();
      if (!abandon && (code < 0 || failed !== null)) throw containerError('finish', code, failed);
    },
  };
}

function allocate(format: string, url: string | null): FormatContext {
  const context = new FormatContext();
  const code = context.allocOutputContext2(null, format, url);
  if (code < 0) throw containerError('allocate', code, null);
  return context;
}

function addStream(context: FormatContext, parameters: Tracks['video'], timeBase: Rational): Stream {
  const stream = context.newStream(null);
  parameters.copy(stream.codecpar);
  stream.codecpar.codecTag = 0;
  stream.timeBase = timeBase;
  return stream;
}

function containerError(doing: string, code: number, cause: unknown): DeviceError {
  const reason = cause instanceof Error ? cause.message : FFmpegError.strerror(code);
  return new DeviceError('CONTAINER', `could not ${doing} the output (${reason}); it is tried again.`, { cause });
}
