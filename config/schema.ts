import { z } from 'zod';

/** Sizes a layout is drawn at; the smaller one is the same scene times two thirds. */
export const PICTURE_SIZES = { '1080p': { widthPx: 1920, heightPx: 1080 }, '720p': { widthPx: 1280, heightPx: 720 } } as const;

export type PictureSize = keyof typeof PICTURE_SIZES;

const id = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be lowercase a-z, 0-9, dot, dash or underscore');

/** Keys of `config/default.toml`, `$FLY_HOME/config.toml` and what flags set. Every key is explained in default.toml. */
export const configSchema = z.strictObject({
  show: id,
  seed: z.string().regex(/^(0|[1-9][0-9]{0,19})$/, 'must be a whole number from 0 to 2^64 - 1'),
  picture: z.strictObject({
    size: z.enum(['720p', '1080p']),
    fps: z.number().int().min(10).max(60),
  }),
  encoder: z.strictObject({
    kind: z.enum(['auto', 'x264', 'nvenc']),
    /** Empty chooses by size. */
    x264_preset: z.enum(['', 'ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium']),
    /** 0 chooses by size. */
    video_kbps: z.number().int().min(0).max(20_000),
    audio_kbps: z.number().int().min(64).max(320),
  }),
  recording: z.strictObject({
    enabled: z.boolean(),
    /** Empty means `$FLY_HOME/recordings`. */
    folder: z.string(),
    segment_seconds: z.number().int().min(2).max(3_600),
  }),
  uplinks: z.array(z.strictObject({ name: id, url: z.string().regex(/^rtmps?:\/\/\S+$/, 'must start with rtmp:// or rtmps://') })),
  twitch: z.strictObject({
    ingest: z.string().regex(/^rtmps?:\/\/\S+$/, 'must start with rtmp:// or rtmps://'),
    /** Test the ingest without showing the picture to viewers. */
    bandwidth_test: z.boolean(),
  }),
  control: z.strictObject({ port: z.number().int().min(0).max(65_535) }),
  sugar: z.strictObject({ per_minute: z.number().int().min(0).max(60) }),
});

export type Config = z.infer<typeof configSchema>;

/** Keys of `config/shows/*.toml`. */
export const showSchema = z.strictObject({
  id,
  layout: z.enum(['single-fly']),
  environment: z.strictObject({
    id,
    kind: id,
    /** Cartridge or level file, relative to the checkout or absolute; absent when the kind needs none. */
    content: z.string().optional(),
  }),
  task: z.strictObject({ name: id }),
  agents: z
    .array(
      z.strictObject({
        id,
        port: id,
        /** `twin` is the grown default brain; anything else is a bundle folder's name in `$FLY_HOME/connectomes`. */
        connectome: z.string().min(1),
        /** Absent derives it from the master seed. */
        seed: z.number().int().optional(),
      }),
    )
    .min(1)
    .max(4),
});

export type Show = z.infer<typeof showSchema>;

/** Keys of `$FLY_HOME/secrets.toml`. The file must belong to the user alone (0600). */
export const secretsSchema = z.strictObject({ twitch_stream_key: z.string().min(1).optional() });

export type Secrets = z.infer<typeof secretsSchema>;
