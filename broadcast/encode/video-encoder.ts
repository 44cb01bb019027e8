import { AVERROR_EAGAIN, Frame, Packet, SoftwareScaleContext } from 'node-av';
import {
  AV_PIX_FMT_RGBA,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_RGB,
  AVCOL_TRC_BT709,
  AVERROR_EOF,
} from 'node-av/constants';
import type { AVColorRange, AVColorSpace, AVPixelFormat } from 'node-av/constants';
import { DeviceError, InvariantError } from '../../engine/errors.ts';
import type { EncodeOptions } from './encode-options.ts';
import type { VideoCodec } from './video-codec.ts';

/** Turns pictures into H.264 packets, one picture behind the caller. */
export type VideoEncoder = {
  readonly name: VideoCodec['name'];
  /**
   * Takes the picture of frame `index`. Resolves when `rgba` may be overwritten and the picture before it is encoded.
   * @throws DeviceError ENCODER_FAILED for this picture or the one before; the encoder is of no use afterwards
   */
  encode(rgba: Uint8Array, index: bigint): Promise<void>;
  /** Hands out every packet still inside. */
  flush(): Promise<void>;
  close(): void;
};

/** Frames in rotation: one converting, one encoding, one spare. */
const FRAMES = 3;

/**
 * @param onPacket called with each packet in decode order, timestamps in 1/fps; the packet is reused after the call
 */
export function createVideoEncoder(
  codec: VideoCodec,
  options: EncodeOptions,
  onPacket: (packet: Packet) => void,
): VideoEncoder {
  const { context } = codec;
  const { widthPx, heightPx } = options;
  const source = createFrame(AV_PIX_FMT_RGBA, widthPx, heightPx, AVCOL_RANGE_JPEG, AVCOL_SPC_RGB);
  const frames = Array.from({ length: FRAMES }, () =>
    createFrame(codec.pixelFormat, widthPx, heightPx, AVCOL_RANGE_MPEG, AVCOL_SPC_BT709),
  );
  // Not initialised by hand: scaleFrame then reads matrix and range from the frames themselves, i.e. true BT.709.
  const scaler = new SoftwareScaleContext();
  scaler.allocContext();
  const packet = new Packet();
  packet.alloc();
  const sourcePixels = source.data![0]!;
  const sourceStride = source.linesize[0]!;
  let inFlight: Promise<void> = Promise.resolve();
  let busy = false;
  let turn = 0;

  function takePackets(): void {
    for (;;) {
      const code = context.receivePacketSync(packet); // the work is done by sendFrame; this only collects
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return;
      if (code < 0) throw failure('giving a packet', code);
      if (packet.duration === 0n) packet.duration = 1n;
      onPacket(packet);
      packet.unref();
    }
  }

  async function send(frame: Frame): Promise<void> {
    const code = await context.sendFrame(frame);
    if (code < 0) throw failure('taking a picture', code);
    takePackets();
  }

  function failure(doing: string, code: number): DeviceError {
    return new DeviceError(
      'ENCODER_FAILED',
      `${codec.name} failed ${doing} (${widthPx}x${heightPx}, error ${code}); the encoder is opened again.`,
    );
  }

  return {
    name: codec.name,
    async encode(rgba, index) {
      if (busy) throw new InvariantError('ENCODER_BUSY', 'a picture was handed in before the last one was taken.');
      if (rgba.length !== widthPx * heightPx * 4) {
        throw new InvariantError(
          'ENCODER_PICTURE',
          `a picture of ${rgba.length} bytes was handed in; ${widthPx}x${heightPx} RGBA is ${widthPx * heightPx * 4}.`,
        );
      }
      busy = true;
      try {
        copyPicture(rgba, sourcePixels, widthPx * 4, sourceStride, heightPx);
        const frame = frames[turn]!;
        turn = (turn + 1) % FRAMES;
        frame.makeWritable(); // the encoder may still hold a reference
        const code = await scaler.scaleFrame(frame, source);
        if (code < 0) throw failure('converting a picture', code);
        frame.pts = index;
        const before = inFlight;
        inFlight = Promise.resolve(); // a failure is told once
        await before;
        inFlight = send(frame);
        inFlight.catch(() => undefined); // heard by the next encode or by flush
      } finally {
        busy = false;
      }
    },
    async flush() {
      await inFlight;
      await context.sendFrame(null);
      for (;;) {
        const code = await context.receivePacket(packet);
        if (code < 0) return;
        if (packet.duration === 0n) packet.duration = 1n;
        onPacket(packet);
        packet.unref();
      }
    },
    close() {
      packet.free();
      for (const frame of frames) frame.free();
      source.free();
      scaler.freeContext();
      context.freeContext();
    },
  };
}

function createFrame(
  format: AVPixelFormat,
  widthPx: number,
  heightPx: number,
  range: AVColorRange,
  matrix: AVColorSpace,
): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.format = format;
  frame.width = widthPx;
  frame.height = heightPx;
  frame.colorRange = range;
  frame.colorSpace = matrix;
  frame.colorPrimaries = AVCOL_PRI_BT709;
  frame.colorTrc = AVCOL_TRC_BT709;
  const code = frame.getBuffer(0);
  if (code < 0)
    throw new DeviceError('ENCODER_MEMORY', `no memory for a ${widthPx}x${heightPx} frame; close programs.`);
  return frame;
}

function copyPicture(from: Uint8Array, to: Uint8Array, rowBytes: number, stride: number, rows: number): void {
  if (stride === rowBytes) {
    to.set(from);
    return;
  }
  for (let row = 0; row < rows; row++) {
    to.set(from.subarray(row * rowBytes, (row + 1) * rowBytes), row * stride);
  }
}
