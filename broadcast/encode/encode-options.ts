import { availableParallelism } from 'node:os';
import { ConfigError } from '../../engine/errors.ts';

export type EncoderChoice = 'auto' | 'x264' | 'nvenc';

/** What the show asks of the encoders. Rates are in 1,000 bit/s. */
export type EncodeOptions = {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Whole frames per second. */
  readonly fps: number;
  readonly videoKbps: number;
  readonly audioKbps: number;
  readonly encoder: EncoderChoice;
  readonly x264Preset: string;
};

/** Seconds between two keyframes: every ingest asks for 2 and none allows more (spec: broadcast.md 13). */
export const GOP_SECONDS = 2;

/** AAC and the whole mix run at this rate (spec: broadcast.md 1). */
export const AUDIO_RATE_HZ = 48_000;

/** Samples of one AAC frame, per channel (spec: broadcast.md 52). */
export const AAC_FRAME_SAMPLES = 1_024;

/**
 * The rates and preset of a picture size when the show names none: 4,500 kbit/s up to 720 lines, 6,000 above (spec:
 * broadcast.md 2, 9). With sound, recording and one uplink a 720p frame costs 22 CPU ms at `veryfast`, 14 at
 * `superfast` and 9 at `ultrafast`, a 1080p frame 23 at `superfast`: on few cores the flies' share comes first.
 * @param cores what the whole appliance may use
 */
export function defaultEncodeOptions(
  widthPx: number,
  heightPx: number,
  fps: number,
  cores: number = availableParallelism(),
): EncodeOptions {
  const large = heightPx > 720;
  const heavy = large || fps > 30;
  return {
    widthPx,
    heightPx,
    fps,
    videoKbps: large ? 6_000 : 4_500,
    audioKbps: 160,
    encoder: 'auto',
    x264Preset: cores >= (heavy ? 6 : 4) ? 'veryfast' : 'superfast',
  };
}

/** @throws ConfigError ENCODER_OPTION for a size, rate or frame rate no H.264 stream of ours can have */
export function checkEncodeOptions(options: EncodeOptions): void {
  const { widthPx, heightPx, fps, videoKbps, audioKbps } = options;
  if (!isWhole(widthPx, 64, 4_096) || !isWhole(heightPx, 64, 4_096) || widthPx % 2 !== 0 || heightPx % 2 !== 0) {
    throw new ConfigError(
      'ENCODER_OPTION',
      `picture size ${widthPx}x${heightPx} cannot be encoded; use even numbers from 64 to 4,096 in "encode".`,
    );
  }
  if (!isWhole(fps, 1, 120)) {
    throw new ConfigError('ENCODER_OPTION', `encode.fps is ${fps}; use a whole number from 1 to 120.`);
  }
  if (!isWhole(videoKbps, 50, 50_000)) {
    throw new ConfigError('ENCODER_OPTION', `encode.videoKbps is ${videoKbps}; use a whole number from 50 to 50,000.`);
  }
  // AAC-LC above 320 kbit/s is refused by the ingest (spec: broadcast.md 10)
  if (!isWhole(audioKbps, 32, 320)) {
    throw new ConfigError('ENCODER_OPTION', `encode.audioKbps is ${audioKbps}; use a whole number from 32 to 320.`);
  }
}

/** Decoder buffer, kbit: twice the rate, never set apart from it (spec: broadcast.md 2, 5). */
export function vbvKbit(options: EncodeOptions): number {
  return options.videoKbps * 2;
}

/** Frames between two keyframes (spec: broadcast.md 3). */
export function gopFrames(options: EncodeOptions): number {
  return options.fps * GOP_SECONDS;
}

/**
 * H.264 level times ten. 1080p30 is 244,800 macroblocks a second and fits 4.1; 1080p60 needs 4.2 (spec:
 * broadcast.md 6). Anything larger leaves the choice to the encoder: null.
 */
export function h264Level(options: EncodeOptions): number | null {
  const macroblocks = Math.ceil(options.widthPx / 16) * Math.ceil(options.heightPx / 16);
  const perSecond = macroblocks * options.fps;
  if (macroblocks <= 8_192 && perSecond <= 245_760) return 41;
  if (macroblocks <= 8_704 && perSecond <= 522_240) return 42;
  return null;
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
