import { z } from 'zod';

/** Sizes a layout is drawn at; the smaller one is the same scene times two thirds. */
export type PictureSize = '720p' | '1080p';

export const PICTURE_SIZES: Readonly<Record<PictureSize, { readonly widthPx: number; readonly heightPx: number }>> = {
  '720p': { widthPx: 1_280, heightPx: 720 },
  '1080p': { widthPx: 1_920, heightPx: 1_080 },
};

/** `config/default.toml`, where every key is explained, with `$FLY_HOME/config.toml`, environment and flags over it. */
export type Config = {
  show: string;
  seed: string;
  picture: { size: PictureSize; fps: number };
  encoder: { kind: 'auto' | 'x264' | 'nvenc'; x264_preset: string; video_kbps: number; audio_kbps: number };
  recording: { enabled: boolean; folder: string; segment_seconds: number };
  uplinks: { name: string; url: string }[];
  twitch: { ingest: string; bandwidth_test: boolean };
  control: { port: number };
  sugar: { per_minute: number };
};

/** `config/shows/*.toml` and `$FLY_HOME/shows/*.toml`. */
export type Show = {
  id: string;
  layout: 'single-fly' | 'two-fly';
  /** `content`: cartridge or level file, relative to the checkout or absolute; absent when the kind needs none. */
  environment: { id: string; kind: string; content?: string | undefined };
  task: { name: string };
  /**
   * Ascending by id, whatever the file's order: an agent's place here is its index everywhere. `connectome`: `twin` is
   * the grown default brain; anything else is a bundle folder's name in `$FLY_HOME/connectomes`. `seed`: absent derives
   * it from the master seed.
   */
  agents: { id: string; port: string; connectome: string; seed?: number | undefined }[];
  /** Agents may have equal seeds and so draw the same noise; absent: two that do are refused at the start. */
  equal_seeds?: boolean | undefined;
};

/** `$FLY_HOME/secrets.toml`. The file must belong to the user alone (0600). */
export type Secrets = { twitch_stream_key?: string | undefined };

const id = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be lowercase a-z, 0-9, dot, dash or underscore');
const rtmpUrl = z.string().regex(/^rtmps?:\/\/\S+$/, 'must start with rtmp:// or rtmps://');
const seed = z.string().regex(/^(0|[1-9][0-9]{0,19})$/, 'must be a whole number from 0 to 2^64 - 1');
const PRESETS = ['', 'ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium'];

const config = z.strictObject({
  show: id,
  seed,
  picture: z.strictObject({ size: z.enum(['720p', '1080p']), fps: z.number().int().min(10).max(60) }),
  encoder: z.strictObject({
    kind: z.enum(['auto', 'x264', 'nvenc']),
    x264_preset: z.enum(PRESETS),
    video_kbps: z.number().int().min(0).max(20_000),
    audio_kbps: z.number().int().min(64).max(320),
  }),
  recording: z.strictObject({
    enabled: z.boolean(),
    folder: z.string(),
    segment_seconds: z.number().int().min(2).max(3_600),
  }),
  uplinks: z.array(z.strictObject({ name: id, url: rtmpUrl })),
  twitch: z.strictObject({ ingest: rtmpUrl, bandwidth_test: z.boolean() }),
  control: z.strictObject({ port: z.number().int().min(0).max(65_535) }),
  sugar: z.strictObject({ per_minute: z.number().int().min(0).max(60) }),
});

export const configSchema: z.ZodType<Config> = config;
/** A file that sets only some of the top-level keys. */
export const partialConfigSchema: z.ZodType<Partial<Config>> = config.partial() as z.ZodType<Partial<Config>>;

export const showSchema: z.ZodType<Show> = z.strictObject({
  id,
  layout: z.enum(['single-fly', 'two-fly']),
  environment: z.strictObject({ id, kind: id, content: z.string().optional() }),
  task: z.strictObject({ name: id }),
  agents: z
    .array(z.strictObject({ id, port: id, connectome: z.string().min(1), seed: z.number().int().optional() }))
    .min(1)
    .max(4)
    .transform((agents) => agents.sort((a, b) => (a.id < b.id ? -1 : 1))),
  equal_seeds: z.boolean().optional(),
});

export const secretsSchema: z.ZodType<Secrets> = z.strictObject({ twitch_stream_key: z.string().min(1).optional() });
