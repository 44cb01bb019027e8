import { ConfigError, DeviceError } from '../../engine/errors.ts';
import type { EncodeOptions } from './encode-options.ts';
import type { VideoCodec } from './video-codec.ts';

export type Opened =
  | { readonly kind: 'open'; readonly codec: VideoCodec }
  | { readonly kind: 'refused'; readonly cause: 'no-driver' | 'no-session' | 'bad-option'; readonly detail: string };

export type Candidate = {
  readonly name: 'nvenc' | 'x264';
  readonly open: (options: EncodeOptions) => Promise<Opened>;
};

/**
 * Opens the first candidate that accepts `options`, in order; NVENC comes before x264.
 * A bad option stops the search: falling back would turn a typing error into a silent software stream
 * (spec: broadcast.md 28).
 * @throws ConfigError ENCODER_OPTION
 * @throws DeviceError ENCODER_NONE, listing every refusal
 */
export async function openEncoder(options: EncodeOptions, candidates: readonly Candidate[]): Promise<VideoCodec> {
  const refusals: string[] = [];
  for (const { name, open } of candidates) {
    const opened = await open(options);
    if (opened.kind === 'open') return opened.codec;
    if (opened.cause === 'bad-option') {
      throw new ConfigError('ENCODER_OPTION', `${name} refused ${opened.detail}; correct "encode" in the show file.`);
    }
    refusals.push(`${name}: ${opened.cause} (${opened.detail})`);
  }
  throw new DeviceError(
    'ENCODER_NONE',
    `no H.264 encoder opened: ${refusals.join('; ') || 'none was allowed'}. Set encode.encoder to "auto" or "x264".`,
  );
}

/** The candidates a choice allows, best first. */
export function allowedCandidates(options: EncodeOptions, all: readonly Candidate[]): readonly Candidate[] {
  return options.encoder === 'auto' ? all : all.filter((candidate) => candidate.name === options.encoder);
}
