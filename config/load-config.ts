import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../engine/errors.ts';
import { nearest } from '../engine/nearest.ts';
import { parseDocument, readToml } from './parse-document.ts';
import { configSchema, partialConfigSchema, secretsSchema, showSchema } from './schema.ts';
import type { Config, Secrets, Show } from './schema.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const defaultFile = join(here, 'default.toml');
const showsFolder = join(here, 'shows');

/** Environment variable -> dotted key it sets. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  FLY_SHOW: 'show',
  FLY_SEED: 'seed',
  FLY_ENCODER: 'encoder.kind',
  FLY_X264_PRESET: 'encoder.x264_preset',
  FLY_VIDEO_KBPS: 'encoder.video_kbps',
  FLY_AUDIO_KBPS: 'encoder.audio_kbps',
  FLY_PORT: 'control.port',
};

export type ConfigSources = {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Dotted key -> value, from flags. */
  readonly overrides: Readonly<Record<string, unknown>>;
};

/**
 * Defaults, then `$FLY_HOME/config.toml`, then the environment, then flags. The merged document is validated as a
 * whole; each file is also checked alone, so that a message names the file that is wrong.
 * @throws ConfigError CONFIG_SYNTAX, CONFIG_KEY or CONFIG_VALUE
 */
export async function loadConfig({ home, environment, overrides }: ConfigSources): Promise<Config> {
  const merged = readToml(await readFile(defaultFile, 'utf8'), 'config/default.toml');
  const ownFile = join(home, 'config.toml');
  const own = await readIfPresent(ownFile);
  if (own !== null) {
    const document = readToml(own, ownFile);
    parseDocument(partialConfigSchema, withDefaults(document, merged), ownFile);
    mergeInto(merged, document);
  }
  for (const [variable, key] of Object.entries(ENVIRONMENT)) {
    const text = environment[variable];
    if (text === undefined || text === '') continue;
    setDotted(merged, key, typeof getDotted(merged, key) === 'number' ? Number(text) : text);
    parseDocument(configSchema, merged, variable);
  }
  for (const [key, value] of Object.entries(overrides)) setDotted(merged, key, value);
  return parseDocument(configSchema, merged, 'command line');
}

/** Validates one file alone, as `fly config check FILE` does. A file with `agents` is a show. */
export async function checkFile(file: string): Promise<'config' | 'show'> {
  const document = readToml(await readRequired(file), file);
  if ('agents' in document || 'task' in document) {
    parseDocument(showSchema, document, file);
    return 'show';
  }
  const defaults = readToml(await readFile(defaultFile, 'utf8'), 'config/default.toml');
  parseDocument(partialConfigSchema, withDefaults(document, defaults), file);
  return 'config';
}

/** Names of all shows: `config/shows` and the operator's own in `$FLY_HOME/shows`, sorted. */
export async function listShows(home: string): Promise<string[]> {
  return [...(await findShows(home)).keys()].sort();
}

/** @throws ConfigError SHOW_UNKNOWN with the nearest known show */
export async function loadShow(name: string, home: string): Promise<Show> {
  const shows = await findShows(home);
  const file = shows.get(name);
  if (file === undefined) {
    const known = [...shows.keys()].sort();
    const guess = nearest(name, known);
    const hint = guess === null ? `Shows: ${known.join(', ')}.` : `Did you mean ${guess}?`;
    throw new ConfigError('SHOW_UNKNOWN', `there is no show ${name}. ${hint}`);
  }
  const show = parseDocument(showSchema, readToml(await readFile(file, 'utf8'), file), file);
  if (show.id !== name) {
    throw new ConfigError('CONFIG_VALUE', `${file}: id is ${show.id}; a show's id is its file name, ${name}.`);
  }
  return show;
}

/** Show name -> file. An operator's own file wins over one of the same name that ships. */
async function findShows(home: string): Promise<Map<string, string>> {
  const shows = new Map<string, string>();
  for (const folder of [showsFolder, join(home, 'shows')]) {
    const files = await readdir(folder).catch(() => []); // an operator without shows has no such folder
    for (const file of files) {
      if (file.endsWith('.toml')) shows.set(file.slice(0, -'.toml'.length), join(folder, file));
    }
  }
  return shows;
}

/**
 * The stream key, from the environment or from a file only its owner can read.
 * @throws ConfigError SECRETS_MODE when others may read the file
 */
export async function loadSecrets({ home, environment }: Omit<ConfigSources, 'overrides'>): Promise<Secrets> {
  const file = join(home, 'secrets.toml');
  const text = await readIfPresent(file);
  let secrets: Secrets = {};
  if (text !== null) {
    const mode = (await stat(file)).mode & 0o777;
    if ((mode & 0o077) !== 0) {
      const shown = mode.toString(8).padStart(4, '0');
      throw new ConfigError('SECRETS_MODE', `${file} has mode ${shown}; others can read it. Run: chmod 600 ${file}`);
    }
    secrets = parseDocument(secretsSchema, readToml(text, file), file);
  }
  const key = environment.TWITCH_STREAM_KEY;
  return key === undefined || key === '' ? secrets : { ...secrets, twitch_stream_key: key };
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError('CONFIG_READ', `${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

async function readRequired(file: string): Promise<string> {
  const text = await readIfPresent(file);
  if (text === null) throw new ConfigError('CONFIG_READ', `${file} does not exist.`);
  return text;
}

type Document = Record<string, unknown>;

function isTable(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mergeInto(target: Document, source: Document): void {
  for (const [key, value] of Object.entries(source)) {
    const present = target[key];
    if (isTable(present) && isTable(value)) mergeInto(present, value);
    else target[key] = value;
  }
}

/** The document with the defaults of the tables it touches, so that a file may set one key of a table. */
function withDefaults(document: Document, defaults: Document): Document {
  const filled = structuredClone(document);
  for (const [key, value] of Object.entries(filled)) {
    const base = defaults[key];
    if (isTable(value) && isTable(base)) filled[key] = { ...base, ...value };
  }
  return filled;
}

function setDotted(document: Document, key: string, value: unknown): void {
  const parts = key.split('.');
  let at = document;
  for (const part of parts.slice(0, -1)) at = at[part] as Document;
  at[parts.at(-1)] = value;
}

function getDotted(document: Document, key: string): unknown {
  return key.split('.').reduce<unknown>((at, part) => (at as Document)[part], document);
}
