import { ConfigError } from '../../engine/errors.ts';
import type { LearningMode } from '../../engine/replica/descriptor.ts';

/** Flags of `fly live`, parsed. */
export type LiveOptions = {
  readonly show: string | null;
  readonly rtmp: readonly string[];
  readonly record: string | null;
  /** Session time to run, seconds; null runs until stopped. */
  readonly forSeconds: number | null;
  readonly transitions: bigint | null;
  readonly size: string | null;
  readonly fps: number | null;
  readonly picture: boolean;
  readonly unthrottled: boolean;
  readonly fresh: boolean;
  readonly port: number | null;
  readonly seed: string | null;
  readonly summary: string | null;
  readonly learning: LearningMode;
  /** Push nowhere but where this command line says; a known stream key is left unused. */
  readonly local: boolean;
};

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;
const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600 };

/** `90`, `60s`, `2m`, `1.5h` -> seconds. @throws ConfigError FLAG_VALUE */
export function parseDuration(text: string): number {
  const match = DURATION.exec(text);
  const seconds = match === null ? NaN : Number(match[1]) * SECONDS[match[2] ?? 's']!;
  if (!(seconds > 0)) {
    throw new ConfigError('FLAG_VALUE', `"${text}" is no duration. Write it like 60s, 10m or 2h.`);
  }
  return seconds;
}

/** @throws ConfigError FLAG_VALUE unless it is a whole number within the bounds */
export function parseWhole(text: string, name: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) {
    throw new ConfigError('FLAG_VALUE', `${name} ${text} is not a whole number from ${min} to ${max}.`);
  }
  return value;
}

/** What flags change in the configuration, as dotted keys. */
export function overridesOf(options: LiveOptions): Record<string, unknown> {
  const overrides: Record<string, unknown> = {};
  if (options.show !== null) overrides.show = options.show;
  if (options.seed !== null) overrides.seed = options.seed;
  if (options.size !== null) overrides['picture.size'] = options.size;
  if (options.fps !== null) overrides['picture.fps'] = options.fps;
  if (options.port !== null) overrides['control.port'] = options.port;
  if (options.record !== null) {
    overrides['recording.enabled'] = true;
    overrides['recording.folder'] = options.record;
  }
  return overrides;
}
